/** Secrets have 256 random bits; a slow hash would only make the token endpoint easy to overload. A26. */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secret scanners find leaked secrets by this prefix. */
const SECRET_PREFIX = 'kpsec_';
const SECRET_SIZE_BYTES = 32;
const MAC_SIZE_BYTES = 32;
export const LIVE_SECRET_COUNT_MAX = 2;

export function generateClientSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_SIZE_BYTES).toString('base64url');
}

/** Includes the client id, so that equal configured secrets have different hashes. */
export function hashClientSecret(macKey: KeyObject, clientId: string, secret: string): Buffer {
  // No client id contains the separator.
  return createHmac('sha256', macKey).update(`${clientId}\n${secret}`, 'utf8').digest();
}

/** Names a secret in its tokens. 72 bits of the hash reveal nothing about the secret. */
export function toSecretId(mac: Buffer): string {
  return mac.subarray(0, 9).toString('base64url');
}

/** Takes constant time, regardless of the number of live hashes. */
export function matchesLiveSecret(mac: Buffer, liveMacs: readonly Buffer[]): boolean {
  let isMatch = false;
  for (let index = 0; index < LIVE_SECRET_COUNT_MAX; index += 1) {
    const live = liveMacs[index];
    const isEqual = timingSafeEqual(live ?? NO_MAC, mac);
    isMatch = (isEqual && live !== undefined) || isMatch;
  }
  return isMatch;
}

const NO_MAC = Buffer.alloc(MAC_SIZE_BYTES);
