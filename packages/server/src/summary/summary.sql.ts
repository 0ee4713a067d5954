/** Sums by hour or day. All statements of a summary run in one snapshot. A360. */
import { allRows } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros, toTimestamp } from '../db/timestamps.ts';
import type { SumRange } from '../ledger/reports/sum-range.ts';
import { currentSums, type SumKind } from '../sums/sums.sql.ts';

export type SumRow = {
  readonly bucketMicros: number;
  readonly label: string;
  readonly count: number;
  readonly units: number;
  /** EUR cents as digits: may be too large for a number. */
  readonly amountMinor: string;
};

function toBucket({ bucket }: SumRange, moment: string): Sql {
  return deriveMicros(`date_trunc('${bucket}', ${moment}, 'UTC')`);
}

export function loadSums(tx: Tx, kind: SumKind, range: SumRange): Promise<SumRow[]> {
  return allRows<SumRow>(tx)`
    SELECT ${toBucket(range, 'bucket')} AS "bucketMicros", label, sum(count)::bigint AS count, sum(units)::bigint AS units,
      sum(amount_minor)::text AS "amountMinor"
    FROM (${currentSums(kind, range)}) AS part GROUP BY 1, 2`;
}

const createdIn = ({ fromMicros, beforeMicros }: SumRange) =>
  sql`created_at >= ${toTimestamp(fromMicros)} AND created_at < ${toTimestamp(beforeMicros)}`;

export type HeldRow = Pick<SumRow, 'bucketMicros' | 'amountMinor'>;

/** Total prices in EUR. Few orders are held. Index: order_status_ix. */
export function loadHeldAmounts(tx: Tx, range: SumRange): Promise<HeldRow[]> {
  return allRows<HeldRow>(tx)`
    SELECT ${toBucket(range, 'created_at')} AS "bucketMicros", sum(total_price_minor)::text AS "amountMinor"
    FROM "order" WHERE status = 'held' AND currency = 'EUR' AND decimals = 2 AND ${createdIn(range)} GROUP BY 1`;
}

export type RefundedRow = Pick<SumRow, 'bucketMicros' | 'units'>;

/** Few orders are refunded. Index: order_refunded_ix. */
export function loadRefundedUnits(tx: Tx, range: SumRange): Promise<RefundedRow[]> {
  return allRows<RefundedRow>(tx)`
    SELECT ${toBucket(range, 'created_at')} AS "bucketMicros", sum(quantity_refunded)::bigint AS units
    FROM "order" WHERE quantity_refunded > 0 AND ${createdIn(range)} GROUP BY 1`;
}
