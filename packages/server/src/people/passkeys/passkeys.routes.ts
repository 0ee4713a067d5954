/** Passkeys (WebAuthn): signing in with one, adding, listing and removing one's own. The person is verified by the device. */
import { isIP } from 'node:net';
import { PasskeyAnswerBody, PasskeyCreateBody } from '@keyport/contract/operators/people';
import { formatDateTime } from '@keyport/core/date-time';
import { ApiError, requireFound } from '@keyport/http/replies/api-error';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { lockOperator } from '../operators.sql.ts';
import { requireProof, type Session } from '../sessions/sessions.ts';
import { actingOf, answer, bodyReader, SESSION_PATH, type SignInDeps, signIn } from '../sessions/sign-in.ts';
import { CHALLENGE_LIFETIME_MS, makeChallenge, readChallenge } from './challenges.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  takeChallenge,
  updatePasskeyUse,
} from './passkeys.sql.ts';

const PASSKEYS_PATH = '/console/profile/passkeys';
const SIGN_IN_USE = 'sign-in';
const REJECTION = 'This passkey does not sign in here. Use another one, or sign in another way.';

export function passkeyRoutes(deps: SignInDeps): Route[] {
  return [
    signInOptions(deps),
    signInByPasskey(deps),
    addOptions(deps),
    addPasskey(deps),
    ...ownPasskeys(deps),
  ];
}

/** Browsers bind passkeys to a host name, and to no address. */
export function canHavePasskeys({ headers }: Exchange): boolean {
  const { hostname } = new URL(`http://${headers.host ?? '127.0.0.1'}`);
  return isIP(hostname) === 0 && !hostname.startsWith('[');
}

/** EdDSA, ES256, RS256: what devices have. Asked for its own list, the library tries what Node calls experimental. */
const ALGORITHMS = [-8, -7, -257];

/** The library takes longer to load than all else here, and few installations use it. */
const loadLibrary = () => import('@simplewebauthn/server');

function signInOptions({ sessions, key }: SignInDeps): Route {
  return {
    method: 'POST',
    path: `${SESSION_PATH}/passkey/options`,
    async handle(exchange) {
      sessions.requireOwnOrigin(exchange.request);
      const { generateAuthenticationOptions } = await loadLibrary();
      const options = await generateAuthenticationOptions({
        ...partyOf(exchange),
        challenge: Uint8Array.from(makeChallenge(key, SIGN_IN_USE)),
        userVerification: 'required',
        timeout: CHALLENGE_LIFETIME_MS,
      });
      return answer(exchange, 200, options);
    },
  };
}

function signInByPasskey(deps: SignInDeps): Route {
  const { sessions, guesses, addressOf } = deps;
  const readBody = bodyReader(PasskeyAnswerBody);
  return {
    method: 'POST',
    path: `${SESSION_PATH}/passkey`,
    async handle(exchange) {
      sessions.requireOwnOrigin(exchange.request);
      const { id, rawId, type, response } = await readBody(exchange);
      const credential: AuthenticationResponseJSON = {
        id,
        rawId,
        type,
        response,
        clientExtensionResults: {},
      };
      const source = { address: addressOf(exchange.request) };
      const proved = await guesses.allow(source, () => verifyAnswer(deps, exchange, credential));
      if (proved === undefined) throw new ApiError('unauthorized', { message: REJECTION });
      const { operatorId, counter, challenge } = proved;
      return signIn(deps, exchange, {
        method: 'passkey',
        async prove(tx) {
          // Before the passkey, as a reset of the person's credentials locks them.
          await lockOperator(tx, operatorId);
          const isFirst = await takeChallenge(tx, challenge, CHALLENGE_LIFETIME_MS);
          return isFirst && (await updatePasskeyUse(tx, id, counter)) ? operatorId : undefined;
        },
        rejection: REJECTION,
      });
    },
  };
}

