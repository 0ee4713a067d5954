import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict';
import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { type TestContext, test } from 'vitest';
import { loadCatalogueClock } from '../../src/catalogue/catalogue-clock.sql.ts';
import type { DatabaseOptions } from '../../src/db/engines/database.ts';
import { type RunningService, startService } from '../../src/service.ts';
import { connectTo, onEnd, testDatabaseSettings, testEngine } from '../support/database.ts';
import { testConfig } from '../support/harness.ts';
import { freePort } from '../support/postgres.ts';
import { skipBecause } from '../support/vitest.ts';

const OPERATOR = { client_id: 'first-operator', client_secret: 'the-first-operator-s-secret' };
const DEMO = { client_id: 'demo-reseller', client_secret: 'the-demo-reseller-s-secret' };

test('as soon as a first start is ready, the operator and the demo reseller get tokens', async (t) => {
  const { url, started } = await startFirst(t, await testDatabaseSettings(t));
  let isStarted = false;
  void started.then(() => {
    isStarted = true;
  });
  let status = await toStatus(`${url}/health/ready`);
  while (status !== 200) {
    const mustBeReady = isStarted;
    await nextTurn();
    status = await toStatus(`${url}/health/ready`);
    if (mustBeReady) equal(status, 200);
  }
  deepEqual([await tokenStatus(url, OPERATOR), await tokenStatus(url, DEMO)], [200, 200]);
});

test('installations that began as copies of one empty database have different epochs', async (t) => {
  const epochs = await Promise.all(
    [1, 2].map(async () => {
      const { started } = await startFirst(t, await testDatabaseSettings(t), { KEYPORT_DEMO: 'false' });
      return (await loadCatalogueClock((await started).database.db)).epoch;
    }),
  );
  notEqual(epochs[0], epochs[1]);
});

test('a node is not ready while another node creates the operator', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded database has one node');
  const database = await testDatabaseSettings(t);
  const other = await connectTo(t, database.url ?? '');
  await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('keyport/bootstrap'))`);
  const { url, started } = await startFirst(t, database, { KEYPORT_DEMO: 'false' });
  const waiting = `SELECT count(*)::int AS count FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  while ((await other.query(waiting)).rows[0].count === 0) await nextTurn();
  notEqual(await toStatus(`${url}/health/ready`), 200);
  await other.query('COMMIT');
  await started;
  equal(await toStatus(`${url}/health/ready`), 200);
  equal(await tokenStatus(url, OPERATOR), 200);
});

test('a failed start creates no operator, because its secret would never be shown', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded database is gone after the start');
  const database = await testDatabaseSettings(t);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onEnd(t, async () => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const config = testConfig({ KEYPORT_PORT: port, KEYPORT_OPERATOR_ID: 'first-operator' });
  await rejects(startService(config, { database, log: pino({ level: 'silent' }) }), /EADDRINUSE/);
  const client = await connectTo(t, database.url ?? '');
  equal((await client.query('SELECT count(*)::int AS count FROM client')).rows[0].count, 0);
});

async function startFirst(t: TestContext, database: DatabaseOptions, settings: Record<string, string> = {}) {
  const port = String(await freePort());
  const config = testConfig({
    KEYPORT_PORT: port,
    KEYPORT_DEMO: 'true',
    KEYPORT_OPERATOR_ID: OPERATOR.client_id,
    KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
    KEYPORT_DEMO_CLIENT_ID: DEMO.client_id,
    KEYPORT_DEMO_CLIENT_SECRET: DEMO.client_secret,
    ...settings,
  });
  const started: Promise<RunningService> = startService(config, { database, log: pino({ level: 'silent' }) });
  onEnd(t, async () => (await started).close());
  return { url: `http://127.0.0.1:${port}`, started };
}

async function toStatus(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

async function tokenStatus(url: string, client: typeof OPERATOR): Promise<number> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
  await response.arrayBuffer();
  return response.status;
}
