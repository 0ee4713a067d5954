import { cutGatewayOrders } from './cut-gateway-orders.ts';
import { testScenario } from './scenario.ts';

testScenario(cutGatewayOrders, 1);
