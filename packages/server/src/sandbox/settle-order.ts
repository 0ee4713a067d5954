import type { Order } from '@keyport/contract/orders/orders';
import { must } from '@keyport/core/assert';
import { conflict } from '@keyport/http/replies/api-error';
import type { Tx } from '../db/schema.ts';
import type { OperationRequest, Written } from '../operations/operation.ts';
import type { SandboxDeps } from './deps.ts';
import { auditOrder } from './own-order.ts';
import { settledReference } from './rehearsed-gateway.ts';

type LockedOrder = NonNullable<Awaited<ReturnType<SandboxDeps['lockOrder']>>>;

export async function settleOrder(
  tx: Tx,
  request: OperationRequest<'settleSandboxOrder'>,
  deps: SandboxDeps,
): Promise<Written<Order>> {
  const { orderId } = request.params;
  const { outcome = 'paid', reason } = request.body;
  requireUnsettled(must(await deps.lockOrder(tx, orderId), 'an own order'), outcome);
  await auditOrder(tx, request, 'order.settle', { outcome, ...(reason && { reason }) });
  const reference = settledReference(orderId);
  const verdict = outcome === 'paid' ? ({ status: outcome, reference } as const) : { status: outcome };
  const isCatalogueChanged = await deps.settle(tx, orderId, verdict);
  const data = await deps.showOrder(tx, orderId);
  return { status: 200, data, ...(isCatalogueChanged && { onCommitted: deps.onCatalogueChanged }) };
}

/** Throws conflict. A payment that is reported after a cancellation is refunded. */
function requireUnsettled(
  { status, paymentMethod, totalPriceMinor, refundedMinor, items }: LockedOrder,
  outcome: 'paid' | 'declined',
): void {
  const isPaid = refundedMinor > 0 || items.some(({ invoiced }) => invoiced > 0);
  const hasPayment = paymentMethod === 'gateway' && totalPriceMinor > 0;
  if (hasPayment && !isPaid && !(outcome === 'declined' && status === 'canceled')) return;
  throw conflict(
    `The order is ${status} and waits for no payment. Create one with Keyport-Scenario: pending-payment.`,
    { status },
  );
}
