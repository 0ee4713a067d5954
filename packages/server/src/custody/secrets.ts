/**
 * The secrets that an installation makes for itself once and then keeps for ever: each is the key of a function whose
 * results are stored, so none can be replaced without losing what they recognise. They are random and not derived from
 * the master key: after a rotation of that they are the same, wrapped anew. Loaded once, at start.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { must } from '@keyport/core/assert';
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { KEY_SIZE_BYTES, NAME_OF, UnwrapError } from './envelope.ts';
import type { MasterKeys } from './master-keys.ts';
import { insertServiceSecrets, listServiceSecrets, type WrappedSecret } from './secrets.sql.ts';

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

const NAMES = ['code-mac', 'client-secret-mac', 'order-id', 'audit-mac'] as const;
type SecretName = (typeof NAMES)[number];

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

/**
 * The secrets, made first where they are missing, by whichever node comes first. `onAuditMacMade` runs in the transaction
 * that stores the key of the audit chain, once in the life of an installation. Throws WrongMasterKeyError.
 */
export async function loadServiceSecrets(
  database: Database,
  masterKeys: MasterKeys,
  onAuditMacMade: (tx: Transaction<Schema>, auditMac: KeyObject) => Promise<void>,
): Promise<ServiceSecrets> {
  let stored = await readSecrets(database, masterKeys);
  const missing = NAMES.filter((name) => !stored.has(name));
  if (missing.length > 0) {
    await runTransaction(database, {}, async (tx) => {
      const made: WrappedSecret[] = [];
      const secrets = new Map(missing.map((name) => [name, randomBytes(KEY_SIZE_BYTES)] as const));
      for (const [name, secret] of secrets) {
        made.push({ name, ...(await masterKeys.wrap(tx, secret, NAME_OF.serviceSecret(name))) });
      }
      const auditMac = secrets.get('audit-mac');
      const stays = await insertServiceSecrets(tx, made);
      if (auditMac !== undefined && stays.includes('audit-mac')) {
        await onAuditMacMade(tx, createSecretKey(auditMac));
      }
    });
    stored = await readSecrets(database, masterKeys);
  }
  const secretOf = (name: SecretName) => must(stored.get(name), `the service secret ${name}`);
  return {
    codeMac: createSecretKey(secretOf('code-mac')),
    clientSecretMac: createSecretKey(secretOf('client-secret-mac')),
    orderId: secretOf('order-id'),
    auditMac: createSecretKey(secretOf('audit-mac')),
  };
}

/** The key of the audit chain alone; undefined before the first start that makes it. Throws WrongMasterKeyError. */
export async function findAuditMac(
  database: Database,
  masterKeys: MasterKeys,
): Promise<KeyObject | undefined> {
  const secret = (await readSecrets(database, masterKeys)).get('audit-mac');
  return secret === undefined ? undefined : createSecretKey(secret);
}

async function readSecrets({ kysely }: Database, masterKeys: MasterKeys): Promise<Map<string, Buffer>> {
  const secrets = new Map<string, Buffer>();
  try {
    for (const { name, ...stored } of await listServiceSecrets(kysely)) {
      secrets.set(name, await masterKeys.unwrap(stored, NAME_OF.serviceSecret(name)));
    }
  } catch (error) {
    throw error instanceof UnwrapError ? new WrongMasterKeyError(error) : error;
  }
  return secrets;
}
