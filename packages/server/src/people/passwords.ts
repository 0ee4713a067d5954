/**
 * Passwords, as argon2id with OWASP's second set of costs (19 MiB, two passes; 47 ms on the machine of the benchmarks). One is
 * computed at a time: Node computes them on the few threads that name lookups and files need too.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError } from '../http/api-error.ts';

const COSTS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_SIZE_BYTES = 32;
const SALT_SIZE_BYTES = 16;

/** About two seconds of work. */
const WAITING_MAX = 40;

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const compute = promisify(argon2);

let waitingCount = 0;
let last: Promise<unknown> = Promise.resolve();

/** In its turn. Throws service-unavailable when too many wait. */
async function argon2id(
  password: string,
  salt: Buffer,
  costs: { readonly memory: number; readonly passes: number; readonly parallelism: number },
): Promise<Buffer> {
  if (waitingCount >= WAITING_MAX)
    throw new ApiError('service-unavailable', { headers: { 'retry-after': '2' } });
  waitingCount += 1;
  // The same letters can be written in several ways.
  const message = Buffer.from(password.normalize('NFKC'), 'utf8');
  const computing = last.then(() =>
    compute('argon2id', { message, nonce: salt, tagLength: TAG_SIZE_BYTES, ...costs }),
  );
  last = computing.catch(() => {});
  try {
    return await computing;
  } finally {
    waitingCount -= 1;
  }
}

/** With salt and costs, in the usual form. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_SIZE_BYTES);
  const tag = await argon2id(password, salt, COSTS);
  const { memory, passes, parallelism } = COSTS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(salt)}$${bare(tag)}`;
}

/** Takes equally long without a password, and without a person (null). */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = FORM.exec(hash ?? '') ?? [];
  if (salt === undefined || tag === undefined) {
    await argon2id(password, Buffer.alloc(SALT_SIZE_BYTES), COSTS);
    return false;
  }
  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const computed = await argon2id(password, Buffer.from(salt, 'base64'), costs);
  const stored = Buffer.from(tag, 'base64');
  return stored.length === computed.length && timingSafeEqual(stored, computed);
}

/** Base64 without padding. */
function bare(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
