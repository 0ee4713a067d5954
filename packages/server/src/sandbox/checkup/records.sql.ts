import { allRows } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import type { MadeReservation, Meaning, PlacedOrder } from './client-request.ts';

/** Undefined unless the client is a reseller's. */
export async function findAccountOfClient(db: Db, clientId: string): Promise<string | undefined> {
  const rows = await allRows<{ accountId: string | null }>(db)`
    SELECT account_id AS "accountId" FROM client WHERE id = ${clientId}`;
  return rows[0]?.accountId ?? undefined;
}

const END_OF_ORDER = sql`SELECT min(at) FROM order_status_log WHERE to_status IN ('canceled', 'closed') AND order_id = `;

/** Indexes: order_idempotency_key_uq, primary key, order_status_log_order_ix, audit_entry_order_ix. */
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
      extract(epoch FROM placed.created_at)::double precision * 1000 AS "createdAtMs",
      extract(epoch FROM (${END_OF_ORDER} placed.id))::double precision * 1000 AS "endedAtMs",
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

/**
 * The log has no time of a release, so `endedAtMs` is then the creation: the client ended it.
 * Indexes: reservation_key_uq, order_status_log_order_ix.
 */
export function listReserved(db: Db, accountId: string, keys: readonly string[]): Promise<MadeReservation[]> {
  return allRows<MadeReservation>(db)`
    SELECT id, idempotency_key::text AS key, extract(epoch FROM CASE status
        WHEN 'ordered' THEN (${END_OF_ORDER} reservation.order_id)
        WHEN 'released' THEN created_at
        ELSE expires_at
      END)::double precision * 1000 AS "endedAtMs"
    FROM reservation WHERE account_id = ${accountId}::uuid AND idempotency_key = ANY (${[...keys]}::uuid[])`;
}

/** By ids of offers and reservations. Indexes: the primary key, reservation_id_uq. */
export async function listMeanings(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Meaning>> {
  const [reservationIds, offerIds] = [true, false].map((isReservation) =>
    ids.filter((id) => id.startsWith('rsv_') === isReservation),
  );
  const rows = await allRows<{ id: string } & Meaning>(db)`
    SELECT id::text AS id, product_id::text AS "productId", NULL AS reference FROM offer WHERE id = ANY (${offerIds}::uuid[])
    UNION ALL
    SELECT reservation.id, product_id::text, reference FROM reservation JOIN offer ON offer.id = offer_id
    WHERE reservation.id = ANY (${reservationIds}::text[])`;
  return new Map(rows.map(({ id, ...meaning }) => [id, meaning]));
}
