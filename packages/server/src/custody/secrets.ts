/**
 * The secrets that an installation makes for itself once and then keeps forever: each is the key of a function whose
 * results are stored, so none can be replaced without losing what they recognise. They are made in an empty database
 * only. If a missing one were recreated, deleting its row would restart the audit chain unnoticed (A250). They are
 * random and not derived from the master key: after a rotation of that they are the same, wrapped again. Loaded once, at
 * start.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { must } from '@keyport/core/assert';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { KEY_SIZE_BYTES, NAME_OF, UnwrapError } from './envelope.ts';
import type { MasterKeys } from './master-keys.ts';
import {
  insertServiceSecrets,
  isUnused,
  listServiceSecrets,
  lockSecrets,
  type WrappedSecret,
} from './secrets.sql.ts';

export type ServiceSecrets = {
  /** Recognises a product key that was imported before (Invariant I27). */
  readonly codeMac: KeyObject;
  /** Hashes client secrets (A26). */
  readonly clientSecretMac: KeyObject;
  /** Hides the serial in order ids (A6). 32 bytes. */
  readonly orderId: Buffer;
  /** Chains the audit log (A107). */
  readonly auditMac: KeyObject;
};

const USES = {
  'code-mac': 'recognises product keys that were imported before',
  'client-secret-mac': 'checks the secrets of all clients',
  'order-id': 'keeps order ids unique',
  'audit-mac': 'proves that the audit log is whole',
} as const;
type SecretName = keyof typeof USES;
const NAMES = Object.keys(USES) as SecretName[];

/** The database was set up under another master key. Starting with this one would make a second, useless set. */
export class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError';
  constructor(cause: UnwrapError) {
    super(
      'the master key does not open this database: it was set up with another one. Configure that key file again',
      { cause },
    );
  }
}

/** A row of service_secret is gone from a database that is in use. */
export class MissingSecretError extends Error {
  override readonly name = 'MissingSecretError';
  constructor(missing: readonly SecretName[]) {
    const lines = missing.map((name) => `  ${name} ${USES[name]}`);
    super(
      'this database is in use, but rows of its table service_secret are missing:\n' +
        `${lines.join('\n')}\n` +
        'New ones would not fit what is stored, so none were made and nothing was changed. Restore these rows from a ' +
        'backup of this database, as docs/incidents.md says under "A missing service secret", and start again.',
    );
  }
}

/**
 * The secrets, made first in an empty database by whichever node comes first. `onAuditMacMade` runs in the transaction
 * that stores the key of the audit chain, once in the life of an installation. Throws WrongMasterKeyError and
 * MissingSecretError.
 */
export async function loadServiceSecrets(
  database: Database,
  masterKeys: MasterKeys,
  onAuditMacMade: (tx: Tx, auditMac: KeyObject) => Promise<void>,
): Promise<ServiceSecrets> {
  let stored = await readSecrets(database.kysely, masterKeys);
  if (missingIn(stored).length > 0) {
    stored = await runTransaction(database, {}, async (tx) => {
      // Another node may have made them, and be in use, since they were read.
      await lockSecrets(tx);
      const found = await readSecrets(tx, masterKeys);
      if (!(await mayMakeSecrets(tx, found))) return found;
      const made = new Map(NAMES.map((name) => [name, randomBytes(KEY_SIZE_BYTES)] as const));
      await storeSecrets(tx, masterKeys, made);
      await onAuditMacMade(tx, createSecretKey(secretIn(made, 'audit-mac')));
      return made;
    });
  }
  return {
    codeMac: createSecretKey(secretIn(stored, 'code-mac')),
    clientSecretMac: createSecretKey(secretIn(stored, 'client-secret-mac')),
    orderId: secretIn(stored, 'order-id'),
    auditMac: createSecretKey(secretIn(stored, 'audit-mac')),
  };
}

/**
 * The key of the audit chain alone; undefined before the first start that makes it. Throws WrongMasterKeyError and
 * MissingSecretError.
 */
export async function findAuditMac(
  { kysely }: Database,
  masterKeys: MasterKeys,
): Promise<KeyObject | undefined> {
  const stored = await readSecrets(kysely, masterKeys);
  if (await mayMakeSecrets(kysely, stored)) return undefined;
  return createSecretKey(secretIn(stored, 'audit-mac'));
}

function missingIn(stored: ReadonlyMap<string, Buffer>): SecretName[] {
  return NAMES.filter((name) => !stored.has(name));
}

function secretIn(secrets: ReadonlyMap<string, Buffer>, name: SecretName): Buffer {
  return must(secrets.get(name), `the service secret ${name}`);
}

/** False when all exist. They are made together, so some of them are never the beginning of an installation. */
async function mayMakeSecrets(db: Db, stored: ReadonlyMap<string, Buffer>): Promise<boolean> {
  const missing = missingIn(stored);
  if (missing.length === 0) return false;
  if (stored.size > 0 || !(await isUnused(db))) throw new MissingSecretError(missing);
  return true;
}

async function storeSecrets(
  tx: Tx,
  masterKeys: MasterKeys,
  secrets: ReadonlyMap<SecretName, Buffer>,
): Promise<void> {
  const wrapped: WrappedSecret[] = [];
  for (const [name, secret] of secrets) {
    wrapped.push({ name, ...(await masterKeys.wrap(tx, secret, NAME_OF.serviceSecret(name))) });
  }
  await insertServiceSecrets(tx, wrapped);
}

async function readSecrets(db: Db, masterKeys: MasterKeys): Promise<Map<string, Buffer>> {
  const secrets = new Map<string, Buffer>();
  try {
    for (const { name, ...stored } of await listServiceSecrets(db)) {
      secrets.set(name, await masterKeys.unwrap(stored, NAME_OF.serviceSecret(name)));
    }
  } catch (error) {
    throw error instanceof UnwrapError ? new WrongMasterKeyError(error) : error;
  }
  return secrets;
}
