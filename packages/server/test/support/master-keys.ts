/** Master keys without a file. */
import { randomBytes } from 'node:crypto';
import { toMasterKey } from '../../src/custody/master-key-file.ts';
import { createMasterKeys, type MasterKeys } from '../../src/custody/master-keys.ts';

/** Two nodes of one installation share the result. */
export function testMasterKeys(): MasterKeys {
  const keys = [toMasterKey(randomBytes(32))];
  return createMasterKeys(keys, async () => keys);
}
