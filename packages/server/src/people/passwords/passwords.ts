/**
 * Passwords, as argon2id with OWASP's second set of costs (19 MiB, two passes; 47 ms on the machine of the benchmarks). One is
 * computed at a time: Node computes them on the few threads that name lookups and files need too.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { rangeOf } from '@keyport/http/admission/addresses';
import { PasswordQueue } from './password-queue.ts';

const COSTS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_SIZE_BYTES = 32;
const SALT_SIZE_BYTES = 16;

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const compute = promisify(argon2);

const queue = new PasswordQueue();

/** People who are signed in, and come before those who are not. */
const SIGNED_IN = '';

/** In its turn. Throws service-unavailable when too many wait. */
function argon2id(
  password: string,
  salt: Buffer,
  costs: { readonly memory: number; readonly passes: number; readonly parallelism: number },
  range: string,
): Promise<Buffer> {
  // The same letters can be written in several ways.
  const message = Buffer.from(password.normalize('NFKC'), 'utf8');
  return queue.run(range, () =>
    compute('argon2id', { message, nonce: salt, tagLength: TAG_SIZE_BYTES, ...costs }),
  );
}

/** With salt and costs, in the usual form. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_SIZE_BYTES);
  const tag = await argon2id(password, salt, COSTS, SIGNED_IN);
  const { memory, passes, parallelism } = COSTS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(salt)}$${bare(tag)}`;
}

/** Takes equally long without a password, and without a person (null). `address`: of who sent it. */
export async function isPassword(password: string, hash: string | null, address: string): Promise<boolean> {
  const range = rangeOf(address);
  const isRight = await matches(password, hash, range);
  if (!isRight) queue.recordFailure(range);
  return isRight;
}

async function matches(password: string, hash: string | null, range: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = FORM.exec(hash ?? '') ?? [];
  if (salt === undefined || tag === undefined) {
    await argon2id(password, Buffer.alloc(SALT_SIZE_BYTES), COSTS, range);
    return false;
  }
  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const computed = await argon2id(password, Buffer.from(salt, 'base64'), costs, range);
  const stored = Buffer.from(tag, 'base64');
  return stored.length === computed.length && timingSafeEqual(stored, computed);
}

/** Base64 without padding. */
function bare(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
