/** Whatever the server, the database or the role has set, orders are placed by the same rules, or nothing starts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';
import { pino } from 'pino';
import { test } from 'vitest';
import {
  connectTo,
  type Owner,
  onEnd,
  testDatabase,
  testDatabaseSettings,
  testEngine,
} from '../../../test/support/database.ts';
import { auto, startHarness, testConfig } from '../../../test/support/harness.ts';
import { skipBecause } from '../../../test/support/vitest.ts';
import { startService } from '../../service.ts';
import { isPlainSqlError, isUnreachable } from '../errors.ts';
import { openDatabase } from './database.ts';
import {
  GUARDED_SETTINGS,
  NETWORK_SETTINGS,
  SESSION_SETTINGS,
  UnfitServerError,
} from './session-settings.ts';

const skip = testEngine === 'embedded' && 'the embedded engine has no settings of a role or a database';

/** The value of each that does the most harm. */
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
  // Long enough for the statement that sets them right.
  idle_session_timeout: '5s',
  transaction_timeout: '5s',
  statement_timeout: '5s',
  lock_timeout: '1s',
  jit: 'on',
};

/**
 * The other settings of a session, which may have any value: read in PostgreSQL 15 to 18. A new version's setting fails the
 * test below until it is decided which of its values do harm.
 */
const HARMLESS: readonly RegExp[] = [
  // Which plan is taken, and what it may cost: rows and their order are the same.
  /^(enable|geqo|cpu|parallel|min_parallel|max_parallel)(_|$)|^jit_/,
  /^(seq|random)_page_cost$|^effective_|^(from|join)_collapse_limit$|^(cursor_tuple_fraction|plan_cache_mode)$/,
  /^(constraint_exclusion|recursive_worktable_factor|default_statistics_target|debug_parallel_query|force_parallel_mode)$/,
  /^(synchronize_seqscans|debug_discard_caches|optimize_bounded_sort)$/,
  // Memory, disk and when it is flushed.
  /_(mem|buffers|limit|size|multiplier|concurrency|after)$/,
  /^(max_stack_depth|file_copy_method|default_toast_compression|wal_compression|wal_init_zero|wal_recycle)$/,
  /^(wal_skip_threshold|wal_consistency_checking|commit_delay|commit_siblings|maintenance_io_concurrency)$/,
  // Where new tables are laid; one that does not exist ends the migration with its name.
  /^(default|temp)_tablespaces?$|^allow_in_place_tablespaces$/,
  // The server's counters and log. Keyport sends it no secret that is not encrypted or hashed.
  /^(log|track|trace|debug_print)_/,
  /^(compute_query_id|update_process_title|backtrace_functions|debug_pretty_print|stats_fetch_consistency)$/,
  /^(debug_logical_replication_streaming|debug_raw_expression_coverage_test|debug_copy_parse_plan_trees)$/,
  /^(debug_write_read_parse_plan_trees|logical_replication_mode|md5_password_warnings|application_name)$/,
  // When the server clears away.
  /^vacuum_/,
  // The start checks them (A165), since an operator may mean them.
  /^(synchronous_commit|default_transaction_read_only)$/,
  // BEGIN says it, or there is nothing that it concerns: no locale in our SQL, XML, policy, large object, GIN index.
  /^(transaction_isolation|transaction_read_only|transaction_deferrable|default_transaction_deferrable)$/,
  /^(lc_messages|lc_monetary|lc_numeric|lc_time|icu_validation_level|default_text_search_config)$/,
  /^(xmlbinary|xmloption|row_security|lo_compat_privileges|check_function_bodies|event_triggers)$/,
  /^(password_encryption|scram_iterations|createrole_self_grant|allow_system_table_mods|wal_sender_timeout)$/,
  // Our strings have neither: values travel as parameters, and identifiers are not read back.
  /^(backslash_quote|escape_string_warning|quote_all_identifiers)$/,
  // Times are sent with Z or digits, which no list of abbreviations changes.
  /^timezone_abbreviations$/,
  // The driver names it when it connects, which counts for more.
  /^client_encoding$/,
  // A library that is loaded into the server can do anything.
  /^(dynamic_library_path|extension_control_path|extension_destdir|(local_preload|session_preload|output_plugin)_libraries)$/,
  // A wait for a lock ends by its own limit.
  /^deadlock_timeout$/,
];

test('every setting of a session is pinned, guarded, or known to do no harm', async (t) => {
  const database = await testDatabase(t);
  const client = await database.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE context IN ('user', 'superuser') AND name NOT LIKE '%.%'`,
  );
  client.release();
  const known = new Set(
    [SESSION_SETTINGS, GUARDED_SETTINGS, NETWORK_SETTINGS].flatMap((settings) => Object.keys(settings)),
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name));

  assert.ok(unknown.length > 100);
  assert.deepEqual(
    unknown.filter((name) => !HARMLESS.some((pattern) => pattern.test(name))),
    [],
  );
});

test('with each value that does harm set for the database and its role, orders are placed as usual', async (t) => {
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

  assert.equal(order.status, 201, JSON.stringify(order.body));
  assert.equal(keys.status, 200, JSON.stringify(keys.body));
  assert.deepEqual(actual, []);
});

test('what the role may not set is rejected with what to do, at the start and of every later session', async (t) => {
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

    await assert.rejects(
      startService(testConfig({}), { database: { url, dataDir: 'memory' }, log: pino({ level: 'silent' }) }),
      (error) => error instanceof UnfitServerError && says.test(error.message),
    );
    (await running.connect()).release(true);
    await assert.rejects(running.connect(), isUnreachable);
  }
});

test('an error is known for what it is in every language of the server', () => {
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
    assert.equal(isPlainSqlError(error), isPlain, `${severity} ${code}`);
  }
});

/** A database that a role of its own owns, which is no superuser. */
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
