/** A keyed proof in each token exposes forgeries without a query. The database stores another keyed hash. */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

const TIME_SIZE_BYTES = 6;
const RANDOM_SIZE_BYTES = 26;
const ID_SIZE_BYTES = RANDOM_SIZE_BYTES + TIME_SIZE_BYTES;
const PROOF_SIZE_BYTES = 16;
/** 48 bytes fill 64 characters, so each token has one spelling. */
const TOKEN = /^[A-Za-z0-9_-]{64}$/;

export type TokenUse = 'session' | 'link';

export type Token = {
  readonly id: Buffer;
  readonly text: string;
  readonly mac: Buffer;
  /** Random in tokens of versions before 0.3.0. */
  readonly issuedAtMs: number;
};

export function issueToken(key: KeyObject, use: TokenUse): Token {
  const id = randomBytes(ID_SIZE_BYTES);
  id.writeUIntBE(Date.now(), RANDOM_SIZE_BYTES, TIME_SIZE_BYTES);
  return toToken(key, use, id);
}

/** Undefined if not made here for this use. */
export function readToken(key: KeyObject, use: TokenUse, text: string): Token | undefined {
  if (!TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const id = bytes.subarray(0, ID_SIZE_BYTES);
  const isOurs = timingSafeEqual(bytes.subarray(ID_SIZE_BYTES), computeProof(key, use, id));
  return isOurs ? toToken(key, use, id) : undefined;
}

/** Only pages of the session's holder can read it. */
export function toCsrfToken(key: KeyObject, { text }: Token): string {
  return hash(key, 'csrf', text).toString('base64url');
}

export function toToken(key: KeyObject, use: TokenUse, id: Buffer): Token {
  const text = Buffer.concat([id, computeProof(key, use, id)]).toString('base64url');
  const issuedAtMs = id.readUIntBE(RANDOM_SIZE_BYTES, TIME_SIZE_BYTES);
  return { id, text, mac: hash(key, `${use}/stored`, id), issuedAtMs };
}

function computeProof(key: KeyObject, use: TokenUse, id: Buffer): Buffer {
  return hash(key, `${use}/proof`, id).subarray(0, PROOF_SIZE_BYTES);
}

function hash(key: KeyObject, use: string, value: Buffer | string): Buffer {
  return createHmac('sha256', key).update(`${use}\n`).update(value).digest();
}
