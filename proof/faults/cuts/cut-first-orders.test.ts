import { testScenario } from '../test-scenario.ts';
import { cutFirstOrders } from './cut-orders.ts';

testScenario(cutFirstOrders, 1);
