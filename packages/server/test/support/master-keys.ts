/** Master keys without a file, for tests of what is wrapped under them. */
import { randomBytes } from 'node:crypto';
import { masterKeyOf } from '../../src/custody/master-key-file.ts';
import { createMasterKeys, type MasterKeys } from '../../src/custody/master-keys.ts';

/** One new key. Two nodes of one installation share what this gives. */
export function testMasterKeys(): MasterKeys {
  const keys = [masterKeyOf(randomBytes(32))];
  return createMasterKeys(keys, async () => keys);
}
