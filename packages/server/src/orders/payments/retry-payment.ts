import type { Payment } from '@keyport/contract/orders/operator-orders';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { conflict, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { listResponse } from '../../operations/list-page.ts';
import type { OperationRequest, Written } from '../../operations/operation.ts';
import * as sql from './payments.sql.ts';

/** `settleNow`: undefined without a payment provider. A100. */
export async function retryPayment(
  tx: Tx,
  command: Acting & { readonly paymentId: string },
  settleNow: (() => void) | undefined,
): Promise<Written<Payment>> {
  const { paymentId } = command;
  const [kind, id] = paymentId.split('-') as [sql.PaymentKind, string];
  if (settleNow === undefined) throw conflict('No payment provider is configured. Configure it first.');
  if (!(await sql.makePaymentDue(tx, kind, id))) {
    requireFound((await sql.hasPayment(tx, kind, id)) ? id : undefined, 'payment');
    throw conflict('The payment is settled, so there is nothing to retry.');
  }
  const payment = requireFound((await sql.loadPayments(tx, [paymentId]))[0], 'payment');
  const { orderId, accountId } = payment;
  await audit(tx, command, 'payment.retry', { accountId, orderId, data: { paymentId } });
  return { status: 202, data: formatPayment(payment), onCommitted: settleNow };
}

export function listPayments(database: Database, query: OperationRequest<'listPayments'>['query']) {
  const list = sql.paymentsList(query, query.sort === '-createdAt');
  const toId = ({ id }: sql.PaymentRow) => id;
  const wanted = { name: 'payments', query, list, load: sql.loadPayments, toId };
  return listResponse(database, { ...wanted, format: formatPayment });
}

function formatPayment(row: sql.PaymentRow): Payment {
  const { amountMinor, createdAtMicros, expiresAtMicros, nextAttemptAtMicros, ...rest } = row;
  return {
    ...rest,
    amount: formatMinor(amountMinor),
    createdAt: formatDateTime(createdAtMicros),
    expiresAt: expiresAtMicros === null ? null : formatDateTime(expiresAtMicros),
    nextAttemptAt: formatDateTime(nextAttemptAtMicros),
  };
}
