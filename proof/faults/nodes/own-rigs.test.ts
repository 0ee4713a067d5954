import { noConnectionLeft } from '../database/database-refuses.ts';
import { testScenario } from '../test-scenario.ts';
import { crashNode, fewFiles, unreadLog } from './node-faults.ts';

testScenario(crashNode, 2);
testScenario(fewFiles, 1);
testScenario(unreadLog, 1);
testScenario(noConnectionLeft, 1);
