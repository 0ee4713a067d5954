import type { Database } from '../../db/engines/database.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { listPayments, retryPayment } from './retry-payment.ts';

export function buildPaymentHandlers(
  database: Database,
  settleNow: (() => void) | undefined,
): Pick<OperationHandlers, 'listPayments' | 'retryPayment'> {
  return {
    listPayments: async ({ query }) => ({ status: 200, ...(await listPayments(database, query)) }),
    retryPayment: (request) => (tx) => retryPayment(tx, { ...request, ...request.params }, settleNow),
  };
}
