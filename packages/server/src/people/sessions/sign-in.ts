import type { KeyObject } from 'node:crypto';
import type { AuditAction } from '@keyport/contract/operators/audit-actions';
import type { ConsoleSession } from '@keyport/contract/operators/people';
import { ROLE_PERMISSIONS } from '@keyport/contract/roles';
import { formatDateTime } from '@keyport/core/date-time';
import type { AddressOf } from '@keyport/http/admission/addresses';
import { ApiError } from '@keyport/http/replies/api-error';
import { jsonReply, type Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import { readJsonBody } from '@keyport/http/validation/body';
import { compileCheck, validationError } from '@keyport/http/validation/validation';
import type { Static, TSchema } from 'typebox';
import { type Acting, audit } from '../../audit/action.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import { loadCredentials, lockOperator } from '../operators.sql.ts';
import type { Guesses } from '../passwords/guesses.ts';
import { deleteSession, deleteSessionsOf, type SignInMethod, takeLink } from './sessions.sql.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Token } from './tokens.ts';

export const SESSION_PATH = '/console/session';
const BODY_SIZE_BYTES_MAX = 16 * 1024;

export type SignInDeps = {
  readonly database: Database;
  readonly key: KeyObject;
  readonly sessions: Sessions;
  readonly guesses: Guesses;
  readonly toAddress: AddressOf;
  readonly publicUrl: () => string;
  readonly mode: ConsoleSession['mode'];
  /** In EUR. Null: no write needs a second operator. */
  readonly approvalAbove: string | null;
  readonly lowStockUnits: number;
};

export type Proof = {
  readonly method: SignInMethod;
  /** Resolves to undefined if the proof is wrong. */
  readonly prove: (tx: Tx) => Promise<string | undefined>;
  readonly rejection: string;
};

export function signInRoute({ sessions }: SignInDeps, path: string, handle: Route['handle']): Route {
  return {
    method: 'POST',
    path: `${SESSION_PATH}/${path}`,
    async handle(exchange) {
      sessions.requireOwnOrigin(exchange.request);
      return handle(exchange);
    },
  };
}

export function sessionRoute(
  { sessions }: SignInDeps,
  method: Route['method'],
  path: string,
  handle: (exchange: Exchange, session: Session) => Promise<Reply>,
): Route {
  return {
    method,
    path,
    handle: async (exchange) => handle(exchange, await sessions.require(exchange.request)),
  };
}

/** Throws unauthorized, even for disabled operators. */
export function beginSession(
  deps: SignInDeps,
  exchange: Exchange,
  { method, prove, rejection }: Proof,
): Promise<Token> {
  return runTransaction(deps.database, {}, async (tx) => {
    const operatorId = await prove(tx);
    const operator = operatorId === undefined ? undefined : await lockOperator(tx, operatorId);
    if (operator === undefined || operator.isDisabled) {
      throw new ApiError('unauthorized', { message: rejection });
    }
    const acting = toActing(deps, exchange, operator);
    await audit(tx, acting, 'operator.sign-in', { data: { method } });
    return deps.sessions.begin(tx, exchange.request, { operatorId: operator.id, method });
  });
}

export async function signIn(deps: SignInDeps, exchange: Exchange, proof: Proof): Promise<Reply> {
  const token = await beginSession(deps, exchange, proof);
  const session = await deps.sessions.load(token);
  return sessionReply(deps, exchange, session, { 'set-cookie': deps.sessions.toCookie(token) });
}

export const useLink: (tx: Tx, mac: Buffer) => Promise<string | undefined> = takeLink;

export async function endSession(
  deps: SignInDeps,
  exchange: Exchange,
  { token, operator }: Session,
  isEverywhere: boolean,
): Promise<void> {
  const action = isEverywhere ? 'operator.sign-out-everywhere' : 'operator.sign-out';
  await runTransaction(deps.database, {}, async (tx) => {
    await (isEverywhere ? deleteSessionsOf(tx, operator.id) : deleteSession(tx, token.mac));
    await audit(tx, toActing(deps, exchange, operator), action, { data: {} });
  });
}

/** `change` returns the audit entry's data. */
export function changeCredentials(
  deps: SignInDeps,
  exchange: Exchange,
  session: Session,
  action: AuditAction,
  change: (tx: Tx) => Promise<Record<string, unknown>>,
): Promise<void> {
  return runTransaction(deps.database, {}, async (tx) => {
    await deps.sessions.hold(tx, session);
    const data = await change(tx);
    await audit(tx, toActing(deps, exchange, session.operator), action, { data });
  });
}

export async function sessionReply(
  { mode, approvalAbove, lowStockUnits, database }: SignInDeps,
  exchange: Exchange,
  session: Session,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { operator, csrfToken, endsAtMicros } = session;
  const { passwordHash, passkeyCount } = await loadCredentials(database.db, operator.id);
  exchange.principal = { clientId: operator.id };
  const data: ConsoleSession = {
    operator,
    permissions: [...ROLE_PERMISSIONS[operator.role]],
    csrfToken,
    mode,
    endsAt: formatDateTime(endsAtMicros),
    hasPassword: passwordHash !== null,
    needsCurrentPassword: needsCurrentPassword(session, passwordHash),
    needsProof: !session.isProven,
    passkeys: passkeyCount,
    approvalAbove,
    lowStockUnits,
  };
  return dataReply(exchange, 200, data, headers);
}

/** Links also serve operators who forgot their password. */
export function needsCurrentPassword(
  { method, isProven }: Session,
  passwordHash: string | null,
): passwordHash is string {
  return passwordHash !== null && !(method === 'link' && isProven);
}

export function dataReply(
  { traceId }: Exchange,
  status: number,
  data: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return jsonReply(status, { traceId, data }, headers);
}

export function toActing(
  { toAddress }: SignInDeps,
  { request, traceId }: Exchange,
  { id, role }: Pick<Session['operator'], 'id' | 'role'>,
): Acting {
  return { principal: { clientId: id, operatorRole: role, address: toAddress(request) }, traceId };
}

/** Throws validation-error. */
export function bodyReader<Schema extends TSchema>(
  schema: Schema,
): (exchange: Exchange) => Promise<Static<Schema>> {
  const check = compileCheck(schema, 'body');
  return async ({ request }) => {
    const json = await readJsonBody(request, BODY_SIZE_BYTES_MAX);
    if (!json.ok) throw validationError([{ field: json.field ?? 'body', message: json.message }]);
    const problems = check(json.value);
    if (problems.length > 0) throw validationError(problems);
    return json.value as Static<Schema>;
  };
}
