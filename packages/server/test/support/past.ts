/** Lets days pass for one account without leaving impossible data. */
import { sql } from '../../src/db/sql.ts';
import type { Harness } from './harness.ts';

export async function advanceDays(h: Harness, accountId: string, days: number): Promise<void> {
  const { db } = h.database;
  const passed = sql`${days}::integer * interval '1 day'`;
  const isOfAccount = sql`account_id = ${accountId}::uuid`;
  await sql`UPDATE "order" SET created_at = created_at - ${passed}, completed_at = completed_at - ${passed},
      spend_day = spend_day - ${days}::integer
    WHERE ${isOfAccount}`.execute(db);
  await sql`UPDATE gateway_payment SET answered_at = answered_at - ${passed}
    WHERE order_id IN (SELECT id FROM "order" WHERE ${isOfAccount})`.execute(db);
  await sql`UPDATE rejected_order SET rejected_at = rejected_at - ${passed} WHERE ${isOfAccount}`.execute(db);
  await sql`UPDATE account SET spend_day = spend_day - ${days}::integer WHERE id = ${accountId}::uuid`.execute(
    db,
  );
}
