/**
 * Sums by hour or day, which include unfolded rows in one snapshot: orders after the history's horizon;
 * transfers, rejections and changes after the position. A360, A361.
 */
import type { OrderStatus } from '@keyport/core/orders/order-status';
import { allRows } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { timestampOf } from '../db/timestamps.ts';
import type { SumRange } from '../ledger/reports/sum-range.ts';
import { ORDER_SUM_COLUMNS, REJECTION_CODE, SUMMED_ORDERS } from '../ledger/sums.sql.ts';

type InBucket = { readonly bucketMicros: number };

export type OrderSums = InBucket & {
  readonly status: OrderStatus;
  readonly orders: number;
  readonly units: number;
  readonly refundedUnits: number;
  /** EUR cents as digits: may be too large for a number. */
  readonly totalMinor: string;
};

const within = (column: string, { fromMicros, beforeMicros }: SumRange) =>
  sql`${sql.raw(column)} >= ${timestampOf(fromMicros)} AND ${sql.raw(column)} < ${timestampOf(beforeMicros)}`;

/** Microseconds since the epoch. */
function bucketOf({ bucket }: SumRange): Sql {
  const stride = bucket === 'hour' ? sql`interval '1 hour'` : sql`interval '1 day'`;
  return sql`(extract(epoch FROM date_bin(${stride}, hour, timestamptz '2000-01-01 00:00:00+00')) * 1000000)::bigint`;
}

/** Index: order_sum_pk; order_created_ix for the last minutes. */
export function loadOrderSums(tx: Tx, range: SumRange): Promise<OrderSums[]> {
  const columns = sql.raw(ORDER_SUM_COLUMNS);
  return allRows<OrderSums>(tx)`
    SELECT ${bucketOf(range)} AS "bucketMicros", status, sum(orders)::bigint AS orders, sum(units)::bigint AS units,
      sum(refunded_units)::bigint AS "refundedUnits", sum(total_minor)::text AS "totalMinor"
    FROM (
      SELECT ${columns} FROM order_sum WHERE ${within('hour', range)}
      UNION ALL
      SELECT ${columns} FROM order_sum_change WHERE ${within('hour', range)}
      UNION ALL
      SELECT ${sql.raw(SUMMED_ORDERS)} FROM "order"
      WHERE created_at > (SELECT counted_until FROM history_horizon) AND ${within('created_at', range)}
      GROUP BY 1, 2
    ) AS part
    GROUP BY 1, 2`;
}

export type BookSums = InBucket & { readonly kind: 'charge' | 'refund'; readonly amountMinor: string };

/** Index: book_sum_pk, ledger_transfer_pkey. */
export function loadSales(tx: Tx, range: SumRange): Promise<BookSums[]> {
  return allRows<BookSums>(tx)`
    SELECT ${bucketOf(range)} AS "bucketMicros", kind, sum(amount_minor)::text AS "amountMinor"
    FROM (
      SELECT hour, kind, amount_minor FROM book_sum WHERE ${within('hour', range)}
      UNION ALL
      SELECT hour_of(created_at), kind, amount_minor FROM ledger_transfer
      WHERE id > (SELECT transfer_id FROM sum_position) AND ${within('created_at', range)}
    ) AS part
    WHERE kind IN ('charge', 'refund') GROUP BY 1, 2`;
}

export type RejectionSums = InBucket & { readonly byCode: Readonly<Record<string, number>> };

/** One row per bucket, because one per code takes longer. Indexes: rejection_sum_pk, rejected_order_number_ix. */
export function loadRejectionSums(tx: Tx, range: SumRange): Promise<RejectionSums[]> {
  return allRows<RejectionSums>(tx)`
    SELECT "bucketMicros", json_object_agg(code, rejections) AS "byCode"
    FROM (
      SELECT ${bucketOf(range)} AS "bucketMicros", code, sum(rejections) AS rejections
      FROM (
        SELECT hour, code, rejections FROM rejection_sum WHERE ${within('hour', range)}
        UNION ALL
        SELECT hour_of(rejected_at), ${sql.raw(REJECTION_CODE)}, 1 FROM rejected_order
        WHERE number > (SELECT rejection_number FROM sum_position) AND ${within('rejected_at', range)}
      ) AS part
      GROUP BY 1, 2
    ) AS sums
    GROUP BY 1`;
}

export type StockOuts = InBucket & { readonly offers: number };

/** Index: stock_out_sum_pk, change_log_pkey. */
export function loadStockOuts(tx: Tx, range: SumRange): Promise<StockOuts[]> {
  return allRows<StockOuts>(tx)`
    SELECT ${bucketOf(range)} AS "bucketMicros", sum(offers)::bigint AS offers
    FROM (
      SELECT hour, offers FROM stock_out_sum WHERE ${within('hour', range)}
      UNION ALL
      SELECT hour_of(change_log.stamp), cardinality(array_positions(quantities, 0)) FROM change_log
      WHERE change_log.stamp > (SELECT sum_position.stamp FROM sum_position) AND ${within('change_log.stamp', range)}
    ) AS part
    GROUP BY 1 HAVING sum(offers) > 0`;
}
