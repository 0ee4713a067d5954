import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { KEY_SIZE_BYTES } from './envelope.ts';

/** `use` is, for example, `write-record/seal`. */
export function deriveKey(secret: KeyObject, use: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `keyport/${use}`, KEY_SIZE_BYTES)));
}
