import { crashDatabase, killDatabase, restartDatabase } from './kill-database.ts';
import { testScenario } from './test-scenario.ts';

testScenario(killDatabase, 4);
testScenario(crashDatabase, 3);
testScenario(restartDatabase, 2);
