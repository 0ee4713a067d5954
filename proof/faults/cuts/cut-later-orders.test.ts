import { testScenario } from '../test-scenario.ts';
import { cutLaterOrders } from './cut-orders.ts';

testScenario(cutLaterOrders, 1);
