/** At least one admin can always sign in. */
import type { Operator, OperatorPatchBody } from '@keyport/contract/operators/people';
import { formatDateTime } from '@keyport/core/date-time';
import { ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { computeOffset } from '@keyport/http/validation/paging';
import { audit, changesBetween } from '../audit/action.ts';
import type { Database } from '../db/engines/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import type { Db, Tx } from '../db/schema.ts';
import { pageResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { hasPermission, requireProof } from '../operations/permission.ts';
import { emailProblem } from './email.ts';
import { generateOperatorId, type InvitationDeps, invite } from './invitations.ts';
import * as sql from './operators.sql.ts';
import type { Ways } from './ways.ts';

type ChangeDeps = Pick<InvitationDeps, 'mailLink'> & { readonly ways: Ways };

export async function createOperator(
  tx: Tx,
  deps: InvitationDeps,
  request: OperationRequest<'createOperator'>,
) {
  requireEmail(request.body.email);
  const operator = { id: generateOperatorId(), ...request.body };
  const created = await sql.insertOperator(tx, operator).catch(rejectTakenEmail);
  await audit(tx, request, 'operator.create', { data: operator });
  return withInvitation(tx, deps, created);
}

export async function changeOperator(
  tx: Tx,
  { ways, mailLink }: ChangeDeps,
  request: OperationRequest<'updateOperator'>,
) {
  const { operatorId } = request.params;
  const { keepIssued = false, ...patch } = request.body;
  requireEmail(patch.email);
  const admins = await sql.lockAdmins(tx, ways);
  const before = requireFound(await sql.lockOperator(tx, operatorId), 'operator');
  const after = applyPatch(before, patch);
  if (after.email !== before.email || (before.isDisabled && !after.isDisabled))
    requireProof(request.principal.session);
  const isActiveAdmin = after.role === 'admin' && !after.isDisabled;
  if (!isActiveAdmin && sql.isLastAdmin(admins, operatorId)) {
    throw conflict(
      'Without this admin, no admin could sign in; nothing was changed. First make another operator an admin, or send ' +
        'another admin a new link.',
    );
  }
  const isMailed = mailLink !== undefined;
  if (after.email !== before.email) {
    if (isMailed || ways.isOidc)
      await sql.recordAddressHolder(tx, { id: operatorId, holder: request.principal.clientId, isMailed });
    await sql.deleteLinkToMail(tx, operatorId);
  }
  await sql.updateOperator(tx, operatorId, after).catch(rejectTakenEmail);
  const changes = changesBetween(before, after, ['name', 'email', 'role', 'isDisabled']);
  // Also on enabling: earlier versions left disabled operators their credentials.
  const removed =
    before.isDisabled === after.isDisabled
      ? {}
      : { removed: await sql.deleteCredentials(tx, operatorId, { keepsSubject: after.isDisabled }) };
  const endsIssued = after.isDisabled && !before.isDisabled && !keepIssued;
  const ended = endsIssued ? await sql.endIssued(tx, operatorId) : undefined;
  if (ended !== undefined && ended.links.length > 0) await requireAdmin(tx, ways);
  const data = { id: operatorId, ...changes, ...removed, ...toAudit(ended) };
  await audit(tx, request, 'operator.update', { data });
  return { ...formatOperator({ ...before, ...after }), ...(ended && { ended }) };
}

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

type InvitationRequest = OperationRequest<'inviteOperator'> | OperationRequest<'resetOperatorCredentials'>;

export async function inviteOperator(tx: Tx, deps: InvitationDeps, request: InvitationRequest) {
  requireOther(request);
  const operator = await lockActive(tx, request.params.operatorId);
  await audit(tx, request, 'operator.invite', { data: { id: operator.id } });
  return withInvitation(tx, deps, operator);
}

/** With a link, a thief of the session could set a password without the present one. */
function requireOther({ params, principal }: InvitationRequest): void {
  if (params.operatorId !== principal.clientId) return;
  throw new ApiError('forbidden', {
    message: 'No one makes a sign-in link for themselves. Ask another admin, or use your profile.',
  });
}

export async function resetCredentials(tx: Tx, deps: InvitationDeps, request: InvitationRequest) {
  requireOther(request);
  const operator = await lockActive(tx, request.params.operatorId);
  const removed = await sql.deleteCredentials(tx, operator.id, { keepsSubject: false });
  const ended = await sql.endIssued(tx, operator.id);
  const data = { id: operator.id, removed, ...toAudit(ended) };
  await audit(tx, request, 'operator.reset-credentials', { data });
  return { ...(await withInvitation(tx, deps, operator)), ended };
}

async function lockActive(tx: Tx, id: string): Promise<sql.OperatorRow> {
  const operator = requireFound(await sql.lockOperator(tx, id), 'operator');
  if (!operator.isDisabled) return operator;
  throw conflict('The operator is disabled and cannot sign in. Set the status to active first.');
}

async function withInvitation(tx: Tx, deps: InvitationDeps, operator: sql.OperatorRow) {
  const { invitationUrl, expiresAtMicros } = await invite(tx, deps, operator.id);
  return {
    ...formatOperator(operator),
    invitationUrl,
    invitationExpiresAt: formatDateTime(expiresAtMicros),
    mailed: deps.mailLink !== undefined,
  };
}

function requireEmail(email: string | undefined): void {
  const problem = email === undefined ? undefined : emailProblem(email);
  if (problem !== undefined) throw invalidField('body.email', problem);
}

function applyPatch(
  before: sql.OperatorRow,
  { status, ...changes }: Omit<OperatorPatchBody, 'keepIssued'>,
): sql.OperatorSettings {
  const { name, email, role } = before;
  const isDisabled = status === undefined ? before.isDisabled : status === 'disabled';
  return { name, email, role, ...changes, isDisabled };
}

function rejectTakenEmail(error: unknown): never {
  if (!isUniqueViolation(error, 'operator_email_uq')) throw error;
  throw new ApiError('conflict', {
    message:
      "Another operator has this email address. Change that operator's address, or choose a different one.",
    cause: error,
  });
}

export function readOperators({ db }: Database, { query, principal }: OperationRequest<'listOperators'>) {
  return pageResponse(query, {
    load: (paging) => sql.listOperators(db, { limit: paging.itemsPerPage, offset: computeOffset(paging) }),
    count: () => sql.countOperators(db),
    format: (row) => formatFor(principal, row),
  });
}

export async function readOperator(db: Db, { params, principal }: OperationRequest<'getOperator'>) {
  return formatFor(principal, requireFound(await sql.findOperator(db, params.operatorId), 'operator'));
}

function formatFor({ operatorRole }: OperationRequest<'getOperator'>['principal'], row: sql.OperatorRow) {
  const operator = formatOperator(row);
  if (!hasPermission(operatorRole, 'internal')) return { ...operator, email: '' };
  const { unsentLinkError: error } = row;
  return error === null ? operator : { ...operator, unsentLink: error === '' ? {} : { error } };
}

function formatOperator(row: sql.OperatorRow): Operator {
  const { id, name, email, role, isDisabled, lastSeenAtMicros, createdAtMicros } = row;
  const lastSeenAt = lastSeenAtMicros === null ? null : formatDateTime(lastSeenAtMicros);
  const status = isDisabled ? 'disabled' : 'active';
  return { id, name, email, role, status, lastSeenAt, createdAt: formatDateTime(createdAtMicros) };
}
