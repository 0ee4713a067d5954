/**
 * Client secrets: how they are made, hashed and compared. They carry 256 random bits, so a keyed hash is enough and a
 * slow password hash would only make the token endpoint easy to overload. A secret is shown once and never stored,
 * logged or put into an error. A26.
 */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secret scanners find leaked secrets by this prefix. */
const SECRET_PREFIX = 'kpsec_';
const SECRET_SIZE_BYTES = 32;

const MAC_SIZE_BYTES = 32;

/** At most two, so that a client can change to a new secret before the old one ends. */
export const LIVE_SECRET_COUNT_MAX = 2;

export function generateClientSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_SIZE_BYTES).toString('base64url');
}

/** The stored hash of a secret. Bound to its client, so that equal configured secrets do not show as equal rows. */
export function hashClientSecret(macKey: KeyObject, clientId: string, secret: string): Buffer {
  // No client id has the separator, so no two pairs give the same text.
  return createHmac('sha256', macKey).update(`${clientId}\n${secret}`, 'utf8').digest();
}

/** Whether one of the live hashes is `mac`. Takes the same time for none, one or two live hashes and for any match. */
export function matchesLiveSecret(mac: Buffer, liveMacs: readonly Buffer[]): boolean {
  let isMatch = false;
  for (let index = 0; index < LIVE_SECRET_COUNT_MAX; index += 1) {
    const live = liveMacs[index];
    const isEqual = timingSafeEqual(live ?? NO_MAC, mac);
    isMatch = (isEqual && live !== undefined) || isMatch;
  }
  return isMatch;
}

/** Compared where there is no live secret, so that the time taken does not reveal how many there are. */
const NO_MAC = Buffer.alloc(MAC_SIZE_BYTES);
