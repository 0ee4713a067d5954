import { foldedAdds, REJECTION_CODE, type StreamName } from '../../sums/sums.sql.ts';
import type { Invariant } from '../invariant.ts';

/** Rejections are deleted after a while, and changes after minutes. */
const KEPT: readonly StreamName[] = ['order', 'status', 'transfer'];

/** A product may change its region after its sales were added to the sums. */
const sums = (rows: string) => `
  SELECT kind, CASE kind WHEN 'region-sale' THEN '' ELSE key END AS key, bucket, label, sum(count) AS count,
    sum(units) AS units, sum(amount_minor) AS amount_minor
  FROM (${rows}) AS part GROUP BY 1, 2, 3, 4
  HAVING (sum(count), sum(units), sum(amount_minor)) <> (0, 0, 0)`;

export const SUM_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I95',
    title: 'the sums are those of all orders, status changes and transfers up to their positions',
    population: `bucket_sum WHERE kind NOT IN ('rejection', 'stock-out')`,
    query: `WITH added AS (${sums(foldedAdds(KEPT).text)}), summed AS (
        ${sums(`SELECT * FROM bucket_sum WHERE kind NOT IN ('rejection', 'stock-out')`)}
      )
      SELECT concat_ws(' ', kind, nullif(key, ''), bucket, nullif(label, '')) || ': ' || coalesce(summed.count, 0)
        || ' instead of ' || coalesce(added.count, 0) AS broken
      FROM added FULL JOIN summed USING (kind, key, bucket, label)
      WHERE (added.count, added.units, added.amount_minor)
        IS DISTINCT FROM (summed.count, summed.units, summed.amount_minor)`,
  },
  {
    id: 'I97',
    title: 'every rejection up to the position of the sums is in them, even after it is deleted',
    population: `bucket_sum WHERE kind = 'rejection'`,
    query: `SELECT code || ': ' || coalesce(summed, 0) || ' instead of ' || stored || ' or more' AS broken
      FROM (
        SELECT ${REJECTION_CODE} AS code, count(*) AS stored FROM rejected_order
        WHERE number <= (SELECT position FROM stream_position WHERE stream = 'rejection') GROUP BY 1
      ) AS kept
      LEFT JOIN (
        SELECT label AS code, sum(count) AS summed FROM bucket_sum WHERE kind = 'rejection' GROUP BY 1
      ) AS summed USING (code)
      WHERE stored > coalesce(summed, 0)`,
  },
];
