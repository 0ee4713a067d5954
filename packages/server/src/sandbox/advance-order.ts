import type { Order } from '@keyport/contract/orders/orders';
import type { Reservation } from '@keyport/contract/orders/reservations';
import { conflict } from '@keyport/http/replies/api-error';
import { audit } from '../audit/action.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationRequest } from '../operations/operation.ts';
import type { SandboxDeps } from './deps.ts';
import { isOverdue, moveIntoPast } from './orders.sql.ts';
import { auditOrder, onOwnOrder } from './own-order.ts';

/** A round that had begun before does not see the moved order. */
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
      throw conflict('The order would be older than 1970. Place a new one.');
    await tellExpiring(tx, orderId);
    return { status: 200 };
  });
  await runTransaction(database, {}, move);
  for (let round = 0; round < WORKER_ROUNDS; round += 1) {
    await runWorkers();
    if (!(await isOverdue(database.kysely, orderId))) break;
  }
  return showOrder(database.kysely, orderId);
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
  return showReservation(database.kysely, name);
}
