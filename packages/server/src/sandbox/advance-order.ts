/** Moves an order into the past, and runs the workers that react to its age. */
import type { Order } from '@keyport/contract/orders/orders';
import { conflict } from '@keyport/http/replies/api-error';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { isOverdue, moveIntoPast } from './orders.sql.ts';
import { onOwnOrder, orderAudit, type ShowOrder } from './own-order.ts';

export type AdvanceOrderDeps = {
  readonly database: Database;
  readonly lockOrder: (tx: Tx, orderId: string) => Promise<unknown>;
  readonly showOrder: ShowOrder;
  /** Writes the event of unread keys that expire soon, or did. The last step of its transaction. */
  readonly tellExpiring: (tx: Tx, orderId: string) => Promise<void>;
  /** Runs a round of the workers. */
  readonly runWorkers: () => Promise<void>;
};

/** A round of the workers that had begun before does not see the moved order. */
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
