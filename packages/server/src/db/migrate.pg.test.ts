/** Migrations run once, by whoever comes first, and never on a schema that this code does not know. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '../../test/support/database.ts';
import { migrateToLatest, pendingMigrations } from './migrate.ts';

test('a migrated database has nothing pending, and migrating it again does nothing', async (t) => {
  const database = await testDatabase(t);

  assert.deepEqual(await pendingMigrations(database), []);
  assert.deepEqual(await migrateToLatest(database), []);
});

test('an empty database is migrated once when several callers do it at the same time', async (t) => {
  const database = await testDatabase(t);
  await sql`DROP SCHEMA public CASCADE`.execute(database.kysely);
  await sql`CREATE SCHEMA public`.execute(database.kysely);
  const pending = await pendingMigrations(database);

  const applied = await Promise.all([
    migrateToLatest(database),
    migrateToLatest(database),
    migrateToLatest(database),
  ]);

  assert.ok(pending.length > 0);
  assert.deepEqual(applied.flat(), pending);
  assert.deepEqual(await pendingMigrations(database), []);
});

test('a schema that newer code made is refused with what to do', async (t) => {
  const database = await testDatabase(t);
  await sql`INSERT INTO kysely_migration VALUES ('9999-future', '')`.execute(database.kysely);

  await assert.rejects(
    migrateToLatest(database),
    /newer than this code.*9999-future.*Start the version that made it/s,
  );
  await assert.rejects(pendingMigrations(database), { name: 'SchemaNewerError' });
});
