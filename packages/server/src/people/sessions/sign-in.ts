import type { KeyObject } from 'node:crypto';
import type { PortalSession } from '@keyport/contract/accounts/members';
import type { ConsoleSession, SessionState } from '@keyport/contract/operators/people';
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
import { type Audience, type Identity, isOfAudience, type PersonAction, toCaller } from '../audiences.ts';
import type { Guesses } from '../passwords/guesses.ts';
import { loadCredentials, lockPerson } from '../people.sql.ts';
import { deleteSession, deleteSessionsOf, type SignInMethod, takeLink } from './sessions.sql.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Token } from './tokens.ts';

export const SESSION_PATH = '/session';
const BODY_SIZE_BYTES_MAX = 16 * 1024;

export type SignInDeps = {
  readonly database: Database;
  readonly key: KeyObject;
  readonly sessions: Sessions;
  readonly guesses: Guesses;
  readonly toAddress: AddressOf;
  readonly publicUrl: () => string;
  readonly audience: Audience;
  readonly mode: SessionState['mode'];
  /** Adds what only this audience's sessions have. */
  readonly describe: (
    person: Identity,
  ) => Omit<ConsoleSession, keyof SessionState> | Omit<PortalSession, keyof SessionState>;
};

export type Proof = {
  readonly method: SignInMethod;
  /** Resolves to undefined if the proof is wrong. */
  readonly prove: (tx: Tx) => Promise<string | undefined>;
  readonly rejection: string;
};

export function signInRoute(
  { sessions, audience }: SignInDeps,
  path: string,
  handle: Route['handle'],
): Route {
  return {
    method: 'POST',
    path: `${audience.path}${SESSION_PATH}/${path}`,
    async handle(exchange) {
      sessions.requireOwnOrigin(exchange.request);
      return handle(exchange);
    },
  };
}

/** `path` is below the path of the app. */
export function sessionRoute(
  { sessions, audience }: SignInDeps,
  method: Route['method'],
  path: string,
  handle: (exchange: Exchange, session: Session) => Promise<Reply>,
): Route {
  return {
    method,
    path: audience.path + path,
    handle: async (exchange) => handle(exchange, await sessions.require(exchange.request)),
  };
}

/** Only people who proved who they are read this. */
const CLOSED =
  'Your account is closed, so its members cannot sign in. Ask your contact at the marketplace if you did not expect this.';

/** Throws unauthorized, even for disabled people and those of another audience or a closed account. */
export function beginSession(
  deps: SignInDeps,
  exchange: Exchange,
  { method, prove, rejection }: Proof,
): Promise<Token> {
  return runTransaction(deps.database, {}, async (tx) => {
    const personId = await prove(tx);
    const person = personId === undefined ? undefined : await lockPerson(tx, personId);
    const mayEnter = person?.isDisabled === false && isOfAudience(person, deps.audience);
    if (person === undefined || !mayEnter) throw new ApiError('unauthorized', { message: rejection });
    if (person.isAccountClosed) throw new ApiError('unauthorized', { message: CLOSED });
    await auditOf(tx, deps, exchange, person, 'sign-in', { method });
    return deps.sessions.begin(tx, exchange.request, { personId: person.id, method });
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
  { token, person }: Session,
  isEverywhere: boolean,
): Promise<void> {
  await runTransaction(deps.database, {}, async (tx) => {
    await (isEverywhere ? deleteSessionsOf(tx, person.id) : deleteSession(tx, token.mac));
    await auditOf(tx, deps, exchange, person, isEverywhere ? 'sign-out-everywhere' : 'sign-out', {});
  });
}

/** `change` returns the audit entry's data. */
export function changeCredentials(
  deps: SignInDeps,
  exchange: Exchange,
  session: Session,
  action: PersonAction,
  change: (tx: Tx) => Promise<Record<string, unknown>>,
): Promise<void> {
  return runTransaction(deps.database, {}, async (tx) => {
    await deps.sessions.hold(tx, session);
    await auditOf(tx, deps, exchange, session.person, action, await change(tx));
  });
}

export async function sessionReply(
  { mode, database, describe }: SignInDeps,
  exchange: Exchange,
  session: Session,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { person, csrfToken, endsAtMicros } = session;
  const { passwordHash, passkeyCount } = await loadCredentials(database.db, person.id);
  exchange.principal = { clientId: person.id };
  const data: ConsoleSession | PortalSession = {
    ...describe(person),
    csrfToken,
    mode,
    endsAt: formatDateTime(endsAtMicros),
    hasPassword: passwordHash !== null,
    needsCurrentPassword: needsCurrentPassword(session, passwordHash),
    needsProof: !session.isProven,
    passkeys: passkeyCount,
  };
  return dataReply(exchange, 200, data, headers);
}

/** Links also serve people who forgot their password. */
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
  person: Identity,
): Acting {
  return { principal: { ...toCaller(person), address: toAddress(request) }, traceId };
}

function auditOf(
  tx: Tx,
  deps: SignInDeps,
  exchange: Exchange,
  person: Identity,
  action: PersonAction,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { accountId } = person;
  return audit(tx, toActing(deps, exchange, person), `${deps.audience.noun}.${action}`, { accountId, data });
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
