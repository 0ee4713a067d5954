import { blockedNode, crashNode, steppedClock } from './node-faults.ts';
import { testScenario } from './test-scenario.ts';

testScenario(crashNode, 2);
testScenario(blockedNode, 1);
testScenario(steppedClock, 2);
