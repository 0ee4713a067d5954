import { killNodes } from './kill-nodes.ts';
import { testScenario } from './scenario.ts';

testScenario(killNodes, 50);
