/**
 * One node at a time locks `sum_position`. Sums and position commit together, so everything counts once.
 * Nothing here locks rows that an order writes. A361.
 */
import { must } from '@keyport/core/assert';
import { allRows, execute, hasRows, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { ORDER_SUM_COLUMNS, REJECTION_CODE } from '../ledger/sums.sql.ts';

/** Rows per transaction, which takes about 100 ms. */
export const FOLDED_MAX = 10_000;
export const CHANGES_MAX = 1000;
const SCARCE_DAYS = 7;

/** Rows up to the mark may be folded once the transactions that preceded it have ended. */
export type SumMark = {
  readonly transferId: string;
  readonly rejectionNumber: string;
  readonly transactionId: string;
};

/**
 * Compares the highest rows: searching for higher ones would read a table from its start. Indexes:
 * ledger_transfer_pkey, rejected_order_number_ix, change_log_pkey.
 */
export function hasUnfolded(db: Db): Promise<boolean> {
  return onlyValue<{ unfolded: boolean }>(db)`
    SELECT coalesce((SELECT max(id) FROM ledger_transfer)
        > least(sum_position.transfer_id, (SELECT transfer_id FROM sale_position)), false)
      OR coalesce((SELECT max(number) FROM rejected_order) > rejection_number, false)
      OR (SELECT max(change_log.stamp) FROM change_log) > sum_position.stamp
      OR EXISTS (SELECT FROM order_sum_change) AS unfolded
    FROM sum_position`;
}

/**
 * Must run outside a transaction, and draws the transaction id last. Each row below the highest is visible,
 * or its transaction has an earlier id: inserting a transfer or rejection needs its account's lock.
 */
export async function takeMark(db: Db): Promise<SumMark> {
  const highest = await allRows<Omit<SumMark, 'transactionId'>>(db)`
    SELECT (SELECT coalesce(max(id), 0)::text FROM ledger_transfer) AS "transferId",
      (SELECT coalesce(max(number), 0)::text FROM rejected_order) AS "rejectionNumber"`;
  const drawn = await allRows<Pick<SumMark, 'transactionId'>>(db)`
    SELECT pg_current_xact_id()::text AS "transactionId"`;
  return { ...must(highest[0], 'numbers'), ...must(drawn[0], 'an id') };
}

export function isSettled(db: Db, mark: SumMark): Promise<boolean> {
  return onlyValue<{ settled: boolean }>(db)`
    SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${mark.transactionId}::xid8 AS settled`;
}

/** Returns false while another transaction folds. */
export function lockPosition(tx: Tx): Promise<boolean> {
  return hasRows(tx)`SELECT FROM sum_position FOR NO KEY UPDATE SKIP LOCKED`;
}

/** Returns the number of rows, like the functions below. All need the position's lock. */
export function foldOrderChanges(tx: Tx): Promise<number> {
  return onlyValue<{ count: number }>(tx)`
    WITH taken AS (
      DELETE FROM order_sum_change RETURNING *
    ), added AS (
      INSERT INTO order_sum (${sql.raw(ORDER_SUM_COLUMNS)})
      SELECT hour, status, sum(orders), sum(units), sum(refunded_units), sum(total_minor) FROM taken GROUP BY 1, 2
      ON CONFLICT ON CONSTRAINT order_sum_pk DO UPDATE SET orders = order_sum.orders + excluded.orders,
        units = order_sum.units + excluded.units, refunded_units = order_sum.refunded_units + excluded.refunded_units,
        total_minor = order_sum.total_minor + excluded.total_minor
    )
    SELECT count(*) AS count FROM taken`;
}

/** Adds transfers up to the mark to the sums of books and sellers. */
export function foldTransfers(tx: Tx, { transferId }: SumMark): Promise<number> {
  return onlyValue<{ count: number }>(tx)`
    WITH next AS MATERIALIZED (
      SELECT * FROM ledger_transfer
      WHERE id > (SELECT transfer_id FROM sum_position) AND id <= ${transferId}::bigint
      ORDER BY id LIMIT ${FOLDED_MAX}
    ), booked AS (
      INSERT INTO book_sum (hour, kind, from_kind, to_kind, transfers, amount_minor)
      SELECT hour_of(created_at), next.kind, source.kind, target.kind, count(*), sum(amount_minor)
      FROM next JOIN ledger_account AS source ON source.id = from_ledger_account_id
      JOIN ledger_account AS target ON target.id = to_ledger_account_id
      GROUP BY 1, 2, 3, 4
      ON CONFLICT ON CONSTRAINT book_sum_pk DO UPDATE SET transfers = book_sum.transfers + excluded.transfers,
        amount_minor = book_sum.amount_minor + excluded.amount_minor
    ), by_offer AS MATERIALIZED (
      SELECT (next.created_at AT TIME ZONE 'UTC')::date AS day, offer_id, count(*) FILTER (WHERE kind = 'charge') AS charges,
        coalesce(sum(amount_minor) FILTER (WHERE kind = 'charge'), 0) AS charged_minor,
        coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0) AS refunded_minor
      FROM next JOIN "order" ON "order".id = next.order_id
      GROUP BY 1, 2
    ), sold AS (
      INSERT INTO seller_sum (day, seller_id, charges, charged_minor, refunded_minor)
      SELECT day, seller_id, sum(charges), sum(charged_minor), sum(refunded_minor)
      FROM by_offer CROSS JOIN LATERAL (SELECT seller_id FROM offer WHERE offer.id = offer_id LIMIT 1) AS offer
      GROUP BY 1, 2
      ON CONFLICT ON CONSTRAINT seller_sum_pk DO UPDATE SET charges = seller_sum.charges + excluded.charges,
        charged_minor = seller_sum.charged_minor + excluded.charged_minor,
        refunded_minor = seller_sum.refunded_minor + excluded.refunded_minor
    ), moved AS (
      UPDATE sum_position SET transfer_id = (SELECT max(id) FROM next) WHERE EXISTS (SELECT FROM next)
    )
    SELECT count(*) AS count FROM next`;
}

/** Up to the mark. Index: rejected_order_number_ix. */
export function foldRejections(tx: Tx, { rejectionNumber }: SumMark): Promise<number> {
  return onlyValue<{ count: number }>(tx)`
    WITH next AS MATERIALIZED (
      SELECT number, rejected_at, body FROM rejected_order
      WHERE number > (SELECT rejection_number FROM sum_position) AND number <= ${rejectionNumber}::bigint
      ORDER BY number LIMIT ${FOLDED_MAX}
    ), added AS (
      INSERT INTO rejection_sum (hour, code, rejections)
      SELECT hour_of(rejected_at), ${sql.raw(REJECTION_CODE)}, count(*) FROM next GROUP BY 1, 2
      ON CONFLICT ON CONSTRAINT rejection_sum_pk DO UPDATE SET rejections = rejection_sum.rejections + excluded.rejections
    ), moved AS (
      UPDATE sum_position SET rejection_number = (SELECT max(number) FROM next) WHERE EXISTS (SELECT FROM next)
    )
    SELECT count(*) AS count FROM next`;
}

/**
 * Reads the log in commit order; counts sold-out offers and notes those with few remaining units. Index:
 * change_log_pkey.
 */
export function foldSales(tx: Tx, scarceUnitsMax: number): Promise<number> {
  return onlyValue<{ count: number }>(tx)`
    WITH next AS MATERIALIZED (
      SELECT stamp, offer_ids, quantities FROM change_log
      WHERE change_log.stamp > (SELECT stamp FROM sum_position) ORDER BY stamp LIMIT ${CHANGES_MAX}
    ), sold AS MATERIALIZED (
      SELECT stamp, offer_id, quantity FROM next
      CROSS JOIN LATERAL unnest(offer_ids, quantities) AS sold (offer_id, quantity)
    ), counted AS (
      INSERT INTO stock_out_sum (hour, offers)
      SELECT hour_of(stamp), count(*) FROM sold WHERE quantity = 0 GROUP BY 1
      ON CONFLICT ON CONSTRAINT stock_out_sum_pk DO UPDATE SET offers = stock_out_sum.offers + excluded.offers
    ), noted AS (
      INSERT INTO scarce_offer (offer_id, sold_at)
      SELECT offer_id, max(stamp) FROM sold WHERE quantity <= ${scarceUnitsMax}::integer GROUP BY 1
      ON CONFLICT ON CONSTRAINT scarce_offer_pkey DO UPDATE SET sold_at = excluded.sold_at
    ), moved AS (
      UPDATE sum_position SET stamp = (SELECT max(stamp) FROM next) WHERE EXISTS (SELECT FROM next)
    )
    SELECT count(*) AS count FROM next`;
}

export async function forgetScarceOffers(tx: Tx, scarceUnitsMax: number): Promise<void> {
  const retention = sql.raw(`${SCARCE_DAYS} * interval '1 day'`);
  await execute(tx)`
    DELETE FROM scarce_offer
    WHERE sold_at < statement_timestamp() - ${retention}
      OR offer_id IN (
        SELECT offer.id FROM scarce_offer JOIN offer ON offer.id = offer_id
        WHERE available_text + available_image > ${scarceUnitsMax}::integer)`;
}
