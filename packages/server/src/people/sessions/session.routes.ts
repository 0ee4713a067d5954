/** What the console asks for about its own session: who is signed in, how one can sign in, links, and signing out. */
import type { AuditAction } from '@keyport/contract/operators/audit';
import { LinkBody, type SignInMethods } from '@keyport/contract/operators/people';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import { deleteSession, deleteSessionsOf, takeLink } from './sessions.sql.ts';
import type { Session } from './sessions.ts';
import {
  actingOf,
  answer,
  answerSession,
  bodyReader,
  SESSION_PATH,
  type SignInDeps,
  signIn,
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
      handle: (exchange) =>
        signOut(deps, exchange, 'operator.sign-out', (tx, { token }) => deleteSession(tx, token.mac)),
    },
    {
      method: 'DELETE',
      path: '/console/sessions',
      handle: (exchange) =>
        signOut(deps, exchange, 'operator.sign-out-everywhere', (tx, { operator }) =>
          deleteSessionsOf(tx, operator.id),
        ),
    },
    signInByLink(deps),
  ];
}

const LINK_REJECTION =
  'This link was used before, has expired or was replaced by a newer one. Ask an admin for a new one; where nobody can sign in, `keyport operator invite` makes one.';

function signInByLink(deps: SignInDeps): Route {
  const readBody = bodyReader(LinkBody);
  return {
    method: 'POST',
    path: `${SESSION_PATH}/link`,
    async handle(exchange) {
      deps.sessions.requireOwnOrigin(exchange.request);
      const body = await readBody(exchange);
      const link = readToken(deps.key, 'link', body.token);
      // Made up: nothing is asked of the database.
      if (link === undefined) throw new ApiError('unauthorized', { message: LINK_REJECTION });
      return signIn(deps, exchange, {
        method: 'link',
        prove: (tx) => takeLink(tx, link.mac),
        rejection: LINK_REJECTION,
      });
    },
  };
}

async function signOut(
  deps: SignInDeps,
  exchange: Exchange,
  action: AuditAction,
  end: (tx: Tx, session: Session) => Promise<unknown>,
): Promise<Reply> {
  const { database, sessions } = deps;
  const session = await sessions.require(exchange.request);
  const acting = actingOf(deps, exchange, session.operator);
  await runTransaction(database, {}, async (tx) => {
    await end(tx, session);
    await insertAudit(tx, auditRecord(acting, action, { data: {} }));
  });
  return { status: 204, headers: { 'set-cookie': sessions.endedCookie() } };
}
