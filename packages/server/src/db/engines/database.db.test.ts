import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { testDatabase, testEngine } from '../../../test/support/database.ts';
import { skipBecause, wholeFile } from '../../../test/support/vitest.ts';
import { isConnectionLost, isPlainSqlError, isTimeout, isUniqueViolation } from '../errors.ts';
import { sql } from '../sql.ts';
import { runTransaction } from '../transaction.ts';
import { openDatabase } from './database.ts';

const database = await testDatabase(wholeFile);
const { db } = database;

test('every type arrives unchanged on both engines', async () => {
  const { rows } = await sql`SELECT
    9007199254740991::bigint AS int8, 1.50::numeric AS numeric, '{"a": [1, null]}'::jsonb AS jsonb,
    '2026-01-01 00:00:00.123456+02'::timestamptz AS timestamptz, date '2026-01-02' AS date,
    '\\x00ff'::bytea AS bytea, true AS boolean, 7 AS int4, NULL::bigint AS nothing,
    ARRAY[1, NULL]::bigint[] AS int8s, ARRAY[date '2026-01-02'] AS dates,
    ARRAY['2026-01-01 00:00:00+00'::timestamptz] AS timestamptzs`.execute(db);

  deepEqual(rows, [
    {
      int8: 9007199254740991,
      numeric: '1.50',
      jsonb: { a: [1, null] },
      timestamptz: '2025-12-31 22:00:00.123456+00',
      date: '2026-01-02',
      bytea: Buffer.from([0, 255]),
      boolean: true,
      int4: 7,
      nothing: null,
      int8s: [1, null],
      dates: ['2026-01-02'],
      timestamptzs: ['2026-01-01 00:00:00+00'],
    },
  ]);
});

test('an int8 beyond the safe integers is an error as a number and exact as text', async () => {
  await rejects(sql`SELECT 9007199254740993::bigint AS id`.execute(db), /select it as text/);
  const { rows } = await sql`SELECT 9007199254740993::bigint::text AS id`.execute(db);

  deepEqual(rows, [{ id: '9007199254740993' }]);
});

test('a session starts in UTC with limits on statements, locks and idle transactions', async () => {
  const { rows } =
    await sql`SELECT name, setting FROM pg_settings WHERE name IN ('TimeZone', 'statement_timeout',
    'lock_timeout', 'idle_in_transaction_session_timeout', 'application_name') ORDER BY name`.execute(db);

  deepEqual(rows, [
    { name: 'TimeZone', setting: 'UTC' },
    { name: 'application_name', setting: 'keyport' },
    { name: 'idle_in_transaction_session_timeout', setting: testEngine === 'postgres' ? '10000' : '0' },
    { name: 'lock_timeout', setting: '5000' },
    { name: 'statement_timeout', setting: '30000' },
  ]);
});

test('the error of a rejected row names its constraint, and the connection still works', async () => {
  await sql`CREATE TABLE thing (id int CONSTRAINT thing_pk PRIMARY KEY)`.execute(db);
  const insert = () => sql`INSERT INTO thing VALUES (${1})`.execute(db);
  await insert();

  const error: unknown = await insert().catch((thrown: unknown) => thrown);

  equal(isUniqueViolation(error, 'thing_pk'), true);
  equal(isUniqueViolation(error, 'other_pk'), false);
  equal(isPlainSqlError(error), true);
  equal(isConnectionLost(error), false);
  deepEqual((await sql`SELECT id FROM thing`.execute(db)).rows, [{ id: 1 }]);
});

test('a notification reaches the listener with its payload', async (t) => {
  const received = Promise.withResolvers<string>();
  const listening = await database.listen('Catalogue', received.resolve);
  t.onTestFinished(() => listening.close());

  await sql`SELECT pg_notify('Catalogue', 'seven')`.execute(database.db);

  equal(await received.promise, 'seven');
});

test('a listener whose connection is lost is called with an empty payload when it listens again', async () => {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const received = [first, second];
  await database.listen('catalogue', (payload) => received.shift()?.resolve(payload));

  if (database.kind === 'postgres') {
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'keyport-listen' AND datname = current_database()`.execute(database.db);
  } else {
    (await database.connect()).release(true);
    await sql`SELECT 1`.execute(database.db);
  }
  equal(await first.promise, '');
  await sql`SELECT pg_notify('catalogue', 'again')`.execute(database.db);

  equal(await second.promise, 'again');
});

test('every session that cannot listen is ended', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded engine listens on its only session');
  const severalFailed = Promise.withResolvers<void>();
  let refusedCount = 0;
  const failing = await testDatabase(t, {
    onError: (error) => {
      if (isPlainSqlError(error)) refusedCount += 1;
      if (refusedCount === 3) severalFailed.resolve();
    },
  });
  const { rows: names } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(failing.db);
  await failing.listen('catalogue', () => {});
  // The server rejects an empty channel, as a standby rejects every channel.
  await failing.listen('', () => {});
  const listeners = async () => {
    const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
      WHERE application_name = 'keyport-listen' AND datname = ${names[0]?.name}`.execute(db);
    return rows.map(({ pid }) => pid);
  };
  const [pid] = await listeners();
  await sql`SELECT pg_terminate_backend(${pid})`.execute(db);
  await severalFailed.promise;

  await failing.close();

  const patience = AbortSignal.timeout(60_000);
  while ((await listeners()).length > 0) patience.throwIfAborted();
});

test('a server whose socket file does not exist counts as unreachable', async () => {
  const stopped = await openDatabase({
    url: 'postgres://keyport@localhost/keyport?host=/nowhere',
    dataDir: 'memory',
  });
  const error: unknown = await stopped.connect().catch((thrown: unknown) => thrown);
  await stopped.close();

  equal(isConnectionLost(error), true);
  equal(isConnectionLost(await readFile('/nowhere').catch((thrown: unknown) => thrown)), false);
});

test('a discarded connection leaves no transaction, table or setting behind', async () => {
  const client = await database.connect();
  await client.query(
    `BEGIN; CREATE TABLE lost (); SET LOCAL lock_timeout = '1ms'; SET search_path = elsewhere`,
  );
  client.release(true);

  const { rows } = await sql`SELECT to_regclass('public.lost') IS NULL AS is_gone,
    current_setting('lock_timeout') AS lock_timeout, pg_current_xact_id_if_assigned() IS NULL AS is_idle`.execute(
    database.db,
  );

  deepEqual(rows, [{ is_gone: true, lock_timeout: '5s', is_idle: true }]);
});

test('a connection that the server ends while idle is replaced without an error', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded session cannot be ended');
  const errors: Error[] = [];
  const ended = Promise.withResolvers<void>();
  const victim = await testDatabase(t, {
    onError: (error) => {
      errors.push(error);
      ended.resolve();
    },
  });
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(victim.db);
  await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(db);
  await ended.promise;

  deepEqual((await sql`SELECT 1 AS one`.execute(victim.db)).rows, [{ one: 1 }]);
  equal(isConnectionLost(errors[0]), true);
});

test('the server ends a statement that exceeds its time limit, which counts as a timeout', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded engine has no timers');
  const error: unknown = await runTransaction(database, { statementTimeoutMs: 20 }, (tx) =>
    sql`SELECT pg_sleep(20)`.execute(tx),
  ).catch((thrown: unknown) => thrown);

  equal(isTimeout(error), true);
});
