/** At least one admin can always sign in, and an active owner of an account stays one. */
import type { Member } from '@keyport/contract/accounts/members';
import type { Operator, OperatorPatchBody } from '@keyport/contract/operators/people';
import { MEMBER_ROLES, ROLES } from '@keyport/contract/roles';
import { formatDateTime } from '@keyport/core/date-time';
import { ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import type { Principal } from '@keyport/http/server/principal';
import { computeOffset, type Paging } from '@keyport/http/validation/paging';
import { findAccount } from '../accounts/accounts.sql.ts';
import { lockOpenAccount } from '../accounts/change-client.ts';
import { audit, changesBetween } from '../audit/action.ts';
import type { Database } from '../db/engines/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import type { Db, Tx } from '../db/schema.ts';
import { pageResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { hasPermission, requireProof } from '../operations/permission.ts';
import { type Identity, type PersonAction, toRole } from './audiences.ts';
import { emailProblem } from './email.ts';
import { generatePersonId, type InvitationDeps, invite } from './invitations.ts';
import * as sql from './people.sql.ts';
import type { Ways } from './ways.ts';

export type PeopleDeps = InvitationDeps & { readonly ways: Ways };

/** `accountId` is null for operators. */
type NewPersonRequest = {
  readonly principal: Principal;
  readonly traceId: string;
  readonly accountId: string | null;
  readonly body: Pick<Identity, 'name' | 'email' | 'role'>;
};

type PersonRequest = Omit<NewPersonRequest, 'body'> & { readonly personId: string };

type PersonPatch = Omit<OperatorPatchBody, 'role'> & { readonly role?: Identity['role'] };

export async function createPerson(tx: Tx, deps: PeopleDeps, request: NewPersonRequest) {
  const { accountId, body } = request;
  requireEmail(body.email);
  if (accountId !== null) await lockOpenAccount(tx, accountId);
  const data = { id: generatePersonId(deps.audience), ...body };
  const created = await sql.insertPerson(tx, { ...data, accountId }).catch((error: unknown) => {
    throw toTakenEmail(deps, error);
  });
  await record(tx, deps, request, 'create', data);
  return withInvitation(tx, deps, created);
}

export async function changePerson(
  tx: Tx,
  deps: PeopleDeps,
  request: PersonRequest & { readonly body: PersonPatch },
) {
  const { ways, mailLink } = deps;
  const { accountId, personId } = request;
  const { keepIssued = false, ...patch } = request.body;
  requireEmail(patch.email);
  const heads = accountId === null ? await sql.lockAdmins(tx, ways) : await sql.lockOwners(tx, accountId);
  const before = await lockKnown(tx, deps, request);
  const after = applyPatch(before, patch);
  if (after.email !== before.email || (before.isDisabled && !after.isDisabled))
    requireProof(request.principal.session);
  const isHead = (after.role === 'admin' || after.role === 'owner') && !after.isDisabled;
  if (!isHead && sql.isLastAdmin(heads, personId)) throw conflict(LAST_HEADS[deps.audience.name]);
  const isMailed = mailLink !== undefined;
  if (after.email !== before.email) {
    if (isMailed || ways.isOidc)
      await sql.recordAddressHolder(tx, { id: personId, holder: request.principal.clientId, isMailed });
    await sql.deleteLinkToMail(tx, personId);
  }
  await sql.updatePerson(tx, personId, after).catch((error: unknown) => {
    throw toTakenEmail(deps, error);
  });
  const changes = changesBetween(before, after, ['name', 'email', 'role', 'isDisabled']);
  // Also on enabling: earlier versions left disabled operators their credentials.
  const removed =
    before.isDisabled === after.isDisabled
      ? {}
      : { removed: await sql.deleteCredentials(tx, personId, { keepsSubject: after.isDisabled }) };
  const endsIssued = after.isDisabled && !before.isDisabled && !keepIssued;
  const ended = endsIssued ? await sql.endIssued(tx, personId) : undefined;
  if (accountId === null && ended !== undefined && ended.links.length > 0) await requireAdmin(tx, ways);
  await record(tx, deps, request, 'update', { id: personId, ...changes, ...removed, ...toAudit(ended) });
  return { person: { ...before, ...after }, ...(ended && { ended }) };
}

const LAST_HEADS = {
  operator:
    'Without this admin, no admin could sign in; nothing was changed. First make another operator an admin, or send ' +
    'another admin a new link.',
  reseller:
    'This is the last active owner of the account; nothing was changed. First let another owner sign in, or make an active ' +
    'member an owner.',
} as const;

async function requireAdmin(tx: Tx, ways: Ways): Promise<void> {
  const admins = await sql.lockAdmins(tx, ways);
  if (admins.some(({ canSignIn }) => canSignIn)) return;
  throw conflict(
    'Without the links that this operator made, no admin could sign in; nothing was changed. First send an admin a new link, ' +
      'or set keepIssued.',
  );
}

function toAudit(ended: sql.Issued | undefined): { readonly ended?: sql.Issued } {
  return ended !== undefined && Object.values(ended).flat().length > 0 ? { ended } : {};
}

export async function invitePerson(tx: Tx, deps: PeopleDeps, request: PersonRequest) {
  const person = await lockInvitable(tx, deps, request);
  await record(tx, deps, request, 'invite', { id: person.id });
  return withInvitation(tx, deps, person);
}

export async function resetCredentials(tx: Tx, deps: PeopleDeps, request: PersonRequest) {
  const person = await lockInvitable(tx, deps, request);
  const removed = await sql.deleteCredentials(tx, person.id, { keepsSubject: false });
  const ended = await sql.endIssued(tx, person.id);
  await record(tx, deps, request, 'reset-credentials', { id: person.id, removed, ...toAudit(ended) });
  return { ...(await withInvitation(tx, deps, person)), ended };
}

async function lockInvitable(tx: Tx, deps: PeopleDeps, request: PersonRequest): Promise<sql.PersonRow> {
  const { accountId, personId, principal } = request;
  // With a link, a thief of the session could set a password without the present one.
  if (personId === principal.clientId) {
    throw new ApiError('forbidden', {
      message: 'No one makes a sign-in link for themselves. Ask someone else who may, or use your profile.',
    });
  }
  if (accountId !== null) await lockOpenAccount(tx, accountId);
  const person = await lockKnown(tx, deps, request);
  if (!person.isDisabled) return person;
  const { noun } = deps.audience;
  throw conflict(`The ${noun} is disabled and cannot sign in. Set the status to active first.`);
}

async function lockKnown(
  tx: Tx,
  { audience }: PeopleDeps,
  { accountId, personId }: PersonRequest,
): Promise<sql.PersonRow> {
  const person = await sql.lockPerson(tx, personId);
  return requireFound(person?.accountId === accountId ? person : undefined, audience.noun);
}

function record(
  tx: Tx,
  { audience }: PeopleDeps,
  request: Omit<NewPersonRequest, 'body'>,
  action: PersonAction,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  return audit(tx, request, `${audience.noun}.${action}`, { accountId: request.accountId, data });
}

async function withInvitation(tx: Tx, deps: PeopleDeps, person: sql.PersonRow) {
  const { invitationUrl, expiresAtMicros } = await invite(tx, deps, person.id);
  const invitationExpiresAt = formatDateTime(expiresAtMicros);
  return { person, invitationUrl, invitationExpiresAt, mailed: deps.mailLink !== undefined };
}

function requireEmail(email: string | undefined): void {
  const problem = email === undefined ? undefined : emailProblem(email);
  if (problem !== undefined) throw invalidField('body.email', problem);
}

function applyPatch(
  before: sql.PersonRow,
  { status, ...changes }: Omit<PersonPatch, 'keepIssued'>,
): sql.PersonSettings {
  const { name, email, role } = before;
  const isDisabled = status === undefined ? before.isDisabled : status === 'disabled';
  return { name, email, role, ...changes, isDisabled };
}

function toTakenEmail({ audience }: PeopleDeps, error: unknown): unknown {
  if (!isUniqueViolation(error, 'person_email_uq')) return error;
  return new ApiError('conflict', { message: TAKEN_EMAIL[audience.name], cause: error });
}

const TAKEN_EMAIL = {
  operator:
    "Another operator has this email address. Change that operator's address, or choose a different one.",
  reseller:
    'Another member, perhaps of a different account, has this email address. Choose a different one, or disable that member.',
} as const;

export function readPeople<Shown>(
  { db }: Database,
  query: Partial<Paging>,
  accountId: string | null,
  format: (row: sql.PersonRow) => Shown,
) {
  return pageResponse(query, {
    load: (paging) =>
      sql.listPeople(db, accountId, { limit: paging.itemsPerPage, offset: computeOffset(paging) }),
    count: () => sql.countPeople(db, accountId),
    format,
  });
}

export async function readMembersOf(
  database: Database,
  { params, query }: OperationRequest<'listAccountMembers'>,
) {
  const { id } = requireFound(await findAccount(database.db, params.accountId), 'account');
  return readPeople(database, query, id, formatMember);
}

export async function readOperator(db: Db, { params, principal }: OperationRequest<'getOperator'>) {
  return formatFor(principal, requireFound(await findOperator(db, params.operatorId), 'operator'));
}

async function findOperator(db: Db, id: string): Promise<sql.PersonRow | undefined> {
  const person = await sql.findPerson(db, id);
  return person?.accountId === null ? person : undefined;
}

export function formatFor(
  { operatorRole }: OperationRequest<'getOperator'>['principal'],
  row: sql.PersonRow,
) {
  const operator = formatOperator(row);
  if (!hasPermission(operatorRole, 'internal')) return { ...operator, email: '' };
  const { unsentLinkError: error } = row;
  return error === null ? operator : { ...operator, unsentLink: error === '' ? {} : { error } };
}

export function formatOperator(row: sql.PersonRow): Operator {
  const { id, name, email, role, isDisabled, lastSeenAtMicros, createdAtMicros } = row;
  const lastSeenAt = lastSeenAtMicros === null ? null : formatDateTime(lastSeenAtMicros);
  const status = isDisabled ? 'disabled' : 'active';
  const createdAt = formatDateTime(createdAtMicros);
  return { id, name, email, role: toRole(ROLES, role), status, lastSeenAt, createdAt };
}

export function formatMember({ id, name, email, role, isDisabled, lastSeenAtMicros }: sql.PersonRow): Member {
  const lastSeenAt = lastSeenAtMicros === null ? null : formatDateTime(lastSeenAtMicros);
  const status = isDisabled ? 'disabled' : lastSeenAt === null ? 'invited' : 'active';
  return { id, name, email, role: toRole(MEMBER_ROLES, role), status, lastSeenAt };
}
