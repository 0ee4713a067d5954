/**
 * A node whose clock is wrong: here the database's is moved, so this machine's is off by as much. It signs with the database's time, is
 * not ready, logs it and measures it. A514.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type TestContext, test } from 'vitest';
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts';
import { migrateToLatest } from '../../src/db/migrate.ts';
import { setClock } from '../support/clock.ts';
import { onEnd, testDatabaseSettings } from '../support/database.ts';
import { auto, startHarness } from '../support/harness.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const AHEAD_SECONDS = 600;

test('a node with a wrong clock signs with the database’s time and is not ready', async (t) => {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  const settings = await movedDatabase(t);
  const h = await startHarness(t, { KEYPORT_METRICS_PORT: '0' }, settings, log);
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 3 });
  const receiver = await startReceiver(t);
  const endpoint = { url: receiver.url, types: ['order.complete'] };
  const { token } = reseller;
  const created = await h.call('POST', '/export/v1/webhook-endpoints', { token, body: endpoint });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const isReady = async () => (await fetch(`${h.url}/health/ready`)).status === 200;
  const secondsAhead = (seconds: unknown) => Math.round((Number(seconds) - Date.now() / 1000) / 60) * 60;

  assert.equal(await isReady(), false);
  const issued = await h.tokenFor(reseller.clientId, reseller.clientSecret);
  const claims = JSON.parse(Buffer.from(issued.split('.')[1] ?? '', 'base64url').toString());
  assert.equal(secondsAhead(claims.iat), AHEAD_SECONDS);
  assert.equal((await h.call('GET', '/export/v1/account', { token: issued })).status, 200);
  assert.equal((await reseller.order(auto(productId))).status, 201);
  const delivery = await receiver.waitFor(({ event }) => event.type === 'order.complete', 'the delivery');
  assert.equal(secondsAhead(delivery.headers['webhook-timestamp']), AHEAD_SECONDS);
  const metrics = await (await fetch(h.service.metricsUrl ?? '')).text();
  assert.match(metrics, /^keyport_clock_skew_seconds -(599|600)/m);
  assert.match(logged.join(''), /this machine's clock is 600 s behind the database's/);
});

/** Moved before a node looks: that is no step of the database's clock. */
async function movedDatabase(t: TestContext): Promise<DatabaseOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-clock-'));
  onEnd(t, () => rm(folder, { recursive: true }));
  const settings = { ...(await testDatabaseSettings(t)), dataDir: folder };
  const database = await openDatabase(settings);
  try {
    await migrateToLatest(database);
    await setClock(database, `${AHEAD_SECONDS} seconds`);
  } finally {
    await database.close();
  }
  return settings;
}
