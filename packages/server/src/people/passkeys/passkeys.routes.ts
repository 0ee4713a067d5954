import { PasskeyAnswerBody, PasskeyCreateBody } from '@keyport/contract/operators/people';
import type { Route } from '@keyport/http/server/exchange';
import { requireProof } from '../sessions/sessions.ts';
import { answer, bodyReader, SESSION_PATH, type SignInDeps, signIn } from '../sessions/sign-in.ts';
import { addPasskey, readPasskeys, removePasskey } from './own-passkeys.ts';
import { addOptions, provePasskey, signInOptions } from './prove-passkey.ts';

const PASSKEYS_PATH = '/console/profile/passkeys';
const REJECTION = 'This passkey does not sign in here. Use another one, or sign in another way.';

export function passkeyRoutes(deps: SignInDeps): Route[] {
  return [...signInRoutes(deps), ...ownRoutes(deps)];
}

function signInRoutes(deps: SignInDeps): Route[] {
  const { sessions } = deps;
  const readBody = bodyReader(PasskeyAnswerBody);
  return [
    {
      method: 'POST',
      path: `${SESSION_PATH}/passkey/options`,
      async handle(exchange) {
        sessions.requireOwnOrigin(exchange.request);
        return answer(exchange, 200, await signInOptions(deps, exchange));
      },
    },
    {
      method: 'POST',
      path: `${SESSION_PATH}/passkey`,
      async handle(exchange) {
        sessions.requireOwnOrigin(exchange.request);
        const { id, rawId, type, response } = await readBody(exchange);
        const credential = { id, rawId, type, response, clientExtensionResults: {} };
        return signIn(deps, exchange, await provePasskey(deps, exchange, credential, REJECTION));
      },
    },
  ];
}

function ownRoutes(deps: SignInDeps): Route[] {
  const { sessions, database } = deps;
  const readBody = bodyReader(PasskeyCreateBody);
  return [
    {
      method: 'GET',
      path: PASSKEYS_PATH,
      async handle(exchange) {
        const { operator } = await sessions.require(exchange.request);
        return answer(exchange, 200, await readPasskeys(database.kysely, operator.id));
      },
    },
    {
      method: 'POST',
      path: `${PASSKEYS_PATH}/options`,
      async handle(exchange) {
        const session = await sessions.require(exchange.request);
        requireProof(session);
        return answer(exchange, 200, await addOptions(deps, exchange, session.operator));
      },
    },
    {
      method: 'POST',
      path: PASSKEYS_PATH,
      async handle(exchange) {
        const session = await sessions.require(exchange.request);
        requireProof(session);
        return answer(exchange, 201, await addPasskey(deps, exchange, session, await readBody(exchange)));
      },
    },
    {
      method: 'DELETE',
      path: `${PASSKEYS_PATH}/{passkeyId}`,
      async handle(exchange) {
        const session = await sessions.require(exchange.request);
        await removePasskey(deps, exchange, session, exchange.params.passkeyId ?? '');
        return { status: 204 };
      },
    },
  ];
}
