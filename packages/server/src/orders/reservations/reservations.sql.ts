/** Locks: offer, reservation, then (by the caller) the catalogue clock. */
import type { ReservationStatus } from '@keyport/core/orders/reservations';
import { plainArray } from '../../db/engines/prepared.ts';
import { type List, numberKey } from '../../db/keyset.sql.ts';
import { allRows, allValues, execute, firstRow, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros, toTimestamp } from '../../db/timestamps.ts';
import { putOnSale } from '../../stock/stock.sql.ts';

export type ReservationRow = {
  readonly number: number;
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly status: ReservationStatus;
  readonly createdAtMicros: number;
  readonly expiresAtMicros: number;
  readonly productId: string;
  readonly offerId: string;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  readonly maxPriceMinor: number;
  readonly discountMinor: number;
  readonly totalPriceMinor: number;
  readonly orderId: string | null;
  readonly reference: string | null;
};

/** The clock ends a reservation; a worker stores the status later (A603). */
const STATUS = sql`CASE WHEN reservation.status = 'active' AND expires_at <= statement_timestamp() THEN 'expired'
  ELSE reservation.status END`;

const rowsWith = (status: Sql) => sql`
  SELECT number, reservation.id, account_id AS "accountId", account.name AS "accountName", ${status} AS status, ${deriveMicros('reservation.created_at')} AS "createdAtMicros",
    ${deriveMicros('expires_at')} AS "expiresAtMicros", product_id::text AS "productId", offer_id AS "offerId", quantity,
    unit_price_minor AS "unitPriceMinor", max_price_minor AS "maxPriceMinor", discount_minor AS "discountMinor",
    total_price_minor AS "totalPriceMinor", order_id::text AS "orderId", reference
  FROM reservation JOIN offer ON offer.id = offer_id JOIN account ON account.id = account_id`;

/** `accountId`: undefined for operators. */
export function findReservation(
  db: Db,
  { id, accountId }: { readonly id: string; readonly accountId: string | undefined },
): Promise<ReservationRow | undefined> {
  return firstRow<ReservationRow>(db)`
    ${rowsWith(STATUS)} WHERE reservation.id = ${id} AND account_id = coalesce(${accountId ?? null}::uuid, account_id)`;
}

/** Newest first. Indexes: reservation_reference_ix, reservation_account_ix, the primary key. */
export function reservationsList({
  accountId,
  status,
  reference,
}: {
  readonly accountId?: string;
  readonly status?: ReservationStatus;
  readonly reference?: string;
}): List {
  return {
    from: sql`reservation`,
    alias: 'reservation',
    key: [numberKey('reservation.number')],
    isDescending: true,
    scanned: [
      ...(accountId === undefined ? [] : [sql`reservation.account_id = ${accountId}::uuid`]),
      ...(reference === undefined ? [] : [sql`reservation.reference COLLATE "C" = ${reference}`]),
    ],
    filters: status === undefined ? [] : [sql`${STATUS} = ${status}`],
  };
}

export function loadReservations(db: Db, numbers: readonly string[]): Promise<ReservationRow[]> {
  return allRows<ReservationRow>(db)`
    ${rowsWith(STATUS)} WHERE number = ANY (${plainArray(numbers)}::bigint[])`;
}

export type LockedReservation = ReservationRow & { readonly nowMicros: number };

/** Returns the stored status. All changes lock the offer first, so no row changes between the statements. */
export async function lockReservationsOf(tx: Tx, ids: readonly string[]): Promise<LockedReservation[]> {
  await execute(tx)`
    SELECT FROM offer WHERE id IN (SELECT offer_id FROM reservation WHERE id = ANY (${[...ids]}::text[]))
    ORDER BY id FOR NO KEY UPDATE`;
  return allRows<LockedReservation>(tx)`
    SELECT *, ${deriveMicros('statement_timestamp()')} AS "nowMicros" FROM (
      ${rowsWith(sql`reservation.status`)} WHERE reservation.id = ANY (${[...ids]}::text[])
      ORDER BY number FOR NO KEY UPDATE OF reservation
    ) AS locked`;
}

export async function updateExpiry(tx: Tx, id: string, expiresAtMicros: number): Promise<void> {
  await execute(tx)`
    UPDATE reservation SET expires_at = ${toTimestamp(expiresAtMicros)} WHERE id = ${id}`;
}

/** The reservations must be locked. */
export async function endReservations(
  tx: Tx,
  numbers: readonly number[],
  status: 'released' | 'expired',
): Promise<void> {
  const unitIds = await allValues<{ id: number }>(tx)`
    WITH ended AS (
      UPDATE reservation SET status = ${status} WHERE number = ANY (${plainArray(numbers)}::bigint[]) AND reservation.status = 'active'
      RETURNING offer_id, first_unit, quantity
    )
    SELECT stock_key.id FROM ended JOIN stock_key ON stock_key.offer_id = ended.offer_id
      AND stock_key.number >= first_unit AND stock_key.number < first_unit + quantity`;
  await putOnSale(tx, unitIds);
}

/** Oldest first. Index: reservation_expiry_ix. */
export function listOverdueReservations(db: Db, limit: number): Promise<string[]> {
  return allValues<{ id: string }>(db)`
    SELECT id FROM reservation WHERE status = 'active' AND expires_at <= statement_timestamp()
    ORDER BY expires_at LIMIT ${limit}`;
}

export function countActiveReservations(db: Db): Promise<number> {
  return onlyValue<{ active: number }>(db)`
    SELECT count(*) AS active FROM reservation WHERE status = 'active'`;
}

/** For canceled orders whose units just went back on sale (A606). The offers must be locked. */
export async function reinstateReservations(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await execute(tx)`
    WITH again AS (
      SELECT number, reservation.offer_id, quantity,
        (next_unit - quantity + sum(quantity) OVER (PARTITION BY reservation.offer_id ORDER BY number))::integer AS first_unit
      FROM "order" AS ordered JOIN reservation ON number = ordered.reservation JOIN offer ON offer.id = reservation.offer_id
      WHERE ordered.id = ANY (${plainArray(orderIds)}::bigint[]) AND reservation.order_id = ordered.id
    ), active AS (
      UPDATE reservation SET status = 'active', order_id = NULL, first_unit = again.first_unit
      FROM again WHERE reservation.number = again.number
    )
    UPDATE offer SET next_unit = next_unit + counts.units
    FROM (SELECT offer_id, sum(quantity)::integer AS units FROM again GROUP BY offer_id) AS counts
    WHERE offer.id = counts.offer_id`;
}

/** Returns false if the reservation would be dated before 1970. */
export async function moveReservationIntoPast(tx: Tx, id: string, seconds: number): Promise<boolean> {
  const moved: Sql = sql`(${seconds}::double precision * interval '1 second')`;
  const changed = await execute(tx)`
    UPDATE reservation SET created_at = created_at - ${moved}, expires_at = expires_at - ${moved}
    WHERE id = ${id} AND created_at - ${moved} >= '1970-01-01 00:00:00+00'`;
  return changed > 0;
}
