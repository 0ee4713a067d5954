/** A row names the current key, so that all nodes switch together. I42. */
import type { Tx } from '../db/schema.ts';
import { UnwrapError, unwrap, type Wrapped, wrap } from './envelope.ts';
import { findNewest, type MasterKey } from './master-key-file.ts';
import { lockCurrentMasterKey } from './master-keys.sql.ts';

export type MasterKeys = ReturnType<typeof createMasterKeys>;

/** This node's file lacks the current key. */
export class MasterKeyMissingError extends Error {
  override readonly name = 'MasterKeyMissingError';
  constructor(id: string) {
    super(`the database uses the master key ${id}, which is not in this node's key file: add it there`);
  }
}

/** `given` contains this node's keys, newest last. */
export function createMasterKeys(
  given: readonly MasterKey[],
  readAgain: () => Promise<readonly MasterKey[]>,
) {
  let keys = given;
  return {
    list: () => keys,
    replace(others: readonly MasterKey[]) {
      keys = others;
    },
    /** A rotation waits for the end of `tx`. Throws MasterKeyMissingError. */
    async wrap(tx: Tx, secret: Buffer, name: string): Promise<Wrapped> {
      const id = await lockCurrentMasterKey(tx, findNewest(keys).id);
      const masterKey = keys.find((key) => key.id === id);
      if (masterKey === undefined) throw new MasterKeyMissingError(id);
      return { wrapped: wrap(masterKey.key, secret, name), masterKeyId: id };
    },
    /** Reads the key file again if it lacked the value's key. Throws UnwrapError. */
    async unwrap(stored: Wrapped, name: string): Promise<Buffer> {
      try {
        return unwrapWith(keys, stored, name);
      } catch (error) {
        const { masterKeyId } = stored;
        if (masterKeyId === null || keys.some(({ id }) => id === masterKeyId)) throw error;
        keys = await readAgain().catch(() => keys);
        return unwrapWith(keys, stored, name);
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
