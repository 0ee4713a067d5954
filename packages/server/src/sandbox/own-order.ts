import type { Order } from '@keyport/contract/orders/orders';
import type { Reservation } from '@keyport/contract/orders/reservations';
import { must } from '@keyport/core/assert';
import { conflict, notFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../audit/action.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationRequest, WriteWork, Written } from '../operations/operation.ts';
import type { SandboxDeps } from './deps.ts';
import { isOrderOf, isOverdue, moveIntoPast } from './orders.sql.ts';
import { settledReference } from './rehearsed-gateway.ts';

type OrderRequest = Acting & {
  readonly params: { readonly orderId: string };
  readonly principal: { readonly clientId: string; readonly accountId: string };
};

/** Throws not-found for another account's order. */
export function onOwnOrder<Data>(
  { params, principal }: OrderRequest,
  work: WriteWork<Data>,
): WriteWork<Data> {
  return async (tx) => {
    if (await isOrderOf(tx, params.orderId, principal.accountId)) return work(tx);
    throw notFound('order');
  };
}

function auditOrder(
  tx: Tx,
  request: OrderRequest,
  action: 'order.settle' | 'order.advance',
  data: Record<string, unknown>,
): Promise<void> {
  const { principal, params } = request;
  return audit(tx, request, action, { accountId: principal.accountId, orderId: params.orderId, data });
}

type LockedOrder = NonNullable<Awaited<ReturnType<SandboxDeps['lockOrder']>>>;

export async function settleOrder(
  tx: Tx,
  request: OperationRequest<'settleSandboxOrder'>,
  deps: SandboxDeps,
): Promise<Written<Order>> {
  const { orderId } = request.params;
  const { outcome = 'paid', reason } = request.body;
  requireUnsettled(must(await deps.lockOrder(tx, orderId), "the account's order"), outcome);
  await auditOrder(tx, request, 'order.settle', { outcome, ...(reason && { reason }) });
  const reference = settledReference(orderId);
  const verdict = outcome === 'paid' ? ({ status: outcome, reference } as const) : { status: outcome };
  const isCatalogueChanged = await deps.settle(tx, orderId, verdict);
  const data = await deps.showOrder(tx, orderId);
  return { status: 200, data, ...(isCatalogueChanged && { onCommitted: deps.onCatalogueChanged }) };
}

/** Throws conflict. A canceled order can be paid; the payment is then refunded. */
function requireUnsettled(
  { status, paymentMethod, totalPriceMinor, refundedMinor, items }: LockedOrder,
  outcome: 'paid' | 'declined',
): void {
  const isPaid = refundedMinor > 0 || items.some(({ invoiced }) => invoiced > 0);
  const hasPayment = paymentMethod === 'gateway' && totalPriceMinor > 0;
  if (hasPayment && !isPaid && !(outcome === 'declined' && status === 'canceled')) return;
  throw conflict(
    `The order is ${status} and not waiting for a payment. Create one with Keyport-Scenario: pending-payment.`,
    { status },
  );
}

/** A round that began earlier misses the moved order. */
const WORKER_ROUNDS = 3;

export async function advanceOrder(
  { database, lockOrder, showOrder, tellExpiring, runWorkers }: SandboxDeps,
  request: OperationRequest<'advanceSandboxOrder'>,
): Promise<Order> {
  const { orderId } = request.params;
  const { hours } = request.body;
  const move = onOwnOrder(request, async (tx) => {
    await lockOrder(tx, orderId);
    await auditOrder(tx, request, 'order.advance', { hours });
    if (!(await moveIntoPast(tx, orderId, hours)))
      throw conflict('The order would be dated before 1970. Place a new one.');
    await tellExpiring(tx, orderId);
    return { status: 200 };
  });
  await runTransaction(database, {}, move);
  for (let round = 0; round < WORKER_ROUNDS; round += 1) {
    await runWorkers();
    if (!(await isOverdue(database.db, orderId))) break;
  }
  return showOrder(database.db, orderId);
}

export async function advanceOwnReservation(
  { database, advanceReservation, showReservation, runWorkers }: SandboxDeps,
  request: OperationRequest<'advanceSandboxReservation'>,
): Promise<Reservation> {
  const { seconds } = request.body;
  const { accountId } = request.principal;
  const name = { id: request.params.reservationId, accountId };
  await runTransaction(database, {}, async (tx) => {
    await advanceReservation(tx, name, seconds);
    const data = { reservationId: name.id, seconds };
    await audit(tx, request, 'reservation.advance', { accountId, data });
  });
  for (let round = 0; round < 2; round += 1) await runWorkers();
  return showReservation(database.db, name);
}
