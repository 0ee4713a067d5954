import { killNodes } from './kill-nodes.ts';
import { testScenario } from './test-scenario.ts';

testScenario(killNodes, 10);
