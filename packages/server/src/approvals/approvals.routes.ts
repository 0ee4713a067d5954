/**
 * Writes that wait for a second person: they are stored instead of done, and done when somebody else approves them, in the
 * transaction of the approval, by the code that would have done them at once. A442 to A444.
 */
import type { ApprovableOperation, Approval } from '@keyport/contract/approvals';
import { OPERATIONS } from '@keyport/contract/operations';
import type { WritePreview } from '@keyport/contract/previews';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { type Acting, auditRecord } from '../audit/action.ts';
import { type AuditRecord, insertAudit } from '../db/audit.sql.ts';
import type { Database } from '../db/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { ApiError, requireFound } from '../http/api-error.ts';
import { readListPage } from '../http/list-page.ts';
import type { OperationHandlers, Principal, WriteEffect, WriteWork, Written } from '../http/operation.ts';
import { requirePermission } from '../http/permission.ts';
import { canonicalPayload } from '../writes/payload.ts';
import { showEffect, stateTag } from '../writes/preview.ts';
import type { RequestApproval } from '../writes/run-write.ts';
import {
  type ApprovalRow,
  approvalsList,
  decideApproval,
  findApproval,
  findWaiting,
  insertApproval,
  loadApprovals,
  lockApproval,
  type StoredRequest,
} from './approvals.sql.ts';

export type ApprovalsDeps = {
  readonly database: Database;
  /** The work of a write that was asked for, as its own handler makes it. */
  readonly workOf: (operation: ApprovableOperation, request: StoredRequest, traceId: string) => WriteWork;
};

export const requestApproval: RequestApproval = async (tx, { name }, request, { preview, approval }) => {
  const operation = name as ApprovableOperation;
  const { body, principal, traceId } = request as typeof request & Pick<StoredRequest, 'body'>;
  const { amountMinor, accountId, orderId } = approval;
  const { reference, reason } = body as { readonly reference?: string; readonly reason?: string };
  const earlier =
    reference === undefined ? undefined : await findWaiting(tx, { operation, accountId, reference });
  if (earlier !== undefined) return { status: 202, data: sameRequest(earlier, request) };
  const stored = { params: request.params, query: request.query, body, principal } as StoredRequest;
  const row = await insertApproval(tx, {
    operation,
    request: stored,
    preview,
    amountMinor,
    accountId,
    orderId,
    reference: reference ?? null,
    requestedBy: principal.clientId,
  });
  const data = { operation, amount: formatMinor(amountMinor), reference, reason };
  await insertAudit(tx, auditOf('request', row, { principal, traceId }, data));
  return { status: 202, data: showApproval(row) };
};

/** What waits under the reference, when the repeated request means the same. Throws conflict. */
function sameRequest(earlier: ApprovalRow, request: Parameters<typeof canonicalPayload>[1]): Approval {
  const operation = OPERATIONS[earlier.operation];
  if (canonicalPayload(operation, earlier.request) === canonicalPayload(operation, request)) {
    return showApproval(earlier);
  }
  throw new ApiError('conflict', {
    message: `Another request with this reference waits for approval ${earlier.id}. Use another reference, or reject that one first.`,
  });
}

