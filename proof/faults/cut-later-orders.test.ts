import { cutLaterOrders } from './cut-orders.ts';
import { testScenario } from './test-scenario.ts';

testScenario(cutLaterOrders, 1);
