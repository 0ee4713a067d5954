import { allRows } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import type { PlacedOrder } from './client-request.ts';

/** Undefined unless the client is a reseller's. */
export async function findAccountOfClient(db: Db, clientId: string): Promise<string | undefined> {
  const rows = await allRows<{ accountId: string | null }>(db)`
    SELECT account_id AS "accountId" FROM client WHERE id = ${clientId}`;
  return rows[0]?.accountId ?? undefined;
}

/**
 * An order's first status is the one it left first, or else its current one.
 * Indexes: order_idempotency_key_uq, primary key, audit_entry_order_ix.
 */
export function listPlaced(
  db: Db,
  accountId: string,
  {
    keys,
    orderIds,
    keysWindowHours,
  }: {
    readonly keys: readonly string[];
    readonly orderIds: readonly string[];
    readonly keysWindowHours: number;
  },
): Promise<PlacedOrder[]> {
  return allRows<PlacedOrder>(db)`
    SELECT placed.id::text AS id, idempotency_key::text AS key, offer.product_id::text AS "productId",
      coalesce((
        SELECT from_status FROM order_status_log WHERE order_id = placed.id ORDER BY order_status_log.id LIMIT 1
      ), placed.status) = 'held' AS "wasHeld",
      placed.status = 'complete' AS "isComplete",
      coalesce(
        completed_at + ${keysWindowHours}::double precision * interval '1 hour' <= statement_timestamp(), false
      ) AS "isOver",
      coalesce(completed_at <= statement_timestamp() - interval '1 hour', false) AS "isHourOld",
      EXISTS (
        SELECT FROM audit_entry WHERE audit_entry.order_id = placed.id AND action = 'keys.read'
      ) AS "areKeysRead"
    FROM (
      SELECT * FROM "order"
      WHERE account_id = ${accountId}::uuid AND idempotency_key = ANY (${[...keys]}::uuid[])
      UNION
      SELECT * FROM "order" WHERE account_id = ${accountId}::uuid AND id = ANY (${[...orderIds]}::bigint[])
    ) AS placed LEFT JOIN offer ON offer.id = placed.offer_id`;
}

/** By ids of offers and reservations. Indexes: the primary key, reservation_id_uq. */
export async function listWantedProducts(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [reservationIds, offerIds] = [true, false].map((isReservation) =>
    ids.filter((id) => id.startsWith('rsv_') === isReservation),
  );
  const rows = await allRows<{ id: string; productId: string }>(db)`
    SELECT id::text AS id, product_id::text AS "productId" FROM offer WHERE id = ANY (${offerIds}::uuid[])
    UNION ALL
    SELECT reservation.id, product_id::text FROM reservation JOIN offer ON offer.id = offer_id
    WHERE reservation.id = ANY (${reservationIds}::text[])`;
  return new Map(rows.map(({ id, productId }) => [id, productId]));
}
