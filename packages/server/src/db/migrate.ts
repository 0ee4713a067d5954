/**
 * Brings the schema up to this code's version. Migrations are listed here by name and run forward only under Kysely's
 * lock, so that several nodes may start at once, each in a transaction of its own, while orders are placed (A167).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { type Database, kyselyOver, type SessionClient } from './database.ts';
import { isLockTimeout, isRetryable } from './errors.ts';
import { migration as initial } from './migrations/0001-initial.ts';
import { isPooled } from './session-settings.ts';

type Migrations = Readonly<
  Record<
    string,
    Migration & {
      /** For what PostgreSQL does outside transactions only: one statement, such as CREATE INDEX CONCURRENTLY. */
      readonly isInTransaction?: false;
    }
  >
>;

export const MIGRATIONS: Migrations = {
  '0001-initial': initial,
};

/**
 * A statement that needs a lock on a table makes every order wait that comes after it, until it has the lock and is done.
 * So it waits for a moment only, lets them pass, and is tried again. How long it works is not limited.
 */
const LOCK_WAIT_MAX_MS = 500;
const MIGRATION_SETTINGS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = '10min'`;

const RETRY_PAUSE_MS = 1_000;
const OTHERS_PAUSE_MS = 100;
const PATIENCE_MS = 10 * 60_000;

/** The database was migrated by newer code than this. */
class SchemaNewerError extends Error {
  override readonly name = 'SchemaNewerError';
  constructor(unknown: string[]) {
    super(
      `the database's schema is newer than this code: it has the unknown migration${unknown.length > 1 ? 's' : ''} ` +
        `${unknown.join(', ')}. Start the version that made it, or a later one`,
    );
  }
}

/** There are migrations to run, and only a pooler to run them through. */
class NoOwnSessionError extends Error {
  override readonly name = 'NoOwnSessionError';
  constructor() {
    super(
      'the schema must be brought up to date, which needs a session of its own: set KEYPORT_DATABASE_DIRECT_URL to the ' +
        'database without the pooler, and start again or run `keyport migrate`',
    );
  }
}

export type MigrateOptions = {
  /** Called once with what is missing, if anything is. */
  readonly onPending?: (names: readonly string[]) => void;
  /** Called for each wait for a lock that was given up for the time being. */
  readonly onRetry?: (error: unknown) => void;
  /** How long it is tried in all, milliseconds. */
  readonly patienceMs?: number;
  /** Instead of the service's own, for the tests of this file. */
  readonly migrations?: Migrations;
};

/**
 * Applies what is missing, each migration in a transaction of its own, and returns the names of what it applied. What was
 * applied stays when a later one fails. Throws SchemaNewerError, and the error of a migration that failed.
 */
export function migrateToLatest(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { onRetry, patienceMs = PATIENCE_MS, migrations = MIGRATIONS } = options;
  const deadlineMs = performance.now() + patienceMs;
  return withMigrator(database, migrations, async (migrator, session) => {
    const applied: string[] = [];
    const pending = await namesOfPending(migrator);
    if (pending.length > 0) options.onPending?.(pending);
    for (;;) {
      const [next] = await namesOfPending(migrator);
      if (next === undefined) return applied;
      if (isPooled(session)) throw new NoOwnSessionError();
      await waitForOthers(session);
      // One step and never to a name: if another node is gone further since, that would be a way back.
      const disableTransactions = migrations[next]?.isInTransaction === false;
      // What runs without a transaction waits for others without holding them up, and must not break off halfway.
      await session.query(`SET lock_timeout = ${disableTransactions ? 0 : LOCK_WAIT_MAX_MS}`);
      const { error, results = [] } = await migrator.migrateUp({ disableTransactions });
      const done = results.filter(({ status }) => status === 'Success');
      applied.push(...done.map(({ migrationName }) => migrationName));
      if (error === undefined || error instanceof NotTheNextOneError) continue;
      const mayRetry = isLockTimeout(error) || isRetryable(error);
      if (!mayRetry || performance.now() > deadlineMs) throw error;
      onRetry?.(error);
      await sleep(RETRY_PAUSE_MS * (0.5 + Math.random()));
    }
  });
}

/** Names of the migrations that this code has and the database lacks. Throws SchemaNewerError. */
export function pendingMigrations(database: Database): Promise<string[]> {
  return withMigrator(database, MIGRATIONS, namesOfPending);
}

/** What the database says of itself. */
export async function loadSchemaVersion({
  kysely,
}: Database): Promise<{ readonly version: string; readonly migrations: string[] }> {
  const { rows } = await sql<{ version: string; migrations: string[] }>`
    SELECT current_setting('server_version') AS version,
      ARRAY(SELECT name::text FROM ${sql.table(DEFAULT_MIGRATION_TABLE)} ORDER BY name) AS migrations`.execute(
    kysely,
  );
  const [{ version, migrations } = { version: '', migrations: [] }] = rows;
  // Debian's has more words behind it.
  return { version: version.split(' ')[0] ?? version, migrations };
}

async function namesOfPending(migrator: Migrator): Promise<string[]> {
  const known = await migrator.getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** On a connection of its own, past a pooler if there is one. */
function withMigrator<T>(
  database: Database,
  migrations: Migrations,
  work: (migrator: Migrator, session: SessionClient) => Promise<T>,
): Promise<T> {
  return database.withOwnSession(async (client) => {
    if (!isPooled(client)) await client.query(MIGRATION_SETTINGS);
    await requireKnown(client, migrations);
    const migrator = new Migrator({
      db: kyselyOver(client),
      provider: { getMigrations: async () => guardTransactions(migrations) },
    });
    return work(migrator, client);
  });
}

/**
 * Only one session migrates. Kysely has a lock for that too, but a waiter holds a snapshot, and CREATE INDEX
 * CONCURRENTLY waits until no older one exists: the two would wait for each other. So nothing waits inside a statement.
 */
async function waitForOthers(session: SessionClient): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ isFree: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('keyport/migrate', 0)) AS "isFree"`,
    );
    if (rows[0]?.isFree === true) return;
    await sleep(OTHERS_PAUSE_MS);
  }
}

/** Another node has done what was the next step a moment ago. */
class NotTheNextOneError extends Error {
  override readonly name = 'NotTheNextOneError';
}

/** The step after it may want a transaction where this one does not, or the other way round: then nothing is done. */
function guardTransactions(migrations: Migrations): Record<string, Migration> {
  const guarded = Object.entries(migrations).map(([name, { up, isInTransaction = true }]) => [
    name,
    {
      up: async (db: Kysely<unknown>) => {
        if (db.isTransaction !== isInTransaction) throw new NotTheNextOneError();
        await up(db);
      },
    },
  ]);
  return Object.fromEntries(guarded);
}

/** Asked before Kysely's own check, whose error does not say what to do. */
async function requireKnown(client: SessionClient, migrations: Migrations): Promise<void> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('${DEFAULT_MIGRATION_TABLE}') IS NOT NULL AS exists`,
  );
  if (tables[0]?.exists !== true) return;
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${DEFAULT_MIGRATION_TABLE} ORDER BY name`,
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) throw new SchemaNewerError(unknown);
}
