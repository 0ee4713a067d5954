/** Covers sequences behind their tables, used-up transaction ids, an old snapshot and a failing archive. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { DatabaseWatch } from '../../src/db/engines/database-watch.ts';
import { UnfitServerError } from '../../src/db/engines/session-settings.ts';
import { migrateToLatest } from '../../src/db/migrations/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { NUMBERED_TABLES } from '../../src/sequences.sql.ts';
import { startService } from '../../src/service.ts';
import { connectTo, onEnd, testDatabase, testDatabaseSettings, testEngine } from '../support/database.ts';
import { auto, startHarness, testConfig } from '../support/harness.ts';
import { startPostgres, UNPRIVILEGED_USER_ID } from '../support/postgres.ts';
import { skipBecause } from '../support/vitest.ts';

const skip = testEngine === 'embedded' && 'the embedded engine has one session and no archive';
/** The npm package of PostgreSQL has no pg_resetwal. */
const PROGRAMS = process.env['KEYPORT_TEST_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';
const noTools =
  skip || (!existsSync(join(PROGRAMS, 'pg_resetwal')) && "PostgreSQL's own tools are not installed");

test('sequences that fell behind cause 503 and not 500, and are repaired by the next check', async (t) => {
  const h = await startHarness(t);
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 3 });
  equal((await reseller.order(auto(productId))).status, 201);
  for (const { sequence } of NUMBERED_TABLES) {
    await sql`SELECT setval(${sql.constant(sequence)}, 1, false)`.execute(h.database.db);
  }

  const refused = await reseller.order(auto(productId));
  await h.service.watchDatabase();

  equal(refused.status, 503, JSON.stringify(refused.body));
  match(refused.headers.get('retry-after') ?? '', /^[1-9]/);
  const statuses = [];
  for (let index = 0; index < 2; index += 1) statuses.push((await reseller.order(auto(productId))).status);
  deepEqual(statuses, [201, 201]);
});

const NO_SPACE = { 53100: 'No space left on device', 53200: 'out of memory', 58030: 'could not write block' };

test.for(Object.entries(NO_SPACE))(
  'SQLSTATE %s (%s) causes 503, and the node is not ready until there is space',
  async ([code, message], t) => {
    const h = await startHarness(t);
    const isReady = async () => (await fetch(`${h.url}/health/ready`)).status === 200;
    const reseller = await h.seed.reseller({ balance: '100.00' });
    const { productId } = await h.seed.listing({ stock: 3 });
    const run = (statement: string) => sql.raw(statement).execute(h.database.db);
    await run(`CREATE FUNCTION refuse_space() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = '${message}'; END $$`);
    await run(
      'CREATE TRIGGER full_disk BEFORE INSERT ON "order" FOR EACH ROW EXECUTE FUNCTION refuse_space()',
    );
    equal(await isReady(), true);

    const key = randomUUID();
    const rejected = await reseller.order(auto(productId), key);
    const wasReady = await isReady();
    await run('DROP TRIGGER full_disk ON "order"');
    await h.service.watchDatabase();

    deepEqual([rejected.status, rejected.body.error.code], [503, 'service-unavailable']);
    match(rejected.headers.get('retry-after') ?? '', /^[1-9]/);
    equal(wasReady, false);
    equal(await isReady(), true);
    equal((await reseller.order(auto(productId), key)).status, 201);
  },
);

test('sequences that fell behind are repaired at the start', async (t) => {
  skipBecause(t, skip);
  const settings = await testDatabaseSettings(t);
  const admin = await connectTo(t, settings.url ?? '');
  await admin.query('ALTER SEQUENCE ledger_account_id_seq RESTART WITH 1');

  const h = await startHarness(t, {}, settings);

  await h.seed.reseller({ balance: '1.00' });
});

