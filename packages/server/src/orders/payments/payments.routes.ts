/** Lists payments that are not settled, and lets the worker try one of them at once. A413. */
import type { Payment } from '@keyport/contract/orders/payments';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { ApiError, requireFound } from '@keyport/http/replies/api-error';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import { readListPage } from '../../operations/list-page.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import {
  hasPayment,
  loadPayments,
  makePaymentDue,
  type PaymentKind,
  type PaymentRow,
  paymentsList,
} from './payment-lists.sql.ts';

export type PaymentDeps = {
  readonly database: Database;
  /** Begins a round of the worker; undefined without a payment provider. */
  readonly settleNow: (() => void) | undefined;
};

export function buildPaymentHandlers({
  database,
  settleNow,
}: PaymentDeps): Pick<OperationHandlers, 'listPayments' | 'retryPayment'> {
  return {
    async listPayments({ query }) {
      const list = paymentsList(query, query.sort === '-createdAt');
      const wanted = { name: 'payments', query, list, load: loadPayments, idOf: ({ id }: PaymentRow) => id };
      const { rows, meta } = await readListPage(database, wanted);
      return { status: 200, data: rows.map(formatPayment), meta };
    },

    retryPayment: (request) => async (tx) => {
      const { paymentId } = request.params;
      const [kind, id] = paymentId.split('-') as [PaymentKind, string];
      if (settleNow === undefined)
        throw new ApiError('conflict', {
          message: 'No payment provider is configured, so there is none to ask. Configure it first.',
        });
      if (!(await makePaymentDue(tx, kind, id))) {
        requireFound((await hasPayment(tx, kind, id)) ? id : undefined, 'payment');
        throw new ApiError('conflict', { message: 'The payment is settled, so there is nothing to retry.' });
      }
      const payment = requireFound((await loadPayments(tx, [paymentId]))[0], 'payment');
      const { orderId, accountId } = payment;
      const record = auditRecord(request, 'payment.retry', { accountId, data: { paymentId } });
      await insertAudit(tx, { ...record, orderId });
      return { status: 202, data: formatPayment(payment), onCommitted: settleNow };
    },
  };
}

function formatPayment(row: PaymentRow): Payment {
  const { amountMinor, createdAtMicros, expiresAtMicros, nextAttemptAtMicros, ...rest } = row;
  return {
    ...rest,
    amount: formatMinor(amountMinor),
    createdAt: formatDateTime(createdAtMicros),
    expiresAt: expiresAtMicros === null ? null : formatDateTime(expiresAtMicros),
    nextAttemptAt: formatDateTime(nextAttemptAtMicros),
  };
}
