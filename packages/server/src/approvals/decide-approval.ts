/** A442 to A444. */
import { OPERATIONS } from '@keyport/contract/operations';
import type { Approval } from '@keyport/contract/operators/approvals';
import type { ApprovableOperation, WritePreview } from '@keyport/contract/operators/previews';
import { ApiError, conflict, requireFound } from '@keyport/http/replies/api-error';
import type { Tx } from '../db/schema.ts';
import type { OperationRequest, WriteEffect, WriteWork, Written } from '../operations/operation.ts';
import { requirePermission } from '../operations/permission.ts';
import { showEffect } from '../operations/writes/preview.ts';
import { auditDecision } from './approval-audit.ts';
import * as sql from './approvals.sql.ts';
import { INVALID_REQUESTER, loadRequester, requesterStatus } from './requesters.ts';
import { showApproval } from './show-approval.ts';

export type WorkOf = (
  operation: ApprovableOperation,
  request: sql.StoredRequest,
  traceId: string,
) => WriteWork;

type Decision = Pick<OperationRequest<'approveWrite'>, 'params' | 'body' | 'principal' | 'traceId'>;

export async function approveWrite(
  tx: Tx,
  command: Decision & { readonly workOf: WorkOf; readonly onFailed: () => void },
): Promise<Written<Approval>> {
  const { body, principal, traceId, workOf, onFailed } = command;
  const row = await lockPending(tx, command);
  requireApprovable(row, await loadRequester(tx, row, principal), principal.clientId);
  let written: Written;
  try {
    written = await workOf(row.operation, row.request, traceId)(tx);
  } catch (error) {
    onFailed();
    throw error;
  }
  const effect = toEffect(row, written);
  const data = await decide(tx, row, command, { status: 'approved', preview: toPreview(effect) });
  await auditDecision(tx, 'approve', row, command, body.reason);
  const { onCommitted } = written;
  return { status: 200, data, effect, ...(onCommitted && { onCommitted }) };
}

export async function rejectWrite(tx: Tx, command: Decision): Promise<Written<Approval>> {
  const row = await lockPending(tx, command);
  const data = await decide(tx, row, command, { status: 'rejected', preview: row.preview });
  await auditDecision(tx, 'reject', row, command, command.body.reason);
  return { status: 200, data };
}

async function decide(
  tx: Tx,
  { id }: sql.ApprovalRow,
  { body, principal }: Decision,
  decision: { readonly status: 'approved' | 'rejected'; readonly preview: WritePreview },
): Promise<Approval> {
  const by = principal.clientId;
  const decided = await sql.decideApproval(tx, id, { ...decision, by, reason: body.reason ?? null });
  return showApproval(tx, decided, principal);
}

/** Throws not-found, conflict and forbidden. */
async function lockPending(tx: Tx, { params, principal }: Decision): Promise<sql.ApprovalRow> {
  const row = requireFound(await sql.lockApproval(tx, params.approvalId), 'approval');
  if (row.status !== 'pending') throw conflict(`The request was already ${row.status} by ${row.decidedBy}.`);
  requirePermission(principal.operatorRole, OPERATIONS[row.operation].permission);
  return row;
}

/** Throws forbidden for the requester's own request (A500), and conflict. */
function requireApprovable(
  { operation, requestedBy }: sql.ApprovalRow,
  requester: sql.Requester,
  approverId: string,
) {
  if (requester.isSamePerson) {
    const message =
      requestedBy === approverId
        ? 'You requested this yourself; another operator must approve it. You can only reject it.'
        : 'You and the requester count as one person, because one created or invited the other: ' +
          'another operator must approve it. You can only reject it.';
    throw new ApiError('forbidden', { message });
  }
  const status = requesterStatus(requester, operation);
  if (status !== 'active') throw conflict(`${INVALID_REQUESTER[status]} A new request is needed.`);
}

export function toEffect({ operation }: sql.ApprovalRow, { effect }: Written): WriteEffect {
  if (effect === undefined) throw new Error(`${operation} has no effect to show`);
  return effect;
}

export function toPreview(effect: WriteEffect): WritePreview {
  return showEffect(OPERATIONS.approveWrite, effect, undefined);
}
