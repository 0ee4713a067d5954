/** Scans events, which are chronological, so that orders need no index. A305. */
import type { Quantities } from '@keyport/core/orders/placed-order';
import { allRows, allValues, execute, firstValue, hasRows } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';
import { PLACE_BITS } from './event-id.ts';

/** Undefined while another transaction holds the lock. */
export function lockLookedId(tx: Tx): Promise<string | undefined> {
  return firstValue<{ id: string }>(tx)`
    SELECT position::text AS id FROM stream_position WHERE stream = 'keys-expiring' FOR NO KEY UPDATE SKIP LOCKED`;
}

export async function moveLookedId(tx: Tx, eventId: string): Promise<void> {
  await execute(tx)`UPDATE stream_position SET position = ${eventId}::bigint WHERE stream = 'keys-expiring'`;
}

/** Oldest first. Index: event_pkey. */
export function listOlderEvents(
  tx: Tx,
  { afterId, hours, limit }: { readonly afterId: string; readonly hours: number; readonly limit: number },
): Promise<{ readonly id: string; readonly completedOrderId: string | null }[]> {
  const age = sql`${hours}::double precision * interval '1 hour'`;
  return allRows<{ id: string; completedOrderId: string | null }>(tx)`
    SELECT id::text, CASE type WHEN 'order.complete' THEN order_id::text END AS "completedOrderId"
    FROM event
    WHERE id > ${afterId}::bigint
      AND id < (extract(epoch FROM statement_timestamp() - ${age}) * 1000000)::bigint << ${sql.raw(String(PLACE_BITS))}
    ORDER BY event.id LIMIT ${limit}`;
}

export function isOlder(tx: Tx, orderId: string, hours: number): Promise<boolean> {
  return hasRows(tx)`
    SELECT FROM "order" WHERE id = ${orderId}::bigint
      AND completed_at <= statement_timestamp() - ${hours}::double precision * interval '1 hour'`;
}

/** An order's keys are read together. Index: stock_key_number_uq. */
const isUnread = sql`status = 'complete' AND NOT EXISTS (
  SELECT FROM stock_key JOIN key_reveal ON key_reveal.stock_key_id = stock_key.id
  WHERE stock_key.offer_id = "order".offer_id AND stock_key.number = "order".first_unit)`;

/** Waits for reads in progress. */
export function lockUnreadOrders(tx: Tx, orderIds: readonly string[]): Promise<string[]> {
  return allValues<{ id: string }>(tx)`
    SELECT id::text FROM "order" WHERE id = ANY (${[...orderIds]}::bigint[]) AND ${isUnread}
    ORDER BY "order".id FOR NO KEY UPDATE`;
}

export type ExpiringOrder = {
  readonly id: string;
  readonly accountId: string;
  readonly completedMicros: number;
  readonly quantity: Quantities;
};

/** Returns unread orders without an earlier notice. */
export function recordExpiring(tx: Tx, orderIds: readonly string[]): Promise<ExpiringOrder[]> {
  return allRows<ExpiringOrder>(tx)`
    WITH noted AS (
      UPDATE "order" SET is_expiry_told = true
      WHERE id = ANY (${[...orderIds]}::bigint[]) AND NOT is_expiry_told AND ${isUnread} RETURNING "order".*
    )
    SELECT id::text, account_id AS "accountId", ${deriveMicros('completed_at')} AS "completedMicros",
      json_build_object('ordered', quantity_ordered, 'invoiced', quantity_invoiced, 'shipped', quantity_shipped,
        'refunded', quantity_refunded) AS quantity
    FROM noted ORDER BY noted.id`;
}
