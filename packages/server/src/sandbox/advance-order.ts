import type { Order } from '@keyport/contract/orders/orders';
import type { Reservation } from '@keyport/contract/orders/reservations';
import { conflict } from '@keyport/http/replies/api-error';
import { auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { isOverdue, moveIntoPast } from './orders.sql.ts';
import { onOwnOrder, orderAudit, type ShowOrder } from './own-order.ts';

export type AdvanceOrderDeps = {
  readonly database: Database;
  readonly lockOrder: (tx: Tx, orderId: string) => Promise<unknown>;
  readonly showOrder: ShowOrder;
  /** The last step of its transaction. */
  readonly tellExpiring: (tx: Tx, orderId: string) => Promise<void>;
  readonly runWorkers: () => Promise<void>;
};

/** A round that had begun before does not see the moved order. */
const WORKER_ROUNDS = 3;

export async function advanceOrder(
  deps: AdvanceOrderDeps,
  request: OperationRequest<'advanceSandboxOrder'>,
): Promise<Order> {
  const { database, lockOrder, showOrder, tellExpiring, runWorkers } = deps;
  const { orderId } = request.params;
  const { hours } = request.body;
  const move = onOwnOrder(request, async (tx) => {
    await lockOrder(tx, orderId);
    await insertAudit(tx, orderAudit(request, 'order.advance', { hours }));
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

type ReservationName = { readonly id: string; readonly accountId: string };

export type AdvanceReservationDeps = Pick<AdvanceOrderDeps, 'database' | 'runWorkers'> & {
  readonly advanceReservation: (tx: Tx, name: ReservationName, seconds: number) => Promise<void>;
  readonly showReservation: (db: Db, name: ReservationName) => Promise<Reservation>;
};

export async function advanceOwnReservation(
  { database, advanceReservation, showReservation, runWorkers }: AdvanceReservationDeps,
  request: OperationRequest<'advanceSandboxReservation'>,
): Promise<Reservation> {
  const { seconds } = request.body;
  const { accountId } = request.principal;
  const name = { id: request.params.reservationId, accountId };
  await runTransaction(database, {}, async (tx) => {
    await advanceReservation(tx, name, seconds);
    const data = { reservationId: name.id, seconds };
    await insertAudit(tx, auditRecord(request, 'reservation.advance', { accountId, data }));
  });
  for (let round = 0; round < 2; round += 1) await runWorkers();
  return showReservation(database.kysely, name);
}
