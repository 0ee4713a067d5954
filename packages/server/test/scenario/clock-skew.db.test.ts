/** The tests move the database's clock, not the node's. A221. */
import { equal, match } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type TestContext, test } from 'vitest';
import { type DatabaseOptions, openDatabase } from '../../src/db/engines/database.ts';
import { migrateToLatest } from '../../src/db/migrations/migrate.ts';
import { setClock } from '../support/clock.ts';
import { onEnd, testDatabaseSettings } from '../support/database.ts';
import { auto, startHarness } from '../support/harness.ts';
import { startReceiver, waitUntil } from '../support/webhook-receiver.ts';

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
  equal(created.status, 201, JSON.stringify(created.body));
  const isReady = async () => (await fetch(`${h.url}/health/ready`)).status === 200;
  const secondsAhead = (seconds: unknown) => 0 + Math.round((Number(seconds) - Date.now() / 1000) / 60) * 60;
  const timestampAfterOrder = async () => {
    const { status, body } = await reseller.order(auto(productId));
    equal(status, 201);
    const delivery = await receiver.waitFor(
      ({ event }) => event.data.order?.id === body.data.id,
      'the delivery',
    );
    return secondsAhead(delivery.headers['webhook-timestamp']);
  };

  equal(await isReady(), false);
  const issued = await h.tokenFor(reseller.clientId, reseller.clientSecret);
  equal(secondsAhead(toClaims(issued).iat), AHEAD_SECONDS);
  equal((await h.call('GET', '/export/v1/account', { token: issued })).status, 200);
  equal(await timestampAfterOrder(), AHEAD_SECONDS);
  const metrics = await (await fetch(h.service.metricsUrl ?? '')).text();
  match(metrics, /^keyport_clock_skew_seconds -(599|600)/m);
  match(logged.join(''), /this machine's clock is 600 s behind the database's/);

  await setClock(h.database, '0');
  await waitUntil(isReady, 'a node whose clock is right again');
  match(logged.join(''), /this machine's clock is correct again/);
  equal(await timestampAfterOrder(), 0);
  equal((await h.call('GET', '/export/v1/account', { token: issued })).status, 200);
  // Invariants are checked at the end, when every row must be in the past.
  await setClock(h.database, `${AHEAD_SECONDS} seconds`);
});

function toClaims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** Moves the clock before a node reads it, so no node sees a step. */
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
