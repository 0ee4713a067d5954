import { testScenario } from '../test-scenario.ts';
import { killNodes } from './kill-nodes.ts';

testScenario(killNodes, 4);
