import { PasskeyAnswerBody, PasskeyCreateBody } from '@keyport/contract/operators/people';
import type { Route } from '@keyport/http/server/exchange';
import { requireProof } from '../../operations/permission.ts';
import {
  bodyReader,
  dataReply,
  type SignInDeps,
  sessionRoute,
  signIn,
  signInRoute,
} from '../sessions/sign-in.ts';
import { addPasskey, readPasskeys, removePasskey } from './own-passkeys.ts';
import { addOptions, provePasskey, signInOptions } from './prove-passkey.ts';

const PASSKEYS_PATH = '/profile/passkeys';
const REJECTION = 'This passkey cannot be used to sign in here. Use another one, or sign in another way.';

export function passkeyRoutes(deps: SignInDeps): Route[] {
  const { db } = deps.database;
  const readAnswer = bodyReader(PasskeyAnswerBody);
  const readNew = bodyReader(PasskeyCreateBody);
  return [
    signInRoute(deps, 'passkey/options', async (exchange) =>
      dataReply(exchange, 200, await signInOptions(deps, exchange)),
    ),
    signInRoute(deps, 'passkey', async (exchange) => {
      const { id, rawId, type, response } = await readAnswer(exchange);
      const credential = { id, rawId, type, response, clientExtensionResults: {} };
      return signIn(deps, exchange, await provePasskey(deps, exchange, credential, REJECTION));
    }),
    sessionRoute(deps, 'GET', PASSKEYS_PATH, async (exchange, { person }) =>
      dataReply(exchange, 200, await readPasskeys(db, person.id)),
    ),
    sessionRoute(deps, 'POST', `${PASSKEYS_PATH}/options`, async (exchange, session) => {
      requireProof(session);
      return dataReply(exchange, 200, await addOptions(deps, exchange, session.person));
    }),
    sessionRoute(deps, 'POST', PASSKEYS_PATH, async (exchange, session) => {
      requireProof(session);
      return dataReply(exchange, 201, await addPasskey(deps, exchange, session, await readNew(exchange)));
    }),
    sessionRoute(deps, 'DELETE', `${PASSKEYS_PATH}/{passkeyId}`, async (exchange, session) => {
      await removePasskey(deps, exchange, session, exchange.params.passkeyId ?? '');
      return { status: 204 };
    }),
  ];
}
