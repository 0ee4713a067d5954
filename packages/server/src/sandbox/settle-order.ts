import type { Order } from '@keyport/contract/orders/orders';
import { must } from '@keyport/core/assert';
import type { ItemState } from '@keyport/core/orders/decide-change';
import type { OrderStatus } from '@keyport/core/orders/order-status';
import { conflict } from '@keyport/http/replies/api-error';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Tx } from '../db/schema.ts';
import type { OperationRequest, Written } from '../operations/operation.ts';
import { orderAudit, type ShowOrder } from './own-order.ts';
import { settledReference } from './rehearsed-gateway.ts';

type LockedOrder = {
  readonly status: OrderStatus;
  readonly paymentMethod: string | null;
  readonly totalPriceMinor: number;
  readonly refundedMinor: number;
  readonly items: readonly ItemState[];
};

type ProviderVerdict =
  | { readonly status: 'paid'; readonly reference: string }
  | { readonly status: 'declined' };

export type SettleOrderDeps = {
  readonly lockOrder: (tx: Tx, orderId: string) => Promise<LockedOrder | undefined>;
  readonly showOrder: ShowOrder;
  /** Returns whether the catalogue changed. */
  readonly settle: (tx: Tx, orderId: string, verdict: ProviderVerdict) => Promise<boolean>;
  readonly onCatalogueChanged: () => void;
};

export async function settleOrder(
  tx: Tx,
  request: OperationRequest<'settleSandboxOrder'>,
  deps: SettleOrderDeps,
): Promise<Written<Order>> {
  const { orderId } = request.params;
  const { outcome = 'paid', reason } = request.body;
  const verdict: ProviderVerdict =
    outcome === 'paid' ? { status: 'paid', reference: settledReference(orderId) } : { status: 'declined' };
  requireUnsettled(must(await deps.lockOrder(tx, orderId), 'an own order'), outcome);
  await insertAudit(tx, orderAudit(request, 'order.settle', { outcome, ...(reason && { reason }) }));
  const isCatalogueChanged = await deps.settle(tx, orderId, verdict);
  const data = await deps.showOrder(tx, orderId);
  return { status: 200, data, ...(isCatalogueChanged && { onCommitted: deps.onCatalogueChanged }) };
}

/** Throws conflict. What a provider reports as paid after a cancellation is refunded. */
function requireUnsettled(order: LockedOrder, outcome: 'paid' | 'declined'): void {
  const { status, paymentMethod, totalPriceMinor, refundedMinor, items } = order;
  const isPaid = refundedMinor > 0 || items.some(({ invoiced }) => invoiced > 0);
  const hasPayment = paymentMethod === 'gateway' && totalPriceMinor > 0;
  if (hasPayment && !isPaid && !(outcome === 'declined' && status === 'canceled')) return;
  throw conflict(
    `The order is ${status} and waits for no payment. Create one with Keyport-Scenario: pending-payment.`,
    { status },
  );
}
