import { fewFiles, missingKeyFile, unreadLog } from './node-faults.ts';
import { testScenario } from './test-scenario.ts';

testScenario(fewFiles, 1);
testScenario(unreadLog, 1);
testScenario(missingKeyFile, 1);
