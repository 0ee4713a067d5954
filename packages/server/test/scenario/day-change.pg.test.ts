/**
 * A batch that began before the day or the hour changed and then waited for the account, while one that began later went
 * first: what that one counted must stay. The database's clock cannot be turned, so the row is put as the later batch
 * leaves it.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { manual, startHarness } from '../support/harness.ts';

const h = await startHarness({ after });

test('an order of yesterday takes nothing from what was counted today, nor one of the last hour from this one', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '10.00' });
  assert.equal((await reseller.order(manual(offerId))).status, 201);
  const { kysely } = h.database;
  const ofAccount = sql`WHERE id = ${reseller.accountId}::uuid`;
  const move = (days: 1 | -1) =>
    sql`UPDATE account SET spend_day = spend_day + ${days}::integer,
      order_hour = order_hour + ${days}::integer * interval '1 day' ${ofAccount}`.execute(kysely);
  const read = () =>
    sql<Record<string, unknown>>`SELECT spend_day, day_spend_minor, day_units, order_hour, hour_orders
      FROM account ${ofAccount}`
      .execute(kysely)
      .then(({ rows }) => rows[0]);
  await move(1);
  const counted = await read();
  assert.equal((await reseller.order(manual(offerId, { quantity: 2 }))).status, 201);
  assert.deepEqual(await read(), counted);
  // As it was, so that the invariants hold when the test ends.
  await move(-1);
  await sql`UPDATE account SET day_spend_minor = 3000, day_units = 3 ${ofAccount}`.execute(kysely);
});
