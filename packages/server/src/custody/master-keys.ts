/** Wraps under the key of a row of the database, so that all nodes change over at one moment. I42. */
import type { Tx } from '../db/schema.ts';
import { UnwrapError, unwrap, type Wrapped, wrap } from './envelope.ts';
import { type MasterKey, newestOf } from './master-key-file.ts';
import { lockCurrentMasterKey } from './master-keys.sql.ts';

export type MasterKeys = {
  /** Newest last. */
  list(): readonly MasterKey[];
  replace(keys: readonly MasterKey[]): void;
  /** A rotation waits for the end of `tx`. Throws MasterKeyMissingError. */
  wrap(tx: Tx, secret: Buffer, name: string): Promise<Wrapped>;
  /** Reads the key file again if its key is not held yet. Throws UnwrapError. */
  unwrap(stored: Wrapped, name: string): Promise<Buffer>;
};

/** This node's file lacks the current key. */
export class MasterKeyMissingError extends Error {
  override readonly name = 'MasterKeyMissingError';
  constructor(id: string) {
    super(`the database is under the master key ${id}, which is not in this node's key file: add it there`);
  }
}

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
        held = await readAgain().catch(() => held);
        return unwrapWith(held, stored, name);
      }
    },
  };
}

/** Tries all keys if the value names none. Throws UnwrapError. */
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
