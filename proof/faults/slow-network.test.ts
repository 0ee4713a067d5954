import { slowNetwork } from './slow-network.ts';
import { testScenario } from './test-scenario.ts';

testScenario(slowNetwork, 2);
