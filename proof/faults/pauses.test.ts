import { pauseDatabase, pauseNode } from './pauses.ts';
import { testScenario } from './test-scenario.ts';

testScenario(pauseDatabase, 1);
testScenario(pauseNode, 1);