/** Undefined: the answer proves nothing. */
async function verifyAnswer(
  { database, key }: SignInDeps,
  exchange: Exchange,
  credential: AuthenticationResponseJSON,
) {
  const passkey = await findPasskey(database.lane('anonymous').kysely, credential.id);
  if (passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { rpID, origin } = partyOf(exchange);
  let challenge: Buffer | undefined;
  const verified = await verifyAuthenticationResponse({
    response: credential,
    expectedChallenge(text) {
      challenge = readChallenge(key, SIGN_IN_USE, text);
      return challenge !== undefined;
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: passkey.counter,
    },
    // The library throws for whatever is wrong.
  }).catch(() => undefined);
  if (verified?.verified !== true || challenge === undefined) return undefined;
  return { operatorId: passkey.operatorId, counter: verified.authenticationInfo.newCounter, challenge };
}

function addOptions({ sessions, key, database }: SignInDeps): Route {
  return {
    method: 'POST',
    path: `${PASSKEYS_PATH}/options`,
    async handle(exchange) {
      const session = await sessions.require(exchange.request);
      requireProof(session);
      const { operator } = session;
      const { generateRegistrationOptions } = await loadLibrary();
      const own = await listPasskeys(database.kysely, operator.id);
      const { rpID } = partyOf(exchange);
      const options = await generateRegistrationOptions({
        rpName: 'Keyport',
        rpID,
        userID: Uint8Array.from(Buffer.from(operator.id)),
        userName: operator.email,
        userDisplayName: operator.name,
        challenge: Uint8Array.from(makeChallenge(key, useOf(operator))),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: own.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        timeout: CHALLENGE_LIFETIME_MS,
      });
      return answer(exchange, 200, options);
    },
  };
}

function addPasskey(deps: SignInDeps): Route {
  const { sessions, database } = deps;
  const readBody = bodyReader(PasskeyCreateBody);
  return {
    method: 'POST',
    path: PASSKEYS_PATH,
    async handle(exchange) {
      const session = await sessions.require(exchange.request);
      requireProof(session);
      const { operator } = session;
      const { name = 'Passkey', id, rawId, type, response } = await readBody(exchange);
      const credential: RegistrationResponseJSON = { id, rawId, type, response, clientExtensionResults: {} };
      const { challenge, ...passkey } = await verifyNew(deps, exchange, operator, credential);
      await runTransaction(database, {}, async (tx) => {
        await sessions.hold(tx, session);
        const isFirst = await takeChallenge(tx, challenge, CHALLENGE_LIFETIME_MS);
        const isNew = isFirst && (await insertPasskey(tx, { ...passkey, operatorId: operator.id, name }));
        if (!isNew) throw new ApiError('conflict', { message: 'This passkey is here already.' });
        const acting = actingOf(deps, exchange, operator);
        await insertAudit(
          tx,
          auditRecord(acting, 'operator.passkey.add', { data: { id: passkey.id, name } }),
        );
      });
      const own = await listPasskeys(database.kysely, operator.id);
      return answer(exchange, 201, own.filter((one) => one.id === passkey.id).map(formatPasskey)[0]);
    },
  };
}

/** Throws validation-failed. */
async function verifyNew(
  { key }: SignInDeps,
  exchange: Exchange,
  operator: Session['operator'],
  credential: RegistrationResponseJSON,
) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { rpID, origin } = partyOf(exchange);
  let challenge: Buffer | undefined;
  const verified = await verifyRegistrationResponse({
    response: credential,
    expectedChallenge(text) {
      challenge = readChallenge(key, useOf(operator), text);
      return challenge !== undefined;
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause: unknown) => {
    throw notMadeHere(cause);
  });
  if (!verified.verified || challenge === undefined) throw notMadeHere(undefined);
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter, challenge };
}

function notMadeHere(cause: unknown): ApiError {
  return new ApiError('validation-failed', {
    message:
      'The passkey was not made for this page, or more than five minutes after it was asked for. Retry.',
    cause,
  });
}

function ownPasskeys(deps: SignInDeps): Route[] {
  const { sessions, database } = deps;
  return [
    {
      method: 'GET',
      path: PASSKEYS_PATH,
      async handle(exchange) {
        const { operator } = await sessions.require(exchange.request);
        const own = await listPasskeys(database.kysely, operator.id);
        return answer(exchange, 200, own.map(formatPasskey));
      },
    },
    {
      method: 'DELETE',
      path: `${PASSKEYS_PATH}/{passkeyId}`,
      async handle(exchange) {
        const session = await sessions.require(exchange.request);
        const { operator } = session;
        const { passkeyId: id = '' } = exchange.params;
        await runTransaction(database, {}, async (tx) => {
          await sessions.hold(tx, session);
          // Of others it is as if there were none.
          requireFound((await deletePasskey(tx, id, operator.id)) || undefined, 'passkey');
          const acting = actingOf(deps, exchange, operator);
          await insertAudit(tx, auditRecord(acting, 'operator.passkey.remove', { data: { id } }));
        });
        return { status: 204 };
      },
    },
  ];
}

function useOf({ id }: Session['operator']): string {
  return `add/${id}`;
}

/** Which page asks, by its Origin: it was found to be ours. */
function partyOf({ request }: Exchange): { readonly rpID: string; readonly origin: string } {
  const { origin = '' } = request.headers;
  const { hostname } = new URL(origin);
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) {
    throw new ApiError('validation-failed', {
      message: 'Passkeys belong to a host name. Open the console by its name, such as localhost.',
    });
  }
  return { rpID: hostname, origin };
}

function formatPasskey({ id, name, usedAtMicros, createdAtMicros }: PasskeyRow) {
  return {
    id,
    name,
    lastUsedAt: usedAtMicros === null ? null : formatDateTime(usedAtMicros),
    createdAt: formatDateTime(createdAtMicros),
  };
}
