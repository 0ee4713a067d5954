/** The configured database, opened for one command without a service around it. */
import type { Config } from '@keyport/server/config';
import type { Database } from '@keyport/server/db/database';

/** Throws DataFolderInUseError when a service has the embedded database open. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  // Loaded late: the drivers take longer than most commands, which do without.
  const { databaseOptionsOf, openDatabase } = await import('@keyport/server/db/database');
  const database = await openDatabase(databaseOptionsOf(config));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
