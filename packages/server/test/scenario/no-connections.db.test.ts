/** A512. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { connectTo, onEnd, testDatabaseSettings, testEngine } from '../support/database.ts';
import { openDatabaseLink } from '../support/database-link.ts';
import { auto, type Harness, startHarness } from '../support/harness.ts';
import { skipBecause } from '../support/vitest.ts';

/** Long enough for the preparation on a busy machine. */
const connectionWaitMaxMs = 5_000;

const skip = testEngine === 'embedded' && 'the embedded engine has one session';

test('callers get 503 while others use all connections, and are served as soon as one is free', async (t) => {
  skipBecause(t, skip);
  const { url: adminUrl = '' } = await testDatabaseSettings(t);
  const admin = await connectTo(t, adminUrl);
  const name = `keyport_shop_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'test'`);
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`);
  onEnd(t, async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${name}`);
  });
  const url = new URL(adminUrl);
  Object.assign(url, { username: name, password: 'test', pathname: `/${name}` });
  const h = await startHarness(t, {}, { url: url.href, dataDir: 'memory', connectionWaitMaxMs });
  const callAll = await buyerOf(h);

  // Connections fail with SQLSTATE 53300, as if others used them all.
  await admin.query(`ALTER ROLE ${name} CONNECTION LIMIT 0`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [name]);

  deepEqual(await callAll(), [503, 503, 503]);
  await admin.query(`ALTER ROLE ${name} CONNECTION LIMIT -1`);
  deepEqual(await callAll(), [201, 200, 200]);
});

test('a caller waits for one connection to a silent server, not for three in succession', async (t) => {
  skipBecause(t, skip);
  const { url = '' } = await testDatabaseSettings(t);
  const link = await openDatabaseLink(t, url);
  const h = await startHarness(t, {}, { url: link.url, dataDir: 'memory', connectionWaitMaxMs });
  const callAll = await buyerOf(h);
  link.down();
  link.silence();
  // The open connections turn out to be dead and are replaced once.
  await callAll();
  const { transactionsRetried } = h.database.counts;

  deepEqual(await callAll(), [503, 503, 503]);
  equal(h.database.counts.transactionsRetried, transactionsRetried);
  link.restore();
  deepEqual(await callAll(), [201, 200, 200]);
});

async function buyerOf(h: Harness): Promise<() => Promise<number[]>> {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 30 });
  const { clientId: client_id, clientSecret: client_secret } = reseller;
  const token = { grant_type: 'client_credentials', client_id, client_secret };
  return async () => {
    const responses = await Promise.all([
      reseller.order(auto(productId)),
      reseller.get('/orders'),
      h.call('POST', '/oauth/token', { body: token }),
    ]);
    for (const { status, headers } of responses)
      if (status === 503) match(headers.get('retry-after') ?? '', /^[1-9]/);
    return responses.map(({ status }) => status);
  };
}
