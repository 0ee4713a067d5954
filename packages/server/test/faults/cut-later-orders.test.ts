import { cutLaterOrders } from './cut-orders.ts';
import { testScenario } from './scenario.ts';

testScenario(cutLaterOrders, 1);
