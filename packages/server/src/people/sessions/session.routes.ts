import { LinkBody, type SignInMethods } from '@keyport/contract/operators/people';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import { endSession } from './end-session.ts';
import {
  answer,
  answerSession,
  bodyReader,
  SESSION_PATH,
  type SignInDeps,
  signIn,
  useLink,
} from './sign-in.ts';
import { readToken } from './tokens.ts';

export function sessionRoutes(deps: SignInDeps, methodsOf: (exchange: Exchange) => SignInMethods): Route[] {
  const { sessions } = deps;
  return [
    {
      method: 'GET',
      path: '/console/sign-in-methods',
      handle: (exchange) => answer(exchange, 200, methodsOf(exchange)),
    },
    {
      method: 'GET',
      path: SESSION_PATH,
      handle: async (exchange) => answerSession(deps, exchange, await sessions.require(exchange.request)),
    },
    {
      method: 'DELETE',
      path: SESSION_PATH,
      handle: (exchange) => signOut(deps, exchange, false),
    },
    {
      method: 'DELETE',
      path: '/console/sessions',
      handle: (exchange) => signOut(deps, exchange, true),
    },
    signInByLink(deps),
  ];
}

const LINK_REJECTION =
  'This link was used before, has expired or was replaced by a newer one. An admin can make a new one, and so can `keyport operator invite` if no one can sign in.';

function signInByLink(deps: SignInDeps): Route {
  const readBody = bodyReader(LinkBody);
  return {
    method: 'POST',
    path: `${SESSION_PATH}/link`,
    async handle(exchange) {
      deps.sessions.requireOwnOrigin(exchange.request);
      const body = await readBody(exchange);
      const link = readToken(deps.key, 'link', body.token);
      // Made up: the database is not queried.
      if (link === undefined) throw new ApiError('unauthorized', { message: LINK_REJECTION });
      return signIn(deps, exchange, {
        method: 'link',
        prove: (tx) => useLink(tx, link.mac),
        rejection: LINK_REJECTION,
      });
    },
  };
}

async function signOut(deps: SignInDeps, exchange: Exchange, isEverywhere: boolean): Promise<Reply> {
  await endSession(deps, exchange, isEverywhere);
  return { status: 204, headers: { 'set-cookie': deps.sessions.endedCookie() } };
}
