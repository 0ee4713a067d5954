/**
 * The secrets of sessions and of one-time links. A token carries a keyed proof that it was made here, so a made-up one
 * costs no look into the database; what is stored is another keyed hash, from which no token can be made.
 */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

const RANDOM_SIZE_BYTES = 32;
const PROOF_SIZE_BYTES = 16;

/** 48 bytes fill 64 characters, so a token has one spelling only. */
const TOKEN = /^[A-Za-z0-9_-]{64}$/;

export type TokenUse = 'session' | 'link';

export type Token = {
  /** What its holder keeps. */
  readonly text: string;
  /** What is stored. */
  readonly mac: Buffer;
};

export function issueToken(key: KeyObject, use: TokenUse): Token {
  return tokenOf(key, use, randomBytes(RANDOM_SIZE_BYTES));
}

/** Undefined: it was not made here for this use. */
export function readToken(key: KeyObject, use: TokenUse, text: string): Token | undefined {
  if (!TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const random = bytes.subarray(0, RANDOM_SIZE_BYTES);
  const isOurs = timingSafeEqual(bytes.subarray(RANDOM_SIZE_BYTES), proofOf(key, use, random));
  return isOurs ? tokenOf(key, use, random) : undefined;
}

/** What only the pages of the session's holder know: a request that has the cookie alone was not made by them. */
export function csrfTokenOf(key: KeyObject, { text }: Token): string {
  return hash(key, 'csrf', text).toString('base64url');
}

function tokenOf(key: KeyObject, use: TokenUse, random: Buffer): Token {
  const text = Buffer.concat([random, proofOf(key, use, random)]).toString('base64url');
  return { text, mac: hash(key, `${use}/stored`, random) };
}

function proofOf(key: KeyObject, use: TokenUse, random: Buffer): Buffer {
  return hash(key, `${use}/proof`, random).subarray(0, PROOF_SIZE_BYTES);
}

function hash(key: KeyObject, use: string, value: Buffer | string): Buffer {
  return createHmac('sha256', key).update(`${use}\n`).update(value).digest();
}
