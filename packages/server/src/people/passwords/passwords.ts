/** OWASP's second recommendation for argon2id: 47 ms on the machine of the benchmarks. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { toRange } from '@keyport/http/admission/addresses';
import { PasswordQueue } from './password-queue.ts';

const COSTS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_SIZE_BYTES = 32;
const SALT_SIZE_BYTES = 16;
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const compute = promisify(argon2);
const queue = new PasswordQueue();

/** The range of signed-in people. It has no failures, so it comes first. */
const SIGNED_IN = '';

/** Throws service-unavailable. */
function argon2id(
  password: string,
  salt: Buffer,
  costs: { readonly memory: number; readonly passes: number; readonly parallelism: number },
  range: string,
): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'), 'utf8');
  return queue.run(range, () =>
    compute('argon2id', { message, nonce: salt, tagLength: TAG_SIZE_BYTES, ...costs }),
  );
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_SIZE_BYTES);
  const tag = await argon2id(password, salt, COSTS, SIGNED_IN);
  const { memory, passes, parallelism } = COSTS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(salt)}$${bare(tag)}`;
}

/** Takes equally long if the person is unknown or has no password (null). */
export async function isPassword(password: string, hash: string | null, address: string): Promise<boolean> {
  const range = toRange(address);
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

function bare(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
