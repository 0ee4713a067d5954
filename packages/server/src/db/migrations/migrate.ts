/**
 * Each migration runs in its own transaction, while orders are placed (A510). The database stores the
 * migration's hash and the schema objects that exist after it (A510).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@keyport/core/assert';
import { type Database, dbOver, type SessionClient } from '../engines/database.ts';
import { isPooled } from '../engines/session-settings.ts';
import { isLockTimeout, isRetryable } from '../errors.ts';
import { onlyRow } from '../rows.ts';
import type { Db } from '../schema.ts';
import { sql } from '../sql.ts';
import { MISSING_OBJECTS, MISSING_PRIVILEGES, OBJECTS_ARRAY } from './schema-objects.sql.ts';

const OUTSIDE_TRANSACTION = /^-- Outside a transaction/m;

type Migration = { readonly statements: readonly string[]; readonly isInTransaction: boolean };
type Migrations = Readonly<Record<string, Migration>>;

const FOLDER = new URL('./', import.meta.url);

export const MIGRATIONS: Migrations = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => [
      file.slice(0, -'.sql'.length),
      parseMigration(readFileSync(new URL(file, FOLDER), 'utf8')),
    ]),
);

/** A statement ends with a semicolon before an unindented line; comments have their own lines. */
export function parseMigration(text: string): Migration {
  const statements = text
    .replace(/^(--.*)?\n/gm, '')
    .split(/;\n(?=\S|$)/)
    .filter((statement) => statement !== '');
  return { statements, isInTransaction: !OUTSIDE_TRANSACTION.test(text) };
}

/** Orders queue behind a statement that waits for a table's lock. */
const LOCK_WAIT_MAX_MS = 500;
const MIGRATION_SETTINGS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = '10min'`;
const RETRY_PAUSE_MS = 1_000;
const OTHERS_PAUSE_MS = 100;
const PATIENCE_MS = 10 * 60_000;

class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError';
}

class SchemaIncompleteError extends Error {
  override readonly name = 'SchemaIncompleteError';
  constructor(missing: readonly string[]) {
    const shown = missing.slice(0, MISSING_SHOWN_MAX).join('; ');
    const more = missing.length > MISSING_SHOWN_MAX ? `; and ${missing.length - MISSING_SHOWN_MAX} more` : '';
    super(
      `the database lacks objects or privileges that keep orders and money correct: ${shown}${more}. Nothing was changed. ` +
        'Restore the objects as the migrations created them, grant the privileges to this role, or restore a backup',
    );
  }
}
const MISSING_SHOWN_MAX = 10;

class NoOwnSessionError extends Error {
  override readonly name = 'NoOwnSessionError';
  constructor() {
    super(
      'the schema must be migrated over a direct connection: set KEYPORT_DATABASE_DIRECT_URL to a ' +
        'URL that bypasses the pooler, and start again or run `keyport migrate`',
    );
  }
}

export type MigrateOptions = {
  readonly onPending?: (names: readonly string[]) => void;
  readonly onRetry?: (error: unknown) => void;
  readonly patienceMs?: number;
  readonly migrations?: Migrations;
};

/** Returns the applied names. Throws SchemaMismatchError, or the error of a failed migration. */
export function migrateToLatest(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { onRetry, patienceMs = PATIENCE_MS, migrations = MIGRATIONS } = options;
  const deadlineMs = performance.now() + patienceMs;
  const persist = async (step: () => Promise<void>) => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        const mayRetry = isLockTimeout(error) || isRetryable(error);
        if (!mayRetry || performance.now() > deadlineMs) throw error;
        onRetry?.(error);
        await sleep(RETRY_PAUSE_MS * (0.5 + Math.random()));
      }
    }
  };
  return database.withOwnSession(async (session) => {
    const hashes = computeHashes(migrations);
    const pending = await inspectSchema(session, hashes);
    // Checked before migrating, because the schema after a migration counts as complete.
    if (pending.length < Object.keys(hashes).length) await requireComplete(session);
    if (pending.length === 0) return [];
    options.onPending?.(pending);
    if (isPooled(session)) throw new NoOwnSessionError();
    await session.query(MIGRATION_SETTINGS);
    await waitForOthers(session);
    // Another node may have migrated in the meantime.
    const remaining = await inspectSchema(session, hashes);
    await persist(() => prepareRecords(session));
    for (const name of remaining) await persist(() => apply(session, name, migrations[name], hashes));
    return remaining;
  });
}

export function checkSchema(database: Database): Promise<void> {
  return database.withOwnSession(requireComplete);
}

async function requireComplete(session: SessionClient): Promise<void> {
  const { rows } = await session.query<{ object: string }>(
    `${MISSING_OBJECTS} UNION ALL ${MISSING_PRIVILEGES}`,
  );
  if (rows.length > 0) throw new SchemaIncompleteError(rows.map(({ object }) => object));
}

export async function pendingMigrations(database: Database): Promise<string[]> {
  const hashes = computeHashes(MIGRATIONS);
  return database.withOwnSession((session) => inspectSchema(session, hashes));
}

export function requireKnown(names: readonly string[], migrations: object = MIGRATIONS): void {
  const unknown = names.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  throw new SchemaMismatchError(
    `the database's schema is newer than this version: it has the unknown migration${unknown.length > 1 ? 's' : ''} ` +
      `${unknown.join(', ')}. Start the version that made it, or a later one`,
  );
}

