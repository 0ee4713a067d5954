/**
 * The master keys that this process holds, and what is done with them: wrap a secret under the one that the whole
 * installation wraps with now (a row of the database, so that all nodes change over at one moment), and open what was
 * wrapped under any of them. Rotation: rotation.ts. Invariant I42.
 */
import type { Tx } from '../db/schema.ts';
import { UnwrapError, unwrap, type Wrapped, wrap } from './envelope.ts';
import { type MasterKey, newestOf } from './master-key-file.ts';
import { lockCurrentMasterKey } from './master-keys.sql.ts';

export type MasterKeys = {
  /** The keys that this process holds, newest last. */
  list(): readonly MasterKey[];
  replace(keys: readonly MasterKey[]): void;
  /** Wraps under the current key; a rotation waits for the end of `tx`. Throws MasterKeyMissingError. */
  wrap(tx: Tx, secret: Buffer, name: string): Promise<Wrapped>;
  /** The secret. Reads the key file again when its key is not held yet. Throws UnwrapError. */
  unwrap(stored: Wrapped, name: string): Promise<Buffer>;
};

/** Another node, or a command, has changed over to a key that this node's file does not have. */
export class MasterKeyMissingError extends Error {
  override readonly name = 'MasterKeyMissingError';
  constructor(id: string) {
    super(`the database is under the master key ${id}, which is not in this node's key file: add it there`);
  }
}

/** `readAgain` gives the keys of the file as it is now. */
export function createMasterKeys(
  keys: readonly MasterKey[],
  readAgain: () => Promise<readonly MasterKey[]>,
): MasterKeys {
  let held = keys;
  return {
    list: () => held,
    replace(others) {
      held = others;
    },
    async wrap(tx, secret, name) {
      const id = await lockCurrentMasterKey(tx, newestOf(held).id);
      const masterKey = held.find((key) => key.id === id);
      if (masterKey === undefined) throw new MasterKeyMissingError(id);
      return { wrapped: wrap(masterKey.key, secret, name), masterKeyId: id };
    },
    async unwrap(stored, name) {
      try {
        return unwrapWith(held, stored, name);
      } catch (error) {
        const { masterKeyId } = stored;
        if (masterKeyId === null || held.some(({ id }) => id === masterKeyId)) throw error;
        // A file that cannot be read at this moment has no more to say than what is held.
        held = await readAgain().catch(() => held);
        return unwrapWith(held, stored, name);
      }
    },
  };
}

/** Opens with the key that the value names, or tries all when it names none. Throws UnwrapError. */
export function unwrapWith(
  keys: readonly MasterKey[],
  { wrapped, masterKeyId }: Wrapped,
  name: string,
): Buffer {
  const candidates = keys.filter(({ id }) => masterKeyId === null || id === masterKeyId);
  let failure = new UnwrapError(name);
  for (const { key } of candidates) {
    try {
      return unwrap(key, wrapped, name);
    } catch (error) {
      if (!(error instanceof UnwrapError)) throw error;
      failure = error;
    }
  }
  throw failure;
}
