/** The authenticated data names the secret, so that no secret can replace another. A250. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** `masterKeyId`: null if wrapped before master keys had ids. */
export type Wrapped = { readonly wrapped: Buffer; readonly masterKeyId: string | null };

export const CIPHER = 'aes-256-gcm';
export const NONCE_SIZE_BYTES = 12;
/** Without a fixed size Node accepts a tag of four bytes, which can be guessed. */
export const TAG_SIZE_BYTES = 16;
export const KEY_SIZE_BYTES = 32;
const LAYOUT = Buffer.from([1]);

/** The value was wrapped with a different key or name, or was changed. */
export class UnwrapError extends Error {
  override readonly name = 'UnwrapError';
  constructor(name: string, cause?: unknown) {
    super(`${name} cannot be opened with this master key`, { cause });
  }
}

export const NAME_OF = {
  dataKey: (id: number | string) => `data-key/${id}`,
  serviceSecret: (name: string) => `service-secret/${name}`,
  signingKey: (kid: string) => `signing-key/${kid}`,
  webhookSecret: (id: string) => `webhook-secret/${id}`,
} as const;

/** Layout byte, nonce, ciphertext, tag. */
export function wrap(masterKey: KeyObject, secret: Buffer, name: string): Buffer {
  const nonce = randomBytes(NONCE_SIZE_BYTES);
  const cipher = createCipheriv(CIPHER, masterKey, nonce, { authTagLength: TAG_SIZE_BYTES });
  cipher.setAAD(authenticatedData(name));
  return Buffer.concat([LAYOUT, nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

export function unwrap(masterKey: KeyObject, wrapped: Buffer, name: string): Buffer {
  const nonceEnd = LAYOUT.length + NONCE_SIZE_BYTES;
  const tagStart = wrapped.length - TAG_SIZE_BYTES;
  if (tagStart < nonceEnd || !wrapped.subarray(0, LAYOUT.length).equals(LAYOUT)) throw new UnwrapError(name);
  const nonce = wrapped.subarray(LAYOUT.length, nonceEnd);
  const decipher = createDecipheriv(CIPHER, masterKey, nonce, { authTagLength: TAG_SIZE_BYTES });
  decipher.setAAD(authenticatedData(name));
  decipher.setAuthTag(wrapped.subarray(tagStart));
  try {
    return Buffer.concat([decipher.update(wrapped.subarray(nonceEnd, tagStart)), decipher.final()]);
  } catch (error) {
    throw new UnwrapError(name, error);
  }
}

function authenticatedData(name: string): Buffer {
  return Buffer.from(`keyport/${name}`);
}
