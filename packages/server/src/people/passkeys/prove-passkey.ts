import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Exchange } from '@keyport/http/server/exchange';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { lockPerson } from '../people.sql.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Proof, SignInDeps } from '../sessions/sign-in.ts';
import { CHALLENGE_LIFETIME_MS, makeChallenge, readChallenge } from './challenges.ts';
import { findPasskey, listPasskeys, takeChallenge, updatePasskeyUse } from './passkeys.sql.ts';

const SIGN_IN_USE = 'sign-in';
/** EdDSA, ES256, RS256. By default the library tries algorithms that Node calls experimental. */
const ALGORITHMS = [-8, -7, -257];

/** Slow to load, and used by few installations. */
const loadLibrary = () => import('@simplewebauthn/server');

export function canHavePasskeys({ headers }: Exchange): boolean {
  return isName(new URL(`http://${headers.host ?? '127.0.0.1'}`).hostname);
}

function isName(hostname: string): boolean {
  return isIP(hostname) === 0 && !hostname.startsWith('[');
}

export async function signInOptions({ key }: SignInDeps, exchange: Exchange) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    ...toParty(exchange),
    challenge: Uint8Array.from(makeChallenge(key, SIGN_IN_USE)),
    userVerification: 'required',
    timeout: CHALLENGE_LIFETIME_MS,
  });
}

export async function addOptions(
  { key, database }: SignInDeps,
  exchange: Exchange,
  person: Session['person'],
) {
  const { generateRegistrationOptions } = await loadLibrary();
  const own = await listPasskeys(database.db, person.id);
  const { rpID } = toParty(exchange);
  return generateRegistrationOptions({
    rpName: 'Keyport',
    rpID,
    userID: Uint8Array.from(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: Uint8Array.from(makeChallenge(key, toUse(person))),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: own.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: CHALLENGE_LIFETIME_MS,
  });
}

export async function provePasskey(
  deps: SignInDeps,
  exchange: Exchange,
  credential: AuthenticationResponseJSON,
  rejection: string,
): Promise<Proof> {
  const source = { address: deps.toAddress(exchange.request) };
  const proved = await deps.guesses.allow(source, () => verifyResponse(deps, exchange, credential));
  if (proved === undefined) throw new ApiError('unauthorized', { message: rejection });
  const { personId, counter, challenge } = proved;
  return {
    method: 'passkey',
    async prove(tx) {
      // Takes locks in the same order as a reset of the person's credentials.
      await lockPerson(tx, personId);
      const isFirst = await takeChallenge(tx, challenge, CHALLENGE_LIFETIME_MS);
      return isFirst && (await updatePasskeyUse(tx, credential.id, counter)) ? personId : undefined;
    },
    rejection,
  };
}

async function verifyResponse(
  { database, key }: SignInDeps,
  exchange: Exchange,
  credential: AuthenticationResponseJSON,
) {
  const passkey = await findPasskey(database.lane('anonymous').db, credential.id);
  if (passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const expected = toExpected(exchange, key, SIGN_IN_USE);
  const verified = await verifyAuthenticationResponse({
    ...expected.options,
    response: credential,
    credential: { id: passkey.id, publicKey: Uint8Array.from(passkey.publicKey), counter: passkey.counter },
  }).catch(() => undefined);
  const challenge = expected.challenge();
  if (verified?.verified !== true || challenge === undefined) return undefined;
  return { personId: passkey.personId, counter: verified.authenticationInfo.newCounter, challenge };
}

export async function verifyNew(
  { key }: SignInDeps,
  exchange: Exchange,
  person: Session['person'],
  credential: RegistrationResponseJSON,
) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const expected = toExpected(exchange, key, toUse(person));
  const verified = await verifyRegistrationResponse({
    ...expected.options,
    response: credential,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause: unknown) => {
    throw notMadeHere(cause);
  });
  const challenge = expected.challenge();
  if (!verified.verified || challenge === undefined) throw notMadeHere(undefined);
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter, challenge };
}

function toExpected(exchange: Exchange, key: KeyObject, use: string) {
  const { rpID, origin } = toParty(exchange);
  let challenge: Buffer | undefined;
  const expectedChallenge = (text: string) => {
    challenge = readChallenge(key, use, text);
    return challenge !== undefined;
  };
  const options = {
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  };
  return { options, challenge: () => challenge };
}

function notMadeHere(cause: unknown): ApiError {
  return new ApiError('validation-failed', {
    message: 'The passkey is not for this page, or was made more than five minutes after the request. Retry.',
    cause,
  });
}

function toUse({ id }: Session['person']): string {
  return `add/${id}`;
}

/** The Origin header was checked before. */
function toParty({ request }: Exchange): { readonly rpID: string; readonly origin: string } {
  const { origin = '' } = request.headers;
  const { hostname } = new URL(origin);
  if (!isName(hostname)) {
    throw new ApiError('validation-failed', {
      message: 'Passkeys belong to a host name. Open the console under its host name, such as localhost.',
    });
  }
  return { rpID: hostname, origin };
}
