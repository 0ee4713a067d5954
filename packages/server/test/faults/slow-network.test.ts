import { testScenario } from './scenario.ts';
import { slowNetwork } from './slow-network.ts';

testScenario(slowNetwork, 6);
