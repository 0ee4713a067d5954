/** A426. */
import { ApiError } from '@keyport/http/replies/api-error';
import { createFailureLimit } from '../../access/clients/failure-limit.ts';

const WINDOW_MS = 15 * 60_000;
/** A person locked out by others can still use links and passkeys. */
const OF_PERSON = { failuresMax: 10, windowMs: WINDOW_MS };
/** An office may share one address. */
const OF_ADDRESS = { failuresMax: 100, windowMs: WINDOW_MS };

export type Guesses = ReturnType<typeof createGuesses>;

export function createGuesses(nodeCount: () => number) {
  const nowMs = () => performance.now();
  const ofPerson = createFailureLimit(nowMs, nodeCount, OF_PERSON);
  const ofAddress = createFailureLimit(nowMs, nodeCount, OF_ADDRESS);
  return {
    /** Undefined counts as wrong. Throws too-many-requests. */
    async allow<Found>(
      { address, person }: { readonly address: string; readonly person?: string },
      guess: () => Promise<Found | undefined>,
    ): Promise<Found | undefined> {
      const attempts = [await begin(ofAddress, address)];
      try {
        if (person !== undefined) attempts.push(await begin(ofPerson, person));
        const found = await guess();
        for (const attempt of attempts.splice(0)) attempt.end(found === undefined);
        return found;
      } finally {
        for (const attempt of attempts) attempt.end(false);
      }
    },
  };
}

async function begin(limit: ReturnType<typeof createFailureLimit>, source: string) {
  const attempt = await limit.begin(source);
  if (attempt !== undefined && attempt.waitMs === 0) return attempt;
  const waitMs = attempt?.waitMs ?? 1000;
  throw new ApiError('too-many-requests', {
    message: 'Too many wrong attempts. Wait as long as Retry-After says, or sign in by a link.',
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
