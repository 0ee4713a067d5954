/** If a limit is null, the installation's limit applies. A525. */
import { allRows, execute } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';

export type RateLimits = {
  readonly readsPerSecondMax: number | null;
  readonly ordersPerSecondMax: number | null;
};

export async function findRateLimits(db: Db, accountId: string): Promise<RateLimits> {
  const rows = await allRows<RateLimits>(db)`
    SELECT sandbox_reads_max AS "readsPerSecondMax", sandbox_orders_max AS "ordersPerSecondMax"
    FROM account WHERE id = ${accountId}::uuid`;
  return rows[0] ?? { readsPerSecondMax: null, ordersPerSecondMax: null };
}

export async function updateRateLimits(tx: Tx, accountId: string, limits: RateLimits): Promise<void> {
  await execute(tx)`
    UPDATE account SET sandbox_reads_max = ${limits.readsPerSecondMax}, sandbox_orders_max = ${limits.ordersPerSecondMax}
    WHERE id = ${accountId}::uuid`;
}