test('every sequence except that of order ids is checked', async (t) => {
  const database = await testDatabase(t);
  const { rows } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relkind = 'S' ORDER BY 1`.execute(database.db);
  deepEqual(
    rows.map(({ name }) => name).toSorted(),
    NUMBERED_TABLES.map(({ sequence }) => sequence).toSorted(),
  );
});

test('if transaction ids are used up, orders get 503, the node is not ready, and a start fails with instructions', async (t) => {
  skipBecause(t, noTools);
  const server = await startPostgres({ durable: false, programs: PROGRAMS, settings: { autovacuum: 'off' } });
  onEnd(t, () => server.stop());
  const database = { url: server.url, dataDir: 'memory' };
  const setup = await openDatabase(database);
  await migrateToLatest(setup);
  await sql`CREATE TABLE unreadable ()`.execute(setup.db);
  const { rows } = await sql<{ path: string }>`SELECT pg_relation_filepath('unreadable') AS path`.execute(
    setup.db,
  );
  const unreadable = join(server.dataFolder, rows[0]?.path ?? '');
  await setup.close();
  await server.end('SIGINT');
  await setNextTransactionId(server.dataFolder, 2_144_483_900);
  // The server's own emergency vacuum, which begins immediately, fails on this table.
  await chmod(unreadable, 0);
  await server.start();
  const admin = await connectTo(t, server.url);

  const h = await startHarness(t, {}, database);
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId } = await h.seed.listing({ stock: 5 });
  equal((await reseller.order(auto(productId))).status, 201);
  for (;;) {
    const failed: { routine?: string } | undefined = await admin.query('SELECT pg_current_xact_id()').then(
      () => undefined,
      (error) => error,
    );
    if (failed === undefined) continue;
    equal(failed.routine, 'GetNewTransactionId');
    break;
  }
  const refused = await reseller.order(auto(productId));
  await h.service.watchDatabase();
  const ready = await fetch(`${h.url}/health/ready`);

  equal(refused.status, 503, JSON.stringify(refused.body));
  match(refused.headers.get('retry-after') ?? '', /^[1-9]/);
  equal(ready.status, 503);
  match(await ready.text(), /"database":false/);
  await rejects(
    startService(testConfig({}), { database, log: pino({ level: 'silent' }) }),
    (error) => error instanceof UnfitServerError && /vacuumdb --all/.test(error.message),
  );

  await chmod(unreadable, 0o600);
  for (const { datname } of (await admin.query('SELECT datname FROM pg_database WHERE datallowconn')).rows) {
    const its = await connectTo(t, server.url.replace(/[^/]*$/, datname));
    await its.query('VACUUM (TRUNCATE false)');
  }
  // template0 accepts no connections, so only the server's own worker vacuums it, triggered by each VACUUM.
  while ((await reseller.order(auto(productId))).status !== 201) {
    await admin.query('VACUUM (TRUNCATE false) unreadable');
  }
  await h.service.watchDatabase();
  equal((await fetch(`${h.url}/health/ready`)).status, 200);
});

test('the log names the session that holds the oldest snapshot, and the metrics have its age', async (t) => {
  skipBecause(t, skip);
  const settings = await testDatabaseSettings(t);
  const database = await openDatabase(settings);
  onEnd(t, () => database.close());
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const watch = new DatabaseWatch({ database, log, snapshotSecondsMax: 0.001 });
  const idle = await connectTo(t, `${settings.url}?application_name=report`);
  await idle.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
  const { rows } = await idle.query('SELECT pg_backend_pid() AS pid');

  await watch.run();

  equal(lines.length, 1, lines.join());
  const line = JSON.parse(lines[0] ?? '');
  deepEqual([line.holder, line.user, line.application], [`session ${rows[0].pid}`, 'postgres', 'report']);
  ok((watch.statistics?.oldestSnapshotSeconds ?? 0) > 0);
  await idle.query('COMMIT');
  await watch.run();
  equal(watch.statistics?.oldestSnapshotSeconds, 0);
});

async function setNextTransactionId(dataFolder: string, next: number): Promise<void> {
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_USER_ID, gid: UNPRIVILEGED_USER_ID } : {};
  await promisify(execFile)(join(PROGRAMS, 'pg_resetwal'), ['-x', String(next), '-D', dataFolder], user);
  const segment = Math.floor(next / 1_048_576)
    .toString(16)
    .toUpperCase()
    .padStart(4, '0');
  await writeFile(join(dataFolder, 'pg_xact', segment), Buffer.alloc(262_144), { mode: 0o666 });
}
