import type { KeyObject } from 'node:crypto';
import type { Config } from '@keyport/server/config';
import type { Database } from '@keyport/server/db/engines/database';

/**
 * Undefined before the first start of the service, and when no master key file is configured and the data
 * folder has no matching one. Creates no file. Throws MasterKeyError and WrongMasterKeyError for a configured
 * file.
 */
export async function findAuditKey(config: Config, database: Database): Promise<KeyObject | undefined> {
  const { masterKeyFileOf, readMasterKeys } = await import('@keyport/server/custody/master-key-file');
  const { createMasterKeys } = await import('@keyport/server/custody/master-keys');
  const { findAuditMac } = await import('@keyport/server/custody/secrets');
  const file = masterKeyFileOf(config);
  if (file === undefined) return undefined;
  try {
    const keys = await readMasterKeys(file);
    return await findAuditMac(
      database,
      createMasterKeys(keys, async () => keys),
    );
  } catch (error) {
    const isKeyProblem =
      error instanceof Error && ['MasterKeyError', 'WrongMasterKeyError'].includes(error.name);
    if (isKeyProblem && config.masterKeyFile === undefined) return undefined;
    throw error;
  }
}
