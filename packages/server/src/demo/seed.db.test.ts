import { equal, ok } from 'node:assert/strict';
import { Client } from 'pg';
import { test } from 'vitest';
import { testDatabaseSettings } from '../../test/support/database.ts';
import { startHarness } from '../../test/support/harness.ts';
import { skipBecause } from '../../test/support/vitest.ts';

test('events from before the demo was seeded do not count as missing', async (t) => {
  const settings = await testDatabaseSettings(t);
  skipBecause(
    t,
    settings.url === undefined && 'an embedded database cannot be open before the service starts',
  );
  const client = new Client({ connectionString: settings.url });
  await client.connect();
  const { rowCount } = await client.query(
    "UPDATE stream_position SET position = 0 WHERE stream = 'forgotten-event'",
  );
  await client.end();
  equal(rowCount, 1);
  // When the test ends, every invariant holds.
  const h = await startHarness(t, { KEYPORT_DEMO: 'true' }, settings);
  equal((await h.operate('GET', '/orders?status=held')).length, 2);
});

test('the demo reseller is older than its orders, and refunds have the time of their order', async (t) => {
  const h = await startHarness(t, { KEYPORT_DEMO: 'true' });
  const [account] = await h.operate('GET', '/accounts');
  const orders = await h.operate('GET', '/orders?limit=100&sort=ASC');
  ok(account.createdAt < orders[0].createdAt, `${account.createdAt}, ${orders[0].createdAt}`);
  let refunded = 0;
  for (const { id, imported, createdAt } of orders) {
    const keys = imported ? [] : await h.operate('GET', `/orders/${id}/keys`);
    for (const { refundedAt } of keys.filter(
      (key: { refundedAt: string | null }) => key.refundedAt !== null,
    )) {
      equal(refundedAt, createdAt);
      refunded += 1;
    }
  }
  ok(refunded > 0);
});
