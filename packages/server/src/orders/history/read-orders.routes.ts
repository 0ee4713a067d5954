import type { OperationHandlers } from '../../operations/operation.ts';
import { type ReadKeysDeps, readKeys } from '../keys/read-keys.ts';
import { buildOrder } from '../order-response.ts';
import { readHistory, readOrder } from './history.ts';

type ReadOrderHandlers = Pick<OperationHandlers, 'listOrders' | 'getOrder' | 'getOrderKeys'>;

export function buildReadOrderHandlers(deps: ReadKeysDeps): ReadOrderHandlers {
  const { database } = deps;
  return {
    listOrders: async ({ query, principal }) => {
      const { orders, meta } = await readHistory(database, query, principal.accountId);
      return { status: 200, data: orders.map(buildOrder), meta };
    },
    getOrder: async ({ params, principal }) => {
      const order = await readOrder(database, params.orderId, principal.accountId);
      return { status: 200, data: buildOrder(order) };
    },
    getOrderKeys: async ({ params, principal, traceId }) => {
      const data = await readKeys(deps, { orderId: params.orderId, ...principal, traceId });
      return { status: 200, data, headers: { 'cache-control': 'no-store' } };
    },
  };
}
