import { createHash } from 'node:crypto';
import type { Role } from '@keyport/contract/roles';
import type { Exchange } from '@keyport/http/server/exchange';
import { type Acting, audit } from '../audit/action.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { AUDIENCES, toCaller } from './audiences.ts';
import { emailProblem } from './email.ts';
import { generatePersonId } from './invitations.ts';
import type { Departure, Visitor } from './oidc.ts';
import { takeChallenge } from './passkeys/passkeys.sql.ts';
import * as sql from './people.sql.ts';
import type { SignInDeps } from './sessions/sign-in.ts';
import type { Ways } from './ways.ts';

/** For the sign-in page. */
export type Failure = 'failed' | 'no-email' | 'no-role' | 'not-invited';

export class NotSignedIn extends Error {
  readonly failure: Failure;
  readonly person: sql.PersonRow | undefined;
  constructor(failure: Failure, person?: sql.PersonRow) {
    super(failure);
    this.failure = failure;
    this.person = person;
  }
}

type ActingAs = (person: sql.PersonRow) => Acting;

const BY_PROVIDER = { method: 'oidc' } as const;

/** A role claim also admits visitors who are not yet operators. */
export async function admitVisitor(
  tx: Tx,
  visitor: Visitor,
  ways: Ways,
  actingAs: ActingAs,
): Promise<string> {
  const { subject, email, role } = visitor;
  const admins = role === undefined ? [] : await sql.lockAdmins(tx, ways);
  const known = await sql.lockVouchedFor(tx, subject, email ?? '');
  if (role === null) throw new NotSignedIn('no-role', known);
  if (known === undefined) return addVisitor(tx, visitor, role, actingAs);
  if (known.isDisabled) throw new NotSignedIn('not-invited', known);
  if (known.oidcSubject !== subject) {
    if (known.oidcSubject !== null) throw new NotSignedIn('not-invited', known);
    // A provider that does not verify addresses would accept anyone's.
    if (visitor.isEmailVerified !== true) throw new NotSignedIn('no-email', known);
    await linkSubject(tx, known, visitor, actingAs);
  }
  const takesRole = role !== undefined && role !== known.role && !sql.isLastAdmin(admins, known.id);
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
  const person = await sql.insertPerson(tx, {
    id: generatePersonId(AUDIENCES.operator),
    accountId: null,
    email,
    name,
    role,
  });
  const { id } = person;
  await linkSubject(tx, person, visitor, actingAs);
  const data = { id, name, email, role, ...BY_PROVIDER };
  await audit(tx, actingAs(person), 'operator.create', { data });
  return id;
}

async function linkSubject(
  tx: Tx,
  person: sql.PersonRow,
  { subject, email }: Visitor,
  actingAs: ActingAs,
): Promise<void> {
  await sql.updateOidcSubject(tx, person.id, subject);
  const data = { id: person.id, subject, email };
  await audit(tx, actingAs(person), 'operator.oidc.link', { data });
}

async function takeRole(tx: Tx, before: sql.PersonRow, role: Role, actingAs: ActingAs): Promise<void> {
  await sql.updatePerson(tx, before.id, { ...before, role });
  const data = { id: before.id, role: { from: before.role, to: role }, ...BY_PROVIDER };
  await audit(tx, actingAs(before), 'operator.update', { data });
}

/** The database remembers the departure, because the browser may keep its cookie. */
export function isFirstReturn(
  { database }: SignInDeps,
  { state }: Departure,
  lifetimeMs: number,
): Promise<boolean> {
  const mac = createHash('sha256').update(state).digest();
  return runTransaction(database, {}, (tx) => takeChallenge(tx, mac, lifetimeMs));
}

/** Failures that the provider did not vouch for are only logged, since anyone can cause them. */
export async function recordFailure(
  { database, toAddress }: SignInDeps,
  { request, traceId }: Exchange,
  { subject, email }: Visitor,
  { failure, person }: NotSignedIn,
): Promise<void> {
  const caller = person === undefined ? { clientId: 'unknown' } : toCaller(person);
  const principal = { ...caller, address: toAddress(request) };
  const data = { ...BY_PROVIDER, reason: failure, subject, email };
  await runTransaction(database, {}, (tx) =>
    audit(tx, { principal, traceId }, 'operator.sign-in.failed', { data }),
  );
}
