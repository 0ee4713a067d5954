import { LinkBody, type SignInMethods } from '@keyport/contract/operators/people';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import type { Session } from './sessions.ts';
import {
  bodyReader,
  dataReply,
  endSession,
  SESSION_PATH,
  type SignInDeps,
  sessionReply,
  sessionRoute,
  signIn,
  signInRoute,
  useLink,
} from './sign-in.ts';
import { readToken } from './tokens.ts';

export function sessionRoutes(deps: SignInDeps, methodsOf: (exchange: Exchange) => SignInMethods): Route[] {
  const { audience, key } = deps;
  const readLink = bodyReader(LinkBody);
  const rejection = `This link was used before, has expired or was replaced by a newer one. ${audience.linkAdvice}`;
  const signOut = async (exchange: Exchange, session: Session, isEverywhere: boolean): Promise<Reply> => {
    await endSession(deps, exchange, session, isEverywhere);
    return { status: 204, headers: { 'set-cookie': deps.sessions.endedCookie() } };
  };
  return [
    {
      method: 'GET',
      path: `${audience.path}/sign-in-methods`,
      handle: (exchange) => dataReply(exchange, 200, methodsOf(exchange)),
    },
    sessionRoute(deps, 'GET', SESSION_PATH, (exchange, session) => sessionReply(deps, exchange, session)),
    sessionRoute(deps, 'DELETE', SESSION_PATH, (exchange, session) => signOut(exchange, session, false)),
    sessionRoute(deps, 'DELETE', '/sessions', (exchange, session) => signOut(exchange, session, true)),
    signInRoute(deps, 'link', async (exchange) => {
      const link = readToken(key, 'link', (await readLink(exchange)).token);
      if (link === undefined) throw new ApiError('unauthorized', { message: rejection });
      return signIn(deps, exchange, {
        method: 'link',
        prove: (tx) => useLink(tx, link.mac),
        rejection,
      });
    }),
  ];
}
