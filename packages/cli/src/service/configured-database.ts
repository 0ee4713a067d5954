/** The configured database, or the service that has it: one process can open the embedded database. */
import type { Config } from '@keyport/server/config';
import type { Database } from '@keyport/server/db/engines/database';
import { CommandFailure } from '../failure.ts';

/** Throws DataFolderInUseError when a service has the embedded database open. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  // Loaded late: the drivers take longer than most commands, which do not need them.
  const { databaseOptionsOf, openDatabase } = await import('@keyport/server/db/engines/database');
  const database = await openDatabase(databaseOptionsOf(config));
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

/** As withDatabase; calls `request` when another process has the database, in its memory or locked. */
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
