/** The worker of the other sums folds these; reads add unfolded rows. A582. */
import type { ReportDimension } from '@keyport/contract/operators/summary';
import { allRows, onlyValue } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { timestampOf } from '../db/timestamps.ts';
import { FOLDED_MAX, type SumMark } from './fold.sql.ts';

const SUMS = sql`sum(orders)::bigint AS orders, sum(units)::bigint AS units, sum(refunds)::bigint AS refunds,
  sum(charged_minor) AS charged_minor, sum(refunded_minor) AS refunded_minor`;

/** Sums by day and thing, some in several rows. Looks up an offer once a day, however often it sold. */
function soldIn(transfers: Sql): Sql {
  return sql`
    WITH sold AS MATERIALIZED (
      SELECT (transfer.created_at AT TIME ZONE 'UTC')::date AS day, account_id, offer_id,
        (transfer.kind = 'charge')::integer AS orders,
        CASE transfer.kind WHEN 'charge' THEN quantity_ordered ELSE 0 END AS units,
        (transfer.kind = 'refund')::integer AS refunds,
        CASE transfer.kind WHEN 'charge' THEN amount_minor ELSE 0 END AS charged_minor,
        CASE transfer.kind WHEN 'refund' THEN amount_minor ELSE 0 END AS refunded_minor
      FROM (${transfers}) AS transfer JOIN "order" ON "order".id = transfer.order_id
      WHERE transfer.kind IN ('charge', 'refund')
    ), by_offer AS MATERIALIZED (
      SELECT day, offer_id, ${SUMS} FROM sold GROUP BY 1, 2
    )
    SELECT 'account' AS dimension, day, account_id::text AS thing, ${SUMS} FROM sold GROUP BY day, account_id
    UNION ALL
    SELECT its.dimension, day, its.thing, orders, units, refunds, charged_minor, refunded_minor
    FROM by_offer
    CROSS JOIN LATERAL (SELECT product_id, seller_id FROM offer WHERE offer.id = offer_id LIMIT 1) AS offer
    JOIN product ON product.id = offer.product_id
    CROSS JOIN LATERAL (VALUES ('all', ''), ('product', product_id::text), ('seller', seller_id::text),
      ('region', coalesce(details ->> 'region', ''))) AS its (dimension, thing)`;
}

/** Needs the position's lock. Index: ledger_transfer_pkey. */
export function foldSoldThings(tx: Tx, { transferId }: SumMark): Promise<number> {
  const next = sql`SELECT * FROM next`;
  return onlyValue<{ count: number }>(tx)`
    WITH next AS MATERIALIZED (
      SELECT id, created_at, order_id, kind, amount_minor FROM ledger_transfer
      WHERE id > (SELECT transfer_id FROM sale_position) AND id <= ${transferId}::bigint
      ORDER BY id LIMIT ${FOLDED_MAX}
    ), added AS (
      INSERT INTO sale_sum (dimension, day, thing, orders, units, refunds, charged_minor, refunded_minor)
      SELECT dimension, day, thing, ${SUMS} FROM (${soldIn(next)}) AS sold GROUP BY 1, 2, 3
      ON CONFLICT ON CONSTRAINT sale_sum_pk DO UPDATE SET orders = sale_sum.orders + excluded.orders,
        units = sale_sum.units + excluded.units, refunds = sale_sum.refunds + excluded.refunds,
        charged_minor = sale_sum.charged_minor + excluded.charged_minor,
        refunded_minor = sale_sum.refunded_minor + excluded.refunded_minor
    ), moved AS (
      UPDATE sale_position SET transfer_id = (SELECT max(id) FROM next) WHERE EXISTS (SELECT FROM next)
    )
    SELECT count(*) AS count FROM next`;
}

export type SoldRow = {
  readonly key: string;
  readonly name: string | null;
  readonly orders: number;
  readonly units: number;
  readonly refunds: number;
  /** Digits, like all sums of money. */
  readonly chargedMinor: string;
  readonly refundedMinor: string;
};

export type SoldPart = {
  readonly dimension: ReportDimension | 'all';
  readonly thing: string | undefined;
  readonly fromMicros: number;
  readonly beforeMicros: number;
};

const NAMES: Readonly<Record<Exclude<ReportDimension, 'region'>, Sql>> = {
  account: sql`SELECT name FROM account WHERE id = key::uuid`,
  product: sql`SELECT name FROM product WHERE id = key::bigint`,
  seller: sql`SELECT name FROM seller WHERE id = key::uuid`,
};

/** Indexes: sale_sum_pk, sale_sum_thing_ix, ledger_transfer_pkey. */
export function loadSold(tx: Tx, part: SoldPart, by: 'day' | 'thing'): Promise<SoldRow[]> {
  const { dimension, thing, fromMicros, beforeMicros } = part;
  const [from, before] = [timestampOf(fromMicros), timestampOf(beforeMicros)];
  const isWanted = sql`dimension = ${dimension}${thing === undefined ? sql`` : sql` AND thing = ${thing}`}`;
  const fresh = sql`
    SELECT id, created_at, order_id, kind, amount_minor FROM ledger_transfer
    WHERE id > (SELECT transfer_id FROM sale_position) AND created_at >= ${from} AND created_at < ${before}`;
  const name =
    by === 'day' || dimension === 'all' || dimension === 'region'
      ? sql`NULL::text`
      : sql`(${NAMES[dimension]})`;
  return allRows<SoldRow>(tx)`
    SELECT key, ${name} AS name, orders, units, refunds, "chargedMinor", "refundedMinor"
    FROM (
      SELECT ${by === 'day' ? sql`day::text` : sql`thing`} AS key, sum(orders)::bigint AS orders,
        sum(units)::bigint AS units, sum(refunds)::bigint AS refunds, sum(charged_minor)::text AS "chargedMinor",
        sum(refunded_minor)::text AS "refundedMinor"
      FROM (
        SELECT day, thing, orders, units, refunds, charged_minor, refunded_minor FROM sale_sum
        WHERE ${isWanted} AND day >= (${from} AT TIME ZONE 'UTC')::date AND day < (${before} AT TIME ZONE 'UTC')::date
        UNION ALL
        SELECT day, thing, orders, units, refunds, charged_minor, refunded_minor FROM (${soldIn(fresh)}) AS fresh
        WHERE ${isWanted}
      ) AS part
      GROUP BY 1
    ) AS sold
    ORDER BY "chargedMinor"::numeric DESC, key`;
}