export async function loadSchemaVersion({ db }: Database) {
  const { version, migrations } = await onlyRow<{ version: string; migrations: string[] }>(db)`
    SELECT current_setting('server_version') AS version,
      ARRAY(SELECT name FROM schema_migration ORDER BY name) AS migrations`;
  // Debian appends text to the version.
  return { version: version.split(' ')[0] ?? version, migrations };
}

type Hashes = Readonly<Record<string, string>>;

export function computeHashes(migrations: Migrations): Hashes {
  const hashes: Record<string, string> = {};
  for (const [name, { statements }] of Object.entries(migrations)) {
    hashes[name] = createHash('sha256').update(statements.join(';')).digest('hex');
  }
  return hashes;
}

/** Runs the statements one at a time, so that an error names the statement. */
async function execute(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Returns the names of the pending migrations, in order. Throws SchemaMismatchError if the database's schema is older than
 * version 0.3.0, or if the applied migrations differ from those of this version.
 */
async function inspectSchema(session: SessionClient, hashes: Hashes): Promise<string[]> {
  const { rows: tables } = await session.query<{ isMigrated: boolean; isOlder: boolean }>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS "isMigrated",
      to_regclass('kysely_migration') IS NOT NULL AS "isOlder"`,
  );
  if (tables[0]?.isOlder === true) {
    throw new SchemaMismatchError(
      "the database's schema was made before version 0.3.0 and cannot be upgraded; nothing was changed. Start the version " +
        'that made it, or this one on an empty database',
    );
  }
  if (tables[0]?.isMigrated !== true) return Object.keys(hashes).toSorted();
  const { rows } = await session.query<{ name: string; hash: string }>(
    'SELECT name, hash FROM schema_migration ORDER BY name',
  );
  requireKnown(
    rows.map(({ name }) => name),
    hashes,
  );
  const changed = rows.filter(({ name, hash }) => hash !== hashes[name]);
  if (changed.length > 0) {
    throw new SchemaMismatchError(
      `the database cannot be used: ${changed.map(({ name }) => name).join(', ')} changed since it ran there, so its ` +
        'schema is that of an unreleased version. Start the version that made it, or this one on an empty database',
    );
  }
  const executed = new Set(rows.map(({ name }) => name));
  return Object.keys(hashes)
    .filter((name) => !executed.has(name))
    .toSorted();
}

async function prepareRecords(session: SessionClient): Promise<void> {
  await session.query(`SET lock_timeout = ${LOCK_WAIT_MAX_MS}`);
  await session.query(
    `CREATE TABLE IF NOT EXISTS schema_migration (
      name text COLLATE "C" PRIMARY KEY,
      hash text NOT NULL,
      objects text[] NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`,
  );
}

async function apply(
  session: SessionClient,
  name: string,
  migration: Migration | undefined,
  hashes: Hashes,
): Promise<void> {
  assert(migration !== undefined, 'only known migrations are pending');
  const { isInTransaction } = migration;
  // Outside a transaction a statement waits without blocking others, and must not stop halfway.
  await session.query(`SET lock_timeout = ${isInTransaction ? LOCK_WAIT_MAX_MS : 0}`);
  if (!isInTransaction) await dropUnfinishedIndex(session, migration.statements);
  const db = dbOver(session);
  const run = async () => {
    await execute(db, migration.statements);
    await sql`
      INSERT INTO schema_migration (name, hash, objects) VALUES (${name}, ${hashes[name]}, ${sql.raw(OBJECTS_ARRAY)})`.execute(
      db,
    );
  };
  if (!isInTransaction) return run();
  await session.query('BEGIN');
  try {
    await run();
    await session.query('COMMIT');
  } catch (error) {
    // The error of a lost session would hide this one.
    await session.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** An interrupted build leaves an invalid index, whose name the next build needs. */
async function dropUnfinishedIndex(
  session: SessionClient,
  [statement = '']: readonly string[],
): Promise<void> {
  const [, name] = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/.exec(statement) ?? [];
  if (name === undefined) return;
  const { rows } = await session.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  if (rows.length > 0) await session.query(`DROP INDEX CONCURRENTLY ${name}`);
}

/** Polls: a waiting statement would hold a snapshot that CREATE INDEX CONCURRENTLY awaits, a deadlock. */
async function waitForOthers(session: SessionClient): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ isFree: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('keyport/migrate', 0)) AS "isFree"`,
    );
    if (rows[0]?.isFree === true) return;
    await sleep(OTHERS_PAUSE_MS);
  }
}
