import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../../db/engines/database.ts';
import { showAdminOrder } from '../changes/order-effect.ts';
import * as sql from './read-orders.sql.ts';

export async function readAnyOrder({ db }: Database, orderId: string) {
  const order = requireFound(await sql.findOrder(db, orderId, undefined), 'order');
  const log = await sql.listStatusLog(db, orderId);
  const notes = await sql.listOrderNotes(db, [order.id]);
  const refunds = await sql.listRefunds(db, order.id);
  return {
    ...showAdminOrder(order),
    ...must(notes.get(order.id), 'orders and accounts are never deleted'),
    statusLog: log.flatMap(showStatusChanges),
    refunds: refunds.map(({ at, amountMinor }) => ({
      at: formatDateTime(at),
      amount: formatMinor(amountMinor),
    })),
  };
}

function showStatusChanges(row: sql.StatusChangeRow) {
  const path = [...row.via, row.to_status];
  return path.map((to, index) => ({
    from: path[index - 1] ?? row.from_status,
    to,
    at: formatDateTime(row.at),
    actor: row.actor,
    ...(row.actorName === null ? {} : { actorName: row.actorName }),
    reason: row.reason,
  }));
}
