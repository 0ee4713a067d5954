/** If a limit is null, the installation's limit applies. A525. */
import { allRows, execute } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';

export type RateLimits = {
  readonly readsPerSecondMax: number | null;
  readonly ordersPerSecondMax: number | null;
};

export async function findRateLimits(db: Db, accountId: string): Promise<RateLimits> {
  const rows = await allRows<RateLimits>(db)`
    SELECT reads AS "readsPerSecondMax", orders AS "ordersPerSecondMax"
    FROM sandbox_rate_limit WHERE account_id = ${accountId}::uuid`;
  return rows[0] ?? { readsPerSecondMax: null, ordersPerSecondMax: null };
}

export async function upsertRateLimits(tx: Tx, accountId: string, limits: RateLimits): Promise<void> {
  await execute(tx)`
    INSERT INTO sandbox_rate_limit (account_id, reads, orders)
    VALUES (${accountId}::uuid, ${limits.readsPerSecondMax}, ${limits.ordersPerSecondMax})
    ON CONFLICT (account_id) DO UPDATE SET reads = excluded.reads, orders = excluded.orders`;
}
