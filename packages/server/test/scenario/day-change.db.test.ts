/**
 * A batch that began before midnight may wait for the account while a later batch goes first. The test writes
 * the row as the later batch leaves it.
 */
import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { manual, startHarness } from '../support/harness.ts';
import { wholeFile } from '../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_GATEWAY_TIMEOUT_MS: '20' });

test('a late order of yesterday counts in today’s limits, and its cancellation reduces them', async () => {
  const reseller = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_timeout' },
  });
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const { db } = h.database;
  const read = () =>
    sql<Record<string, unknown>>`SELECT spend_day - created_at::date AS days, day_spend_minor, day_units,
        order_hour > created_at AS is_later, hour_orders
      FROM account WHERE id = ${reseller.accountId}::uuid`
      .execute(db)
      .then(({ rows }) => Object.values(rows[0] ?? {}));
  await sql`UPDATE account SET spend_day = created_at::date + 1,
      order_hour = date_trunc('hour', created_at) + interval '1 hour', hour_orders = 7
    WHERE id = ${reseller.accountId}::uuid`.execute(db);
  const { body } = await reseller.order(manual(offerId, { quantity: 2 }));
  deepEqual(await read(), [1, 2000, 2, true, 8]);
  await h.operate('POST', `/orders/${body.error.data.orderId}/cancel`, { reason: 'test' });
  deepEqual(await read(), [1, 0, 0, true, 8]);
});
