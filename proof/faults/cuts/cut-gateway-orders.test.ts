import { testScenario } from '../test-scenario.ts';
import { cutGatewayOrders } from './cut-gateway-orders.ts';

testScenario(cutGatewayOrders, 1);
