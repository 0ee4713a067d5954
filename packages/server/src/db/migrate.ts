/**
 * Brings the schema up to this code's version. Migrations are listed here by name and run forward only, all in one
 * transaction under Kysely's lock, so that several nodes may start at once.
 */
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import type { PoolClient } from 'pg';
import { type Database, kyselyOver } from './database.ts';
import { migration as initial } from './migrations/0001-initial.ts';
import { migration as mustEqual } from './migrations/0002-must-equal.ts';
import { migration as historyBuckets } from './migrations/0003-history-buckets.ts';
import { migration as books } from './migrations/0004-books.ts';
import { migration as payments } from './migrations/0005-payments.ts';
import { migration as riskRules } from './migrations/0006-risk-rules.ts';
import { migration as custody } from './migrations/0007-custody.ts';
import { migration as offerLog } from './migrations/0008-offer-log.ts';
import { migration as orderPathIndexes } from './migrations/0009-order-path-indexes.ts';
import { migration as verifySchedule } from './migrations/0009-verify-schedule.ts';
import { migration as firstStamp } from './migrations/0010-first-stamp.ts';
import { migration as importRun } from './migrations/0012-import-run.ts';
import { migration as catalogueEpoch } from './migrations/0013-catalogue-epoch.ts';
import { migration as clientAddresses } from './migrations/0015-client-addresses.ts';
import { limitSilence } from './silence.ts';

const MIGRATIONS = {
  '0001-initial': initial,
  '0002-must-equal': mustEqual,
  '0003-history-buckets': historyBuckets,
  '0004-books': books,
  '0005-payments': payments,
  '0006-risk-rules': riskRules,
  '0007-custody': custody,
  '0008-offer-log': offerLog,
  '0009-order-path-indexes': orderPathIndexes,
  '0009-verify-schedule': verifySchedule,
  '0010-first-stamp': firstStamp,
  '0012-import-run': importRun,
  '0013-catalogue-epoch': catalogueEpoch,
  '0015-client-addresses': clientAddresses,
};

/** A migration may rewrite a big table, and a second node waits for the first one: far beyond a query's limits. */
const MIGRATION_SETTINGS = `SET statement_timeout = 0; SET lock_timeout = '10min';
  SET idle_in_transaction_session_timeout = '10min'`;

/** The database was migrated by newer code than this. */
export class SchemaNewerError extends Error {
  override readonly name = 'SchemaNewerError';
  constructor(unknown: string[]) {
    super(
      `the database's schema is newer than this code: it has the unknown migration${unknown.length > 1 ? 's' : ''} ` +
        `${unknown.join(', ')}. Start the version that made it, or a later one`,
    );
  }
}

/** Applies what is missing and returns the names of what was applied. Throws SchemaNewerError. */
export function migrateToLatest(database: Database): Promise<string[]> {
  return withMigrator(database, async (migrator) => {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return results.map(({ migrationName }) => migrationName);
  });
}

/** Names of the migrations that this code has and the database lacks. Throws SchemaNewerError. */
export function pendingMigrations(database: Database): Promise<string[]> {
  return withMigrator(database, async (migrator) => {
    const migrations = await migrator.getMigrations();
    return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  });
}

/** On a connection of its own, which is ended afterwards together with its settings. */
async function withMigrator<T>(database: Database, work: (migrator: Migrator) => Promise<T>): Promise<T> {
  const client = await database.connect();
  limitSilence(client, { isUnlimited: true });
  try {
    await client.query(MIGRATION_SETTINGS);
    await requireKnown(client);
    const migrator = new Migrator({
      db: kyselyOver(client),
      provider: { getMigrations: async () => MIGRATIONS },
    });
    return await work(migrator);
  } finally {
    client.release(true);
  }
}

/** Asked before Kysely's own check, whose error does not say what to do. */
async function requireKnown(client: PoolClient): Promise<void> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('${DEFAULT_MIGRATION_TABLE}') IS NOT NULL AS exists`,
  );
  if (tables[0]?.exists !== true) return;
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${DEFAULT_MIGRATION_TABLE} ORDER BY name`,
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) throw new SchemaNewerError(unknown);
}
