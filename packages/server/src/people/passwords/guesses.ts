/** A426. */
import { createHmac, type KeyObject } from 'node:crypto';
import { ApiError } from '@keyport/http/replies/api-error';
import { createFailureLimit } from '../../access/clients/failure-limit.ts';

const WINDOW_MS = 15 * 60_000;
/** An operator locked out by others can still use links and passkeys. */
const OF_PERSON = { failuresMax: 10, windowMs: WINDOW_MS };
/** An office may share one address. */
const OF_ADDRESS = { failuresMax: 100, windowMs: WINDOW_MS };

export type Guesses = ReturnType<typeof createGuesses>;

export function createGuesses(key: KeyObject, onGuess: (source: string) => void) {
  const nowMs = () => performance.now();
  const ofPerson = createFailureLimit(nowMs, onGuess, OF_PERSON);
  const ofAddress = createFailureLimit(nowMs, onGuess, OF_ADDRESS);
  return {
    /** Undefined counts as wrong. Throws too-many-requests. */
    async allow<Found>(
      { address, person }: { readonly address: string; readonly person?: string },
      guess: () => Promise<Found | undefined>,
    ): Promise<Found | undefined> {
      const attempts = [await begin(ofAddress, address)];
      try {
        if (person !== undefined) attempts.push(await begin(ofPerson, nameOf(key, person)));
        const found = await guess();
        for (const attempt of attempts.splice(0)) attempt.end(found === undefined);
        return found;
      } finally {
        for (const attempt of attempts) attempt.end(false);
      }
    },
    recordElsewhere(source: string, count: number): void {
      const limit = source.startsWith(PERSON_PREFIX) ? ofPerson : ofAddress;
      limit.recordElsewhere(source, count);
    },
  };
}

const PERSON_PREFIX = 'person:';

/** Hashed, so that other nodes receive no email address. */
function nameOf(key: KeyObject, person: string): string {
  return PERSON_PREFIX + createHmac('sha256', key).update(`guess\n${person}`).digest('base64url');
}

async function begin(limit: ReturnType<typeof createFailureLimit>, source: string) {
  const attempt = await limit.begin(source);
  if (attempt !== undefined && attempt.waitMs === 0) return attempt;
  const waitMs = attempt?.waitMs ?? 1000;
  throw new ApiError('too-many-requests', {
    message:
      'Too many wrong attempts. Wait as long as Retry-After says, or use a sign-in link from an admin.',
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