export function buildApprovalHandlers(
  deps: ApprovalsDeps,
): Pick<OperationHandlers, 'listApprovals' | 'getApproval' | 'approveWrite' | 'rejectWrite'> {
  const { database, workOf } = deps;
  return {
    async listApprovals({ query }) {
      const list = approvalsList(query);
      const wanted = { name: 'approvals', query, list, load: loadApprovals, idOf };
      const { rows, meta } = await readListPage(database, wanted);
      return { status: 200, data: rows.map(showApproval), meta };
    },

    async getApproval({ params, traceId }) {
      const row = requireFound(await findApproval(database.kysely, params.approvalId), 'approval');
      if (row.status !== 'pending') return { status: 200, data: showApproval(row) };
      const now = await rehearse(deps, row, traceId);
      if (now instanceof ApiError) {
        return { status: 200, data: { ...showApproval(row), preview: null, problem: now.message } };
      }
      const data = { ...showApproval(row), preview: previewOf(now) };
      return { status: 200, data, headers: { etag: stateTag(now) } };
    },

    approveWrite(request) {
      const { params, body, principal, traceId } = request;
      return async (tx) => {
        const row = await lockPending(tx, params.approvalId);
        requireOther(row, principal);
        requirePermission(principal.operatorRole, OPERATIONS[row.operation].permission);
        const written = await workOf(row.operation, row.request, traceId)(tx);
        const effect = effectOf(row, written);
        const decided = await decideApproval(tx, row.id, {
          status: 'approved',
          by: principal.clientId,
          reason: body.reason ?? null,
          preview: previewOf(effect),
        });
        await insertAudit(tx, auditOf('approve', row, request, decisionData(row, body.reason)));
        const { onCommitted } = written;
        return {
          status: 200,
          data: showApproval(decided),
          effect,
          ...(onCommitted === undefined ? {} : { onCommitted }),
        };
      };
    },

    rejectWrite(request) {
      const { params, body, principal } = request;
      return async (tx) => {
        const row = await lockPending(tx, params.approvalId);
        requirePermission(principal.operatorRole, OPERATIONS[row.operation].permission);
        const { preview } = row;
        const decision = {
          status: 'rejected',
          by: principal.clientId,
          reason: body.reason ?? null,
          preview,
        } as const;
        const decided = await decideApproval(tx, row.id, decision);
        await insertAudit(tx, auditOf('reject', row, request, decisionData(row, body.reason)));
        return { status: 200, data: showApproval(decided) };
      };
    },
  };
}

async function lockPending(tx: Tx, id: string): Promise<ApprovalRow> {
  const row = requireFound(await lockApproval(tx, id), 'approval');
  if (row.status === 'pending') return row;
  throw new ApiError('conflict', { message: `The request was ${row.status} by ${row.decidedBy} already.` });
}

function requireOther({ requestedBy }: ApprovalRow, { clientId }: Principal): void {
  if (requestedBy !== clientId) return;
  throw new ApiError('forbidden', {
    message: 'You asked for this yourself; somebody else has to approve it. You can only reject it.',
  });
}

/** What the write would do now, or why it cannot. */
async function rehearse(
  { database, workOf }: ApprovalsDeps,
  row: ApprovalRow,
  traceId: string,
): Promise<WriteEffect | ApiError> {
  try {
    const work = workOf(row.operation, row.request, traceId);
    return effectOf(row, await runTransaction(database, { isRehearsal: true }, work));
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'internal-server-error') return error;
    throw error;
  }
}

function effectOf({ operation }: ApprovalRow, { effect }: Written): WriteEffect {
  if (effect === undefined) throw new Error(`${operation} has no effect to show`);
  return effect;
}

/** It needs no other approval than the one that it is shown for. */
function previewOf(effect: WriteEffect): WritePreview {
  return showEffect(OPERATIONS.approveWrite, effect, undefined);
}

function decisionData({ operation, amountMinor, requestedBy }: ApprovalRow, reason: string | undefined) {
  return { operation, amount: formatMinor(amountMinor), requestedBy, reason };
}

function auditOf(
  verb: 'request' | 'approve' | 'reject',
  { id, accountId, orderId }: ApprovalRow,
  acting: Acting,
  data: Record<string, unknown>,
): AuditRecord {
  const record = auditRecord(acting, `approval.${verb}`, {
    accountId,
    data: { approvalId: String(id), ...data },
  });
  return { ...record, orderId };
}

function showApproval(row: ApprovalRow): Approval {
  const { reason } = row.request.body as { readonly reason?: string };
  return {
    id: String(row.id),
    operation: row.operation,
    status: row.status,
    amount: formatMinor(row.amountMinor),
    accountId: row.accountId,
    orderId: row.orderId,
    reason: reason ?? null,
    body: { ...row.request.body },
    requestedBy: row.requestedBy,
    requestedAt: formatDateTime(row.requestedAtMicros),
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAtMicros === null ? null : formatDateTime(row.decidedAtMicros),
    decisionReason: row.decisionReason,
    preview: row.preview,
  };
}

const idOf = ({ id }: ApprovalRow) => id;
