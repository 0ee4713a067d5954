/** A challenge carries its purpose and time, so that issuing it needs no write. */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

const RANDOM_SIZE_BYTES = 16;
const TIME_SIZE_BYTES = 6;
const MAC_SIZE_BYTES = 32;
const SIZE_BYTES = RANDOM_SIZE_BYTES + TIME_SIZE_BYTES + MAC_SIZE_BYTES;
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

export function makeChallenge(key: KeyObject, use: string): Buffer {
  const time = Buffer.alloc(TIME_SIZE_BYTES);
  time.writeUIntBE(Date.now(), 0, TIME_SIZE_BYTES);
  const facts = Buffer.concat([randomBytes(RANDOM_SIZE_BYTES), time]);
  return Buffer.concat([facts, computeMac(key, use, facts)]);
}

/** Undefined: made elsewhere, for another use, or too long ago. */
export function readChallenge(key: KeyObject, use: string, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== SIZE_BYTES) return undefined;
  const facts = bytes.subarray(0, -MAC_SIZE_BYTES);
  const mac = bytes.subarray(-MAC_SIZE_BYTES);
  if (!timingSafeEqual(mac, computeMac(key, use, facts))) return undefined;
  const ageMs = Date.now() - facts.readUIntBE(RANDOM_SIZE_BYTES, TIME_SIZE_BYTES);
  return ageMs < CHALLENGE_LIFETIME_MS ? mac : undefined;
}

function computeMac(key: KeyObject, use: string, facts: Buffer): Buffer {
  return createHmac('sha256', key).update(`challenge/${use}\n`).update(facts).digest();
}
