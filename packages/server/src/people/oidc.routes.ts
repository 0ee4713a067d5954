/** Where the browser leaves for the provider, and where it comes back. What went wrong is told by the page, after the #. */
import type { KeyObject } from 'node:crypto';
import type { Role } from '@keyport/contract/roles';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import { queryTextOf } from '@keyport/http/validation/query';
import type { Logger } from 'pino';
import { type Acting, auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import { unwrap, wrap } from '../custody/envelope.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { emailProblem } from './email.ts';
import { generateOperatorId } from './invitations.ts';
import type { Departure, Oidc, Visitor } from './oidc.ts';
import {
  insertOperator,
  isLastAdmin,
  lockAdmins,
  lockVouchedFor,
  type OperatorRow,
  updateOidcSubject,
  updateOperator,
  type Ways,
} from './operators.sql.ts';
import { cookiePathOf, readCookies, secureOf } from './sessions/sessions.ts';
import { actingOf, beginSession, SESSION_PATH, type SignInDeps } from './sessions/sign-in.ts';
import type { Token } from './sessions/tokens.ts';

const OIDC_PATH = `${SESSION_PATH}/oidc`;
export const OIDC_CALLBACK_PATH = `${OIDC_PATH}/callback`;

const COOKIE_NAME = 'keyport_oidc';
const COOKIE_LIFETIME_SECONDS = 600;
const SEAL_NAME = 'oidc-departure';

export type OidcDeps = SignInDeps & {
  /** Undefined: none is configured. */
  readonly oidc: Oidc | undefined;
  readonly ways: Ways;
  /** Seals what the browser keeps. */
  readonly sealingKey: KeyObject;
  readonly log: Logger;
};

/** Why no one is signed in, as the page gets it. */
type Failure = 'failed' | 'no-email' | 'no-role' | 'not-invited';

class NotSignedIn extends Error {
  readonly failure: Failure;
  readonly person: OperatorRow | undefined;
  constructor(failure: Failure, person?: OperatorRow) {
    super(failure);
    this.failure = failure;
    this.person = person;
  }
}

export function oidcRoutes(deps: OidcDeps): Route[] {
  const { oidc } = deps;
  if (oidc === undefined) return [];
  return [
    { method: 'GET', path: OIDC_PATH, handle: () => depart(deps, oidc) },
    { method: 'GET', path: OIDC_CALLBACK_PATH, handle: (exchange) => arrive(deps, oidc, exchange) },
  ];
}

async function depart(deps: OidcDeps, oidc: Oidc): Promise<Reply> {
  const { publicUrl, sealingKey, log } = deps;
  try {
    const { url, departure } = await oidc.depart();
    const sealed = wrap(sealingKey, Buffer.from(JSON.stringify(departure)), SEAL_NAME).toString('base64url');
    // Lax: the browser comes back from another site.
    const cookie =
      `${COOKIE_NAME}=${sealed}; Path=${cookiePathOf(publicUrl())}console/session/oidc; ` +
      `Max-Age=${COOKIE_LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${secureOf(publicUrl())}`;
    return redirect(url, { 'set-cookie': cookie });
  } catch (error) {
    log.warn({ err: error }, 'the provider of single sign-on cannot be asked');
    return toSignIn(deps, 'failed');
  }
}

async function arrive(deps: OidcDeps, oidc: Oidc, exchange: Exchange): Promise<Reply> {
  const { sessions, guesses, addressOf, publicUrl, log } = deps;
  let failure: Failure = 'failed';
  try {
    const visitor = await oidc.arrive(queryTextOf(exchange.url), readDeparture(deps, exchange));
    // Failures write to the audit log, so an address may cause as many as wrong passwords.
    const token = await guesses.allow({ address: addressOf(exchange.request) }, () =>
      enter(deps, exchange, visitor).catch(async (error: unknown) => {
        if (!(error instanceof NotSignedIn)) throw error;
        failure = error.failure;
        await recordFailure(deps, exchange, visitor, error);
        return undefined;
      }),
    );
    if (token === undefined) return toSignIn(deps, failure);
    return redirect(`${publicUrl()}/console/`, { 'set-cookie': sessions.cookieOf(token) });
  } catch (error) {
    log.warn({ err: error }, 'sign-in by single sign-on failed');
    return toSignIn(deps, 'failed');
  }
}

function enter(deps: OidcDeps, exchange: Exchange, visitor: Visitor): Promise<Token> {
  return beginSession(deps, exchange, {
    method: 'oidc',
    prove: (tx) => admit(tx, visitor, deps.ways, (person) => actingOf(deps, exchange, person)),
    rejection: 'The operator is disabled.',
  });
}

/** Audited only if the provider vouched for the visitor; other failures are logged, since any caller can cause them. */
async function recordFailure(
  { database, addressOf }: OidcDeps,
  { request, traceId }: Exchange,
  { subject, email }: Visitor,
  { failure, person }: NotSignedIn,
): Promise<void> {
  const principal = {
    clientId: person?.id ?? 'unknown',
    ...(person === undefined ? {} : { operatorRole: person.role }),
    address: addressOf(request),
  };
  const data = { ...BY_PROVIDER, reason: failure, subject, email };
  await runTransaction(database, {}, (tx) =>
    insertAudit(tx, auditRecord({ principal, traceId }, 'operator.sign-in.failed', { data })),
  );
}

function readDeparture({ sealingKey }: OidcDeps, { request }: Exchange): Departure {
  const [sealed = ''] = readCookies(request, COOKIE_NAME);
  return JSON.parse(unwrap(sealingKey, Buffer.from(sealed, 'base64url'), SEAL_NAME).toString('utf8'));
}

/** What a sign-in makes of the person is in the audit log as done by that person. */
type ActingAs = (person: { readonly id: string; readonly role: Role }) => Acting;

const BY_PROVIDER = { method: 'oidc' } as const;

/** The person, with the role of the claim where there is one; made where the claim says that somebody new may come. */
async function admit(tx: Tx, visitor: Visitor, ways: Ways, actingAs: ActingAs): Promise<string> {
  const { subject, email, role } = visitor;
  const admins = role === undefined ? [] : await lockAdmins(tx, ways);
  const known = await lockVouchedFor(tx, subject, email ?? '');
  if (role === null) throw new NotSignedIn('no-role', known);
  if (known === undefined) return addVisitor(tx, visitor, role, actingAs);
  if (known.isDisabled) throw new NotSignedIn('not-invited', known);
  if (known.oidcSubject !== subject) {
    // The address belongs to a person with another subject at the provider.
    if (known.oidcSubject !== null) throw new NotSignedIn('not-invited', known);
    // Without a check by the provider, anyone could enter the address of an operator there.
    if (visitor.isEmailVerified !== true) throw new NotSignedIn('no-email', known);
    await linkSubject(tx, known, visitor, actingAs);
  }
  // The last admin stays one, whatever the provider says (A425).
  const takesRole = role !== undefined && role !== known.role && !isLastAdmin(admins, known.id);
  if (takesRole) await takeRole(tx, known, role, actingAs);
  return known.id;
}

async function addVisitor(
  tx: Tx,
  visitor: Visitor,
  role: Role | undefined,
  actingAs: ActingAs,
): Promise<string> {
  const { email, isEmailVerified, name = email ?? '' } = visitor;
  if (email === undefined) throw new NotSignedIn('no-email');
  if (role === undefined) throw new NotSignedIn('not-invited');
  if (isEmailVerified === false || emailProblem(email) !== undefined) throw new NotSignedIn('no-email');
  const person = await insertOperator(tx, { id: generateOperatorId(), email, name, role });
  const { id } = person;
  await linkSubject(tx, person, visitor, actingAs);
  const data = { id, name, email, role, ...BY_PROVIDER };
  await insertAudit(tx, auditRecord(actingAs(person), 'operator.create', { data }));
  return id;
}

/** From now on the provider's account signs in as this person, whatever its address. */
async function linkSubject(
  tx: Tx,
  person: OperatorRow,
  { subject, email }: Visitor,
  actingAs: ActingAs,
): Promise<void> {
  await updateOidcSubject(tx, person.id, subject);
  const data = { id: person.id, subject, email };
  await insertAudit(tx, auditRecord(actingAs(person), 'operator.oidc.link', { data }));
}

async function takeRole(tx: Tx, before: OperatorRow, role: Role, actingAs: ActingAs): Promise<void> {
  await updateOperator(tx, before.id, { ...before, role });
  const data = { id: before.id, role: { from: before.role, to: role }, ...BY_PROVIDER };
  await insertAudit(tx, auditRecord(actingAs(before), 'operator.update', { data }));
}

function toSignIn({ publicUrl }: OidcDeps, failure: Failure): Reply {
  return redirect(`${publicUrl()}/console/sign-in#error=${failure}`);
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { ...headers, location } };
}
