/**
 * Secrets are created once, in an empty database, because new ones would not match the stored data (A250).
 * They are not derived from the master key, so a rotation keeps them.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { must } from '@keyport/core/assert';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { KEY_SIZE_BYTES, NAME_OF, UnwrapError } from './envelope.ts';
import type { MasterKeys } from './master-keys.ts';
import * as sql from './secrets.sql.ts';

export type ServiceSecrets = {
  /** A58. */
  readonly codeMac: KeyObject;
  /** A26. */
  readonly clientSecretMac: KeyObject;
  /** A6. 32 bytes. */
  /** A107. */
  readonly auditMac: KeyObject;
};

const USES = {
  'code-mac': 'recognizes product keys that were imported before',
  'client-secret-mac': 'checks the secrets of all clients',
  'audit-mac': 'proves that the audit log is complete',
} as const;
type SecretName = keyof typeof USES;
const NAMES = Object.keys(USES) as SecretName[];

export class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError';
  constructor(cause: UnwrapError) {
    super(
      'the master key does not open this database, which was set up with a different one. Configure the file with that key',
      { cause },
    );
  }
}

export class MissingSecretError extends Error {
  override readonly name = 'MissingSecretError';
  constructor(missing: readonly SecretName[]) {
    const lines = missing.map((name) => `  ${name} ${USES[name]}`);
    super(
      'this database is in use, but rows of its table service_secret are missing:\n' +
        `${lines.join('\n')}\n` +
        'New secrets would not match the stored data, so none were created and nothing was changed. Restore the rows from a ' +
        'backup of this database (docs/incidents.md, "A missing service secret"), and restart.',
    );
  }
}

/** `onAuditMacMade` is called once per installation. Throws WrongMasterKeyError and MissingSecretError. */
export async function loadServiceSecrets(
  database: Database,
  masterKeys: MasterKeys,
  onAuditMacMade: (tx: Tx, auditMac: KeyObject) => Promise<void>,
): Promise<ServiceSecrets> {
  let stored = await readSecrets(database.db, masterKeys);
  if (missingIn(stored).length > 0) {
    stored = await runTransaction(database, {}, async (tx) => {
      await sql.lockSecrets(tx);
      const found = await readSecrets(tx, masterKeys);
      if (!(await mayMakeSecrets(tx, found))) return found;
      const made = new Map(NAMES.map((name) => [name, randomBytes(KEY_SIZE_BYTES)] as const));
      const wrapped: sql.WrappedSecret[] = [];
      for (const [name, secret] of made)
        wrapped.push({ name, ...(await masterKeys.wrap(tx, secret, NAME_OF.serviceSecret(name))) });
      await sql.insertServiceSecrets(tx, wrapped);
      await onAuditMacMade(tx, createSecretKey(secretIn(made, 'audit-mac')));
      return made;
    });
  }
  return {
    codeMac: createSecretKey(secretIn(stored, 'code-mac')),
    clientSecretMac: createSecretKey(secretIn(stored, 'client-secret-mac')),
    auditMac: createSecretKey(secretIn(stored, 'audit-mac')),
  };
}

/** Undefined before the first start. Throws WrongMasterKeyError and MissingSecretError. */
export async function findAuditMac({ db }: Database, masterKeys: MasterKeys): Promise<KeyObject | undefined> {
  const stored = await readSecrets(db, masterKeys);
  if (await mayMakeSecrets(db, stored)) return undefined;
  return createSecretKey(secretIn(stored, 'audit-mac'));
}

function missingIn(stored: ReadonlyMap<string, Buffer>): SecretName[] {
  return NAMES.filter((name) => !stored.has(name));
}

function secretIn(secrets: ReadonlyMap<string, Buffer>, name: SecretName): Buffer {
  return must(secrets.get(name), `the service secret ${name}`);
}

/** False if all exist. They are created together, so an installation with some of them is not new. */
async function mayMakeSecrets(db: Db, stored: ReadonlyMap<string, Buffer>): Promise<boolean> {
  const missing = missingIn(stored);
  if (missing.length === 0) return false;
  if (stored.size > 0 || !(await sql.isUnused(db))) throw new MissingSecretError(missing);
  return true;
}

async function readSecrets(db: Db, masterKeys: MasterKeys): Promise<Map<string, Buffer>> {
  const secrets = new Map<string, Buffer>();
  try {
    for (const { name, ...stored } of await sql.listServiceSecrets(db)) {
      secrets.set(name, await masterKeys.unwrap(stored, NAME_OF.serviceSecret(name)));
    }
  } catch (error) {
    throw error instanceof UnwrapError ? new WrongMasterKeyError(error) : error;
  }
  return secrets;
}
