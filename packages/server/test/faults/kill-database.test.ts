import { crashDatabase, killDatabase, restartDatabase } from './kill-database.ts';
import { testScenario } from './scenario.ts';

testScenario(killDatabase, 10);
testScenario(crashDatabase, 10);
testScenario(restartDatabase, 4);
