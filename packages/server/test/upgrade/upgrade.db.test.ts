/**
 * Every version upgrades the data of the one before it (A510). `version-0.2.0.sql` is pg_dump's output for a
 * shop that version 0.2.0 served; `version-0.2.0.json` has the responses that its callers got.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { type DatabaseOptions, openDatabase } from '../../src/db/engines/database.ts';
import { pendingMigrations } from '../../src/db/migrations/migrate.ts';
import { onEnd, testDatabaseSettings, testEngine } from '../support/database.ts';
import { auto, startHarness } from '../support/harness.ts';
import facts from './version-0.2.0.json' with { type: 'json' };

const CONSOLE_PASSWORD = 'correct horse battery';

test('a database of version 0.2.0 is upgraded, keeps its data and serves its callers', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-upgrade-'));
  onEnd(t, () => rm(folder, { recursive: true }));
  const masterKeyFile = join(folder, 'master-key');
  await writeFile(masterKeyFile, Buffer.alloc(32).toString('base64'), { mode: 0o600 });
  const settings = await restore(t, folder, 'version-0.2.0.sql');
  const h = await startHarness(
    t,
    { KEYPORT_MASTER_KEY_FILE: masterKeyFile, KEYPORT_KEYS_WINDOW_HOURS: '1000000' },
    settings,
  );
  deepEqual(await pendingMigrations(h.database), []);

  const token = await h.tokenFor(facts.clientId, facts.clientSecret);
  const place = (key: string) =>
    h.call('POST', '/export/v1/orders', {
      token,
      body: { items: [auto(facts.productId)] },
      headers: { 'idempotency-key': key },
    });
  const replay = await place(facts.key);
  equal(replay.status, 200);
  deepEqual(replay.body.data, facts.order);
  const keys = await h.call('GET', `/export/v1/orders/${facts.order.id}/keys`, { token });
  deepEqual(keys.body.data, facts.keys);
  equal((await place(randomUUID())).status, 201);

  const signIn = await h.call('POST', '/console/session/password', {
    body: { email: facts.email, password: CONSOLE_PASSWORD },
    headers: { origin: new URL(h.url).origin },
  });
  equal(signIn.status, 200);
  const { data: approvals } = (await h.admin('GET', '/approvals')).body;
  deepEqual(approvals.length, 3);
});

/** Restores the data without upgrading it. */
async function restore(t: TestContext, folder: string, file: string): Promise<DatabaseOptions> {
  const settings: DatabaseOptions =
    testEngine === 'embedded'
      ? { url: undefined, dataDir: join(folder, 'data') }
      : { ...(await testDatabaseSettings(t)) };
  const database = await openDatabase(settings);
  try {
    await database.withOwnSession(async (session) => {
      await session.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await session.query(await readFile(new URL(file, import.meta.url), 'utf8'));
    });
  } finally {
    await database.close();
  }
  return settings;
}
