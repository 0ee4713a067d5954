import { cutFirstOrders } from './cut-orders.ts';
import { testScenario } from './test-scenario.ts';

testScenario(cutFirstOrders, 1);
