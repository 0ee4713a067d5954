import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { connectTo, testDatabase, testDatabaseSettings, testEngine } from '../../../test/support/database.ts';
import { auto, startHarness } from '../../../test/support/harness.ts';
import type { Database } from '../engines/database.ts';
import { sql } from '../sql.ts';
import { checkSchema, MIGRATIONS, migrateToLatest, parseMigration, pendingMigrations } from './migrate.ts';

test('a migrated database has nothing pending, and migrating it again changes nothing', async (t) => {
  const database = await testDatabase(t);

  deepEqual(await pendingMigrations(database), []);
  deepEqual(await migrateToLatest(database), []);
});

test('concurrent callers migrate an empty database once', async (t) => {
  const database = await testDatabase(t);
  await sql`DROP SCHEMA public CASCADE`.execute(database.db);
  await sql`CREATE SCHEMA public`.execute(database.db);
  const pending = await pendingMigrations(database);

  const applied = await Promise.all([
    migrateToLatest(database),
    migrateToLatest(database),
    migrateToLatest(database),
  ]);

  ok(pending.length > 0);
  deepEqual(applied.flat().toSorted(), pending);
  deepEqual(await pendingMigrations(database), []);
});

test('all tables can be published while orders are placed and changed', async (t) => {
  const h = await startHarness(t);
  const { rows: versions } = await sql<{ hasOption: boolean }>`
    SELECT current_setting('server_version_num')::integer >= 180000 AS "hasOption"`.execute(h.database.db);
  const options = sql.raw(versions[0]?.hasOption === true ? 'WITH (publish_generated_columns = stored)' : '');
  await sql`CREATE PUBLICATION everything FOR ALL TABLES ${options}`.execute(h.database.db);
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 2 });
  const { status, body } = await reseller.order(auto(productId));
  equal(status, 201, JSON.stringify(body));
  await h.operate('POST', `/orders/${body.data.id}/refund`, { reason: 'test' });
  // PostgreSQL rejects changes of published rows without a replica identity.
  const { rows } = await sql`
    SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relreplident = 'd'
      AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)`.execute(
    h.database.db,
  );
  deepEqual(rows, []);
});

test('a changed, newer or older schema is rejected with a remedy', async (t) => {
  const cases: [changes: string, says: RegExp][] = [
    [
      `INSERT INTO schema_migration (name, hash, objects) VALUES ('9999-future', 'x', '{}')`,
      /newer than this version.*9999-future.*Start the version that made it/s,
    ],
    [
      `DELETE FROM schema_migration WHERE name = '9999-future'; UPDATE schema_migration SET hash = 'x'`,
      /0001-schema changed since.*Start the version that made it/s,
    ],
    [
      'ALTER TABLE schema_migration RENAME TO kysely_migration',
      /made before version 0\.3\.0 and cannot be upgraded; nothing was changed\. Start the version that made it/,
    ],
  ];
  const database = await testDatabase(t);
  for (const [changes, says] of cases) {
    await sql.raw(changes).execute(database.db);
    const before = await toRecords(database);

    await rejects(migrateToLatest(database), says);
    await rejects(pendingMigrations(database), { name: 'SchemaMismatchError', message: says });
    deepEqual(await toRecords(database), before, 'nothing changed');
  }
});

test('missing objects are named before anything is migrated, and additional objects are accepted', async (t) => {
  const cases: [damage: string, repair: string, says: RegExp][] = [
    [
      'DROP TRIGGER offer_kept ON offer',
      'CREATE TRIGGER offer_kept BEFORE DELETE OR TRUNCATE ON offer FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete()',
      /trigger offer_kept of offer/,
    ],
    [
      'ALTER TABLE account DISABLE TRIGGER account_kept',
      'ALTER TABLE account ENABLE TRIGGER account_kept',
      /trigger account_kept of account/,
    ],
    [
      'ALTER INDEX account_position_uq RENAME TO other',
      'ALTER INDEX other RENAME TO account_position_uq',
      /unique index account_position_uq of account/,
    ],
    [
      'ALTER TABLE "order" RENAME CONSTRAINT order_status_ck TO other',
      'ALTER TABLE "order" RENAME CONSTRAINT other TO order_status_ck',
      /constraint order_status_ck of order/,
    ],
  ];
  const database = await testDatabase(t);
  const run = (statement: string) => sql.raw(statement).execute(database.db);
  await run('CREATE UNIQUE INDEX added_uq ON seller (id)');
  for (const [damage, repair, says] of cases) {
    await run(damage);
    const rejection = { name: 'SchemaIncompleteError', message: says };
    await rejects(checkSchema(database), rejection);
    await rejects(migrateToLatest(database), rejection);
    await run(repair);
    await checkSchema(database);
  }
});

