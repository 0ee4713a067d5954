/**
 * The secrets that an installation makes for itself once and then keeps for ever: each is the key of a function whose
 * results are stored, so none can be replaced without losing what they recognise. Loaded once, at start.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { must } from '@keyport/core/assert';
import type { Database } from '../db/database.ts';
import { KEY_SIZE_BYTES, UnwrapError, unwrap, wrap } from './envelope.ts';
import { insertServiceSecrets, listServiceSecrets } from './secrets.sql.ts';

export type ServiceSecrets = {
  /** Recognises a product key that was imported before (Invariant I27). */
  readonly codeMac: KeyObject;
  /** Hashes client secrets (A26). */
  readonly clientSecretMac: KeyObject;
  /** Hides the serial in order ids (A6). 32 bytes. */
  readonly orderId: Buffer;
};

const NAMES = ['code-mac', 'client-secret-mac', 'order-id'] as const;
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

/** The secrets, made first where they are missing, by whichever node comes first. Throws WrongMasterKeyError. */
export async function loadServiceSecrets(
  database: Pick<Database, 'kysely'>,
  masterKey: KeyObject,
): Promise<ServiceSecrets> {
  let stored = await readSecrets(database, masterKey);
  const missing = NAMES.filter((name) => !stored.has(name));
  if (missing.length > 0) {
    const made = missing.map((name) => ({
      name,
      wrapped: wrap(masterKey, randomBytes(KEY_SIZE_BYTES), contextOf(name)),
    }));
    await insertServiceSecrets(database.kysely, made);
    stored = await readSecrets(database, masterKey);
  }
  const secretOf = (name: SecretName) => must(stored.get(name), `the service secret ${name}`);
  return {
    codeMac: createSecretKey(secretOf('code-mac')),
    clientSecretMac: createSecretKey(secretOf('client-secret-mac')),
    orderId: secretOf('order-id'),
  };
}

async function readSecrets(
  { kysely }: Pick<Database, 'kysely'>,
  masterKey: KeyObject,
): Promise<Map<string, Buffer>> {
  const rows = await listServiceSecrets(kysely);
  try {
    return new Map(rows.map(({ name, wrapped }) => [name, unwrap(masterKey, wrapped, contextOf(name))]));
  } catch (error) {
    throw error instanceof UnwrapError ? new WrongMasterKeyError(error) : error;
  }
}

function contextOf(name: string): string {
  return `service-secret/${name}`;
}
