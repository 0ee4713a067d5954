import { cutGatewayOrders } from './cut-gateway-orders.ts';
import { testScenario } from './test-scenario.ts';

testScenario(cutGatewayOrders, 1);
