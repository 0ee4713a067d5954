/** Lets days pass for one account without leaving impossible data. */
import { type Sql, sql } from '../../src/db/sql.ts';
import { runTransaction } from '../../src/db/transaction.ts';
import { movingOrders } from '../../src/sums/sums.sql.ts';
import type { Harness } from './harness.ts';

/** Moves the orders that match `condition`, and their shares of the sums. `change`: the columns to set. */
export async function moveOrders(h: Harness, condition: Sql, change: Sql): Promise<void> {
  await runTransaction(h.database, {}, (tx) =>
    movingOrders(tx, sql`SELECT moved.id FROM "order" AS moved WHERE ${condition}`, () =>
      sql`UPDATE "order" SET ${change} WHERE ${condition}`.execute(tx),
    ),
  );
}

export async function advanceDays(h: Harness, accountId: string, days: number): Promise<void> {
  const { db } = h.database;
  const passed = sql`${days}::integer * interval '1 day'`;
  const isOfAccount = sql`account_id = ${accountId}::uuid`;
  await moveOrders(
    h,
    isOfAccount,
    sql`created_at = created_at - ${passed}, completed_at = completed_at - ${passed},
      spend_day = spend_day - ${days}::integer`,
  );
  await sql`UPDATE gateway_payment SET answered_at = answered_at - ${passed}
    WHERE order_id IN (SELECT id FROM "order" WHERE ${isOfAccount})`.execute(db);
  await sql`UPDATE rejected_order SET rejected_at = rejected_at - ${passed} WHERE ${isOfAccount}`.execute(db);
  await sql`UPDATE account SET spend_day = spend_day - ${days}::integer WHERE id = ${accountId}::uuid`.execute(
    db,
  );
}