/** The records of migrations, whatever the table is called. */
async function toRecords(database: Database): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT query_to_xml('SELECT name, hash FROM ' || oid::regclass, true, true, '')::text AS records
    FROM pg_class WHERE relname IN ('schema_migration', 'kysely_migration') AND relkind = 'r'`.execute(
    database.db,
  );
  return rows;
}

const onServer = { skip: testEngine === 'embedded' };

test('orders continue while a migration waits for a long transaction', onServer, async (t) => {
  const settings = await testDatabaseSettings(t);
  const h = await startHarness(t, {}, settings);
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 900 });
  const order = async () => {
    const { status, body } = await reseller.order(auto(productId));
    equal(status, 201, JSON.stringify(body));
  };
  await order();
  const reader = await connectTo(t, settings.url ?? '');
  await reader.query('BEGIN; SELECT FROM "order"');

  const retried = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let retryCount = 0;
  let isMigrating = true;
  const migrating = migrateToLatest(h.database, {
    migrations: {
      ...MIGRATIONS,
      '9998-remark': parseMigration('ALTER TABLE "order" ADD COLUMN remark text;\n'),
    },
    onRetry: () => retried[retryCount++]?.resolve(),
  }).finally(() => (isMigrating = false));
  const selling = (async () => {
    // Orders slowly, because the stock must last while the migration waits.
    for (; isMigrating; await sleep(10)) await order();
  })();
  await Promise.race([Promise.all(retried.map(({ promise }) => promise)), migrating, selling]);
  ok(retryCount >= 2);
  await reader.query('COMMIT');

  deepEqual(await migrating, ['9998-remark']);
  await selling;
  await order();
});

test('an index is built outside a transaction while orders are placed', onServer, async (t) => {
  const database = await testDatabase(t);
  const index = 'CREATE INDEX CONCURRENTLY order_remark_ix ON "order" (total_price_minor);\n';
  const migrations = {
    ...MIGRATIONS,
    '9997-index': parseMigration(`-- Outside a transaction\n${index}`),
    '9998-comment': parseMigration(`COMMENT ON TABLE "order" IS '';\n`),
  };

  const applied = await Promise.all([
    migrateToLatest(database, { migrations }),
    migrateToLatest(database, { migrations }),
  ]);

  deepEqual(applied.flat().toSorted(), ['9997-index', '9998-comment']);
});

test('an interrupted index build is restarted', onServer, async (t) => {
  const database = await testDatabase(t);
  await sql`CREATE TABLE twin AS SELECT 1 AS number FROM generate_series(1, 2)`.execute(database.db);
  const index = 'CREATE UNIQUE INDEX CONCURRENTLY twin_uq ON twin (number);\n';
  const migrations = { ...MIGRATIONS, '9997-index': parseMigration(`-- Outside a transaction\n${index}`) };
  const validity = async () => {
    const { rows } = await sql<{ isValid: boolean }>`
      SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass('twin_uq')`.execute(
      database.db,
    );
    return rows.map(({ isValid }) => isValid);
  };
  await rejects(migrateToLatest(database, { migrations }), /could not create unique index/);
  deepEqual(await validity(), [false]);
  await sql`TRUNCATE twin`.execute(database.db);

  deepEqual(await migrateToLatest(database, { migrations }), ['9997-index']);
  deepEqual(await validity(), [true]);
});

test('a failed migration leaves nothing behind, and earlier ones stay applied', async (t) => {
  const database = await testDatabase(t);
  const migrations = {
    ...MIGRATIONS,
    '9997-good': parseMigration('CREATE TABLE good ();\n'),
    '9998-bad': parseMigration('CREATE TABLE bad ();\nSELECT 1 / 0;\n'),
  };

  await rejects(migrateToLatest(database, { migrations }), /division by zero/);

  const { rows } =
    await sql`SELECT to_regclass('good') IS NOT NULL AS good, to_regclass('bad') IS NOT NULL AS bad,
    (SELECT count(*)::int FROM schema_migration WHERE name LIKE '999%') AS known`.execute(database.db);
  deepEqual(rows, [{ good: true, bad: false, known: 1 }]);
});
