import { cutFirstOrders } from './cut-orders.ts';
import { testScenario } from './scenario.ts';

testScenario(cutFirstOrders, 1);
