/** A582. */
import type { ReportDimension } from '@keyport/contract/operators/summary';
import { allRows } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { currentSums } from '../sums/sums.sql.ts';

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
  readonly id: string | undefined;
  readonly fromMicros: number;
  readonly beforeMicros: number;
};

const NAMES: Readonly<Record<Exclude<ReportDimension, 'region'>, Sql>> = {
  account: sql`SELECT name FROM account WHERE id = key::uuid`,
  product: sql`SELECT name FROM product WHERE id = key::bigint`,
  seller: sql`SELECT name FROM seller WHERE id = key::uuid`,
};

export function loadSold(tx: Tx, part: SoldPart, by: 'day' | 'id'): Promise<SoldRow[]> {
  const { dimension, id, ...range } = part;
  const sums = currentSums(dimension === 'all' ? 'sale' : `${dimension}-sale`, {
    keys: id === undefined ? undefined : [id],
    ...range,
  });
  const name =
    by === 'day' || dimension === 'all' || dimension === 'region'
      ? sql`NULL::text`
      : sql`(${NAMES[dimension]})`;
  const [charged, refunded] = [sql`FILTER (WHERE label = 'charge')`, sql`FILTER (WHERE label = 'refund')`];
  return allRows<SoldRow>(tx)`
    SELECT key, ${name} AS name, orders, units, refunds, "chargedMinor", "refundedMinor"
    FROM (
      SELECT ${by === 'day' ? sql`(bucket AT TIME ZONE 'UTC')::date::text` : sql`key`} AS key,
        coalesce(sum(count) ${charged}, 0)::bigint AS orders, coalesce(sum(units) ${charged}, 0)::bigint AS units,
        coalesce(sum(count) ${refunded}, 0)::bigint AS refunds,
        coalesce(sum(amount_minor) ${charged}, 0)::text AS "chargedMinor",
        coalesce(sum(amount_minor) ${refunded}, 0)::text AS "refundedMinor"
      FROM (${sums}) AS part GROUP BY 1
    ) AS sold
    ORDER BY "chargedMinor"::numeric DESC, key`;
}
