import type { KeyObject } from 'node:crypto';
import type { Config } from '@keyport/server/config';
import type { Database } from '@keyport/server/db/engines/database';
import { CommandFailure } from '../failure.ts';

/** Throws DataFolderInUseError while a service has the embedded database open. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { toDatabaseOptions, openDatabase } = await import('@keyport/server/db/engines/database');
  const database = await openDatabase(toDatabaseOptions(config));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export async function requireMigrated(database: Database): Promise<void> {
  const { pendingMigrations } = await import('@keyport/server/db/migrations/migrate');
  const pending = await pendingMigrations(database);
  if (pending.length > 0)
    throw new CommandFailure(`the schema lacks ${pending.join(', ')}: run \`keyport migrate\` first`);
}

/** Calls `request` if another process has the embedded database, which only one can open. */
export async function withDatabaseOr<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
  request: () => Promise<Result>,
): Promise<Result> {
  if (config.databaseUrl === undefined && config.dataDir === 'memory') return request();
  try {
    return await withDatabase(config, work);
  } catch (error) {
    if (error instanceof Error && error.name === 'DataFolderInUseError') return request();
    throw error;
  }
}

/** Returns undefined before the service's first start, and without a matching master key file. */
export async function findAuditKey(config: Config, database: Database): Promise<KeyObject | undefined> {
  const { toMasterKeyFile, readMasterKeys } = await import('@keyport/server/custody/master-key-file');
  const { createMasterKeys } = await import('@keyport/server/custody/master-keys');
  const { findAuditMac } = await import('@keyport/server/custody/secrets');
  const file = toMasterKeyFile(config);
  if (file === undefined) return undefined;
  try {
    const keys = await readMasterKeys(file);
    const masterKeys = createMasterKeys(keys, async () => keys);
    return await findAuditMac(database, masterKeys);
  } catch (error) {
    const isKeyProblem =
      error instanceof Error && ['MasterKeyError', 'WrongMasterKeyError'].includes(error.name);
    if (isKeyProblem && config.masterKeyFile === undefined) return undefined;
    throw error;
  }
}
