import type { Database } from '../../db/engines/database.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { listAllOrders } from './list-all-orders.ts';
import { listRejections } from './list-rejections.ts';

export function buildOrderListHandlers(
  database: Database,
): Pick<OperationHandlers, 'listAllOrders' | 'listRejections'> {
  return {
    listAllOrders: async (request) => ({ status: 200, ...(await listAllOrders(database, request)) }),
    listRejections: async ({ query }) => ({ status: 200, ...(await listRejections(database, query)) }),
  };
}
