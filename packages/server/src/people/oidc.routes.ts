/** Where the browser leaves for the provider, and where it comes back. What went wrong is told by the page, after the #. */
import type { KeyObject } from 'node:crypto';
import type { Role } from '@keyport/contract/roles';
import type { Logger } from 'pino';
import { type Acting, auditRecord } from '../audit/action.ts';
import { unwrap, wrap } from '../custody/envelope.ts';
import { insertAudit } from '../db/audit.sql.ts';
import type { Tx } from '../db/schema.ts';
import { ApiError } from '../http/api-error.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { queryTextOf } from '../http/query.ts';
import type { Reply } from '../http/reply.ts';
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
import { cookiePathOf, readCookies, secureOf } from './sessions.ts';
import { actingOf, beginSession, SESSION_PATH, type SignInDeps } from './sign-in.ts';

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

/** Why nobody is signed in, as the page gets it. */
type Failure = 'failed' | 'no-email' | 'no-role' | 'not-invited';

class NotSignedIn extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
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
  const { sessions, publicUrl, log } = deps;
  try {
    const visitor = await oidc.arrive(queryTextOf(exchange.url), readDeparture(deps, exchange));
    if (visitor === undefined) throw new NotSignedIn('no-email');
    const token = await beginSession(deps, exchange, {
      method: 'oidc',
      prove: (tx) => admit(tx, visitor, deps.ways, (person) => actingOf(deps, exchange, person)),
      rejection: 'The operator is disabled.',
    });
    return redirect(`${publicUrl()}/console/`, { 'set-cookie': sessions.cookieOf(token) });
  } catch (error) {
    if (error instanceof NotSignedIn) return toSignIn(deps, error.failure);
    if (error instanceof ApiError && error.code === 'unauthorized') return toSignIn(deps, 'not-invited');
    log.warn({ err: error }, 'a sign-in by single sign-on failed');
    return toSignIn(deps, 'failed');
  }
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
  if (role === null) throw new NotSignedIn('no-role');
  const admins = role === undefined ? [] : await lockAdmins(tx, ways);
  const known = await lockVouchedFor(tx, subject, email);
  if (known === undefined) return addVisitor(tx, visitor, role, actingAs);
  if (known.isDisabled) throw new NotSignedIn('not-invited');
  if (known.oidcSubject !== subject) {
    // The address belongs to a person with another subject at the provider.
    if (known.oidcSubject !== null) throw new NotSignedIn('not-invited');
    // Without a check by the provider, anybody could enter the address of an operator there.
    if (visitor.isEmailVerified !== true) throw new NotSignedIn('no-email');
    await updateOidcSubject(tx, known.id, subject);
  }
  // The last admin stays one, whatever the provider says (A425).
  const takesRole = role !== undefined && role !== known.role && !isLastAdmin(admins, known.id);
  if (takesRole) await takeRole(tx, known, role, actingAs);
  return known.id;
}

async function addVisitor(
  tx: Tx,
  { subject, email, isEmailVerified, name }: Visitor,
  role: Role | undefined,
  actingAs: ActingAs,
): Promise<string> {
  if (role === undefined) throw new NotSignedIn('not-invited');
  if (isEmailVerified === false || emailProblem(email) !== undefined) throw new NotSignedIn('no-email');
  const person = await insertOperator(tx, { id: generateOperatorId(), email, name, role });
  const { id } = person;
  await updateOidcSubject(tx, id, subject);
  const data = { id, name, email, role, ...BY_PROVIDER };
  await insertAudit(tx, auditRecord(actingAs(person), 'operator.create', { data }));
  return id;
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
