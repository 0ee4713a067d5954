import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';
import { pino } from 'pino';
import { test } from 'vitest';
import {
  connectTo,
  type Owner,
  onEnd,
  testDatabaseSettings,
  testEngine,
} from '../../../test/support/database.ts';
import { auto, startHarness, testConfig } from '../../../test/support/harness.ts';
import { skipBecause } from '../../../test/support/vitest.ts';
import { startService } from '../../service.ts';
import { isPlainSqlError, isUnreachable } from '../errors.ts';
import { openDatabase } from './database.ts';
import { type SESSION_SETTINGS, UnfitServerError } from './session-settings.ts';

const skip = testEngine === 'embedded' && 'the embedded engine has no role or database settings';

const HOSTILE: Readonly<Record<keyof typeof SESSION_SETTINGS, string>> = {
  TimeZone: 'Asia/Kathmandu',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  search_path: 'elsewhere',
  restrict_nonsystem_relation_kind: 'view',
  default_table_access_method: 'heap_too',
  default_transaction_isolation: 'serializable',
  client_min_messages: 'error',
  exit_on_error: 'on',
  idle_session_timeout: '5s',
  transaction_timeout: '5s',
  statement_timeout: '5s',
  lock_timeout: '1s',
  jit: 'on',
};

test('orders are placed as usual if the database and its role have harmful settings', async (t) => {
  skipBecause(t, skip);
  const settings = await testDatabaseSettings(t);
  const admin = await connectTo(t, settings.url ?? '');
  await admin.query('CREATE ACCESS METHOD heap_too TYPE TABLE HANDLER heap_tableam_handler');
  const { rows } = await admin.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE current_setting(name, true) IS NOT NULL',
    [Object.keys(HOSTILE)],
  );
  const guarded = {
    session_replication_role: 'replica',
    zero_damaged_pages: 'on',
    ignore_checksum_failure: 'on',
  };
  const hostile = Object.entries({ ...HOSTILE, ...guarded }).filter(
    ([name]) => name in guarded || rows.some((row) => row.name === name),
  );
  const { rows: names } = await admin.query(`SELECT quote_ident(current_database()) AS database`);
  const alter = hostile.map(
    ([name, value]) => `ALTER ROLE postgres IN DATABASE ${names[0].database} SET ${name} = '${value}'`,
  );
  await admin.query(alter.join('; '));

  const h = await startHarness(t, {}, settings);
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 2 });
  const order = await reseller.order(auto(productId));
  const keys = await reseller.get(`/orders/${order.body.data?.id}/keys`);
  const client = await h.database.connect();
  const { rows: actual } = await client.query(
    'SELECT name FROM unnest($1::text[], $2::text[]) AS hostile (name, value) WHERE current_setting(name) = value',
    [hostile.map(([name]) => name), hostile.map(([, value]) => value)],
  );
  client.release();

  equal(order.status, 201, JSON.stringify(order.body));
  equal(keys.status, 200, JSON.stringify(keys.body));
  deepEqual(actual, []);
});

test('the error for settings that the role may not change names a remedy, at the start and later', async (t) => {
  skipBecause(t, skip);
  for (const [name, hostile] of [
    ['session_replication_role', 'replica'],
    ['zero_damaged_pages', 'on'],
    ['ignore_checksum_failure', 'on'],
  ]) {
    const { url, admin, role } = await emptyDatabase(t);
    const running = await openDatabase({ url, dataDir: 'memory' });
    onEnd(t, () => running.close());
    (await running.connect()).release();
    await admin.query(`ALTER ROLE ${role} SET ${name} = '${hostile}'`);
    const says = new RegExp(`^  ${name} is '${hostile}', so .*: set it to '.*' for the server`, 'm');

    await rejects(
      startService(testConfig({}), { database: { url, dataDir: 'memory' }, log: pino({ level: 'silent' }) }),
      (error) => error instanceof UnfitServerError && says.test(error.message),
    );
    (await running.connect()).release(true);
    await rejects(running.connect(), isUnreachable);
  }
});

test('an error is classified correctly in every language of the server', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['ERROR', '23505', true],
    ['FEHLER', '23505', true],
    ['ERROR', 'XX000', true],
    ['FEHLER', 'XX000', false],
    ['FATAL', 'XX000', false],
    ['FATAL', '28000', false],
    ['ERREUR', '57P01', false],
  ];
  for (const [severity, code, isPlain] of rows) {
    const error = Object.assign(new DatabaseError('', 0, 'error'), { severity, code });
    equal(isPlainSqlError(error), isPlain, `${severity} ${code}`);
  }
});

/** A database owned by its own role, which is not a superuser. */
async function emptyDatabase(t: Owner) {
  const { url = '' } = await testDatabaseSettings(t);
  const admin = await connectTo(t, url);
  const role = `keyport_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`CREATE ROLE ${role} LOGIN`);
  onEnd(t, async () => {
    await admin.query(`DROP DATABASE ${role} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${role}`);
  });
  await admin.query(`CREATE DATABASE ${role} OWNER ${role}`);
  const its = new URL(url);
  its.username = role;
  its.pathname = `/${role}`;
  return { url: its.href, admin, role };
}
