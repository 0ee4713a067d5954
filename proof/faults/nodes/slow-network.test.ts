import { testScenario } from '../test-scenario.ts';
import { slowNetwork } from './slow-network.ts';

testScenario(slowNetwork, 2);
