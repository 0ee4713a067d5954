import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import type { Invariant } from '../invariant.ts';

const ALL_ACCOUNTS = `'00000000-0000-0000-0000-000000000000'`;

const each = (text: (status: string) => string) => ORDER_STATUSES.map(text).join(', ');

const wrongBuckets = (histories: string, itsOrders: string) => `
  SELECT 'bucket of history ' || history || ' from ' || begins_at AS broken
  FROM (SELECT *, lead(begins_at, 1, 'infinity') OVER oldest_first AS ends_at,
      lead(begins_with, 1, 0::bigint) OVER oldest_first AS ends_with
    FROM history_bucket WINDOW oldest_first AS (PARTITION BY history ORDER BY begins_at, begins_with)) AS bucket
  CROSS JOIN history_horizon
  CROSS JOIN LATERAL (SELECT ${each((status) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`)}
    FROM "order" WHERE ${itsOrders} AND (created_at, "order".id) >= (begins_at, begins_with)
      AND (created_at, "order".id) < (ends_at, ends_with) AND created_at <= counted_until) AS counted
  WHERE ${histories} AND (${each((status) => `bucket.${status}`)}) <> (${each((status) => `counted.${status}`)})`;

export const HISTORY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I60',
    title: 'the buckets of a history count its orders up to the horizon, each once',
    population: 'history_bucket',
    query: `${wrongBuckets(`history <> ${ALL_ACCOUNTS}`, 'account_id = bucket.history')}
      UNION ALL ${wrongBuckets(`history = ${ALL_ACCOUNTS}`, 'true')}
      UNION ALL
      SELECT 'history ' || history.id || ' has orders before its first bucket'
      FROM (SELECT id, id AS account_id FROM account UNION ALL SELECT ${ALL_ACCOUNTS}, NULL) AS history
      CROSS JOIN history_horizon
      WHERE NOT EXISTS (SELECT FROM history_bucket
          WHERE history_bucket.history = history.id AND begins_at = '-infinity' AND begins_with = 0)
        AND CASE WHEN history.account_id IS NULL
          THEN EXISTS (SELECT FROM "order" WHERE created_at <= counted_until)
          ELSE EXISTS (SELECT FROM "order" WHERE "order".account_id = history.account_id
            AND created_at <= counted_until) END`,
  },
];
