/** What the console asks for about its own session: who is signed in, signing in and out. Requests and answers are JSON in the usual envelope. */

import type { KeyObject } from 'node:crypto';
import type { AuditAction } from '@keyport/contract/admin';
import { type ConsoleSession, LinkBody } from '@keyport/contract/people';
import { ROLE_PERMISSIONS } from '@keyport/contract/roles';
import { formatDateTime } from '@keyport/core/date-time';
import type { Static, TSchema } from 'typebox';
import { type Acting, auditRecord } from '../audit/action.ts';
import { insertAudit } from '../db/audit.sql.ts';
import type { Database } from '../db/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { AddressOf } from '../http/addresses.ts';
import { ApiError } from '../http/api-error.ts';
import { readJsonBody } from '../http/body.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { compileCheck, validationError } from '../http/validation.ts';
import { lockOperator } from './operators.sql.ts';
import { deleteSession, deleteSessionsOf, takeLink } from './sessions.sql.ts';
import type { Session, Sessions } from './sessions.ts';
import { readToken, type Token } from './tokens.ts';

const SESSION_PATH = '/console/session';
const BODY_SIZE_BYTES_MAX = 16 * 1024;

export type SessionRoutesDeps = {
  readonly database: Database;
  readonly key: KeyObject;
  readonly sessions: Sessions;
  readonly addressOf: AddressOf;
  readonly mode: ConsoleSession['mode'];
  /** Writes above this amount wait for a second person; null: none does. */
  readonly approvalAbove: string | null;
};

export function sessionRoutes(deps: SessionRoutesDeps): Route[] {
  const { sessions } = deps;
  return [
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

function signInByLink(deps: SessionRoutesDeps): Route {
  const readBody = bodyReader(LinkBody);
  return {
    method: 'POST',
    path: `${SESSION_PATH}/link`,
    async handle(exchange) {
      deps.sessions.requireOwnOrigin(exchange.request);
      const body = await readBody(exchange);
      const link = readToken(deps.key, 'link', body.token);
      return signIn(
        deps,
        exchange,
        'link',
        async (tx) => (link === undefined ? undefined : takeLink(tx, link.mac)),
        LINK_REJECTION,
      );
    },
  };
}

const LINK_REJECTION =
  'This link was used before, has expired or was replaced by a newer one. Ask an admin for a new one; where nobody can sign in, `keyport operator invite` makes one.';

/** `prove` says in the transaction that begins the session who it is; undefined: nobody, and `rejection` is the answer. */
async function signIn(
  deps: SessionRoutesDeps,
  exchange: Exchange,
  method: string,
  prove: (tx: Tx) => Promise<string | undefined>,
  rejection: string,
): Promise<Reply> {
  const { sessions, database } = deps;
  const token = await runTransaction(database, {}, async (tx): Promise<Token> => {
    const operatorId = await prove(tx);
    const operator = operatorId === undefined ? undefined : await lockOperator(tx, operatorId);
    if (operator === undefined || operator.isDisabled) {
      throw new ApiError('unauthorized', { message: rejection });
    }
    const acting = actingOf(deps, exchange, operator);
    await insertAudit(tx, auditRecord(acting, 'operator.sign-in', { data: { method } }));
    return sessions.begin(tx, exchange.request, operator.id);
  });
  const session = await sessions.load(token);
  return answerSession(deps, exchange, session, { 'set-cookie': sessions.cookieOf(token) });
}

async function signOut(
  deps: SessionRoutesDeps,
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

function actingOf(
  { addressOf }: SessionRoutesDeps,
  { request, traceId }: Exchange,
  { id, role }: Session['operator'],
): Acting {
  return { principal: { clientId: id, operatorRole: role, address: addressOf(request) }, traceId };
}

function answerSession(
  { mode, approvalAbove }: SessionRoutesDeps,
  exchange: Exchange,
  { operator, csrfToken, endsAtMicros }: Session,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  exchange.principal = { clientId: operator.id };
  const data: ConsoleSession = {
    operator,
    permissions: [...ROLE_PERMISSIONS[operator.role]],
    csrfToken,
    mode,
    endsAt: formatDateTime(endsAtMicros),
    hasPassword: false,
    passkeys: 0,
    approvalAbove,
  };
  return jsonReply(200, { traceId: exchange.traceId, data }, headers);
}

/** The checked body. Throws validation-error. */
function bodyReader<Schema extends TSchema>(schema: Schema): (exchange: Exchange) => Promise<Static<Schema>> {
  const check = compileCheck(schema, 'body');
  return async ({ request }) => {
    const json = await readJsonBody(request, BODY_SIZE_BYTES_MAX);
    if (!json.ok) throw validationError([{ field: json.field ?? 'body', message: json.message }]);
    const problems = check(json.value);
    if (problems.length > 0) throw validationError(problems);
    return json.value as Static<Schema>;
  };
}
