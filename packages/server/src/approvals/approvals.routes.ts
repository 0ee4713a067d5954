/**
 * Writes that wait for a second person: they are stored instead of done, and done when somebody else approves them, in the
 * transaction of the approval, by the code that would have done them at once. A442 to A444.
 */

import { OPERATIONS } from '@keyport/contract/operations';
import {
  APPROVABLE_OPERATIONS,
  type ApprovableOperation,
  type Approval,
} from '@keyport/contract/operators/approvals';
import type { WritePreview } from '@keyport/contract/operators/previews';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { ApiError, requireFound } from '@keyport/http/replies/api-error';
import type { Principal } from '@keyport/http/server/principal';
import { newTraceId } from '@keyport/http/server/trace-id';
import { type Acting, auditRecord } from '../audit/action.ts';
import { type AuditRecord, insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationHandlers, WriteEffect, WriteWork, Written } from '../operations/operation.ts';
import { hasPermission, requirePermission } from '../operations/permission.ts';
import { canonicalPayload } from '../operations/writes/payload.ts';
import { showEffect, stateTag } from '../operations/writes/preview.ts';
import type { RequestApproval } from '../operations/writes/run-write.ts';
import {
  type ApprovalRow,
  approvalsList,
  decideApproval,
  findApproval,
  findWaiting,
  insertApproval,
  listOutdated,
  listWaitingOf,
  listWaitingRequesters,
  loadApprovals,
  loadRequesters,
  lockApproval,
  type Requester,
  type StoredRequest,
  sumApprovable,
  updatePreview,
} from './approvals.sql.ts';

export type ApprovalsDeps = {
  readonly database: Database;
  /** The work of a write that was asked for, as its own handler makes it. */
  readonly workOf: (operation: ApprovableOperation, request: StoredRequest, traceId: string) => WriteWork;
  /** Called when an approved write could not be carried out. */
  readonly onFailed: () => void;
};

export const requestApproval: RequestApproval = async (
  tx,
  { name },
  request,
  { preview, stateTag, approval },
) => {
  const operation = name as ApprovableOperation;
  const { body, principal, traceId } = request as typeof request & Pick<StoredRequest, 'body'>;
  const { amountMinor, accountId, orderId } = approval;
  const { reason, ...named } = body as { readonly reference?: string; readonly reason?: string };
  const reference = named.reference ?? refundReference(orderId, preview);
  const earlier =
    reference === undefined ? undefined : await findWaiting(tx, { operation, accountId, reference });
  if (earlier !== undefined) {
    requireSameRequest(earlier, request);
    return { status: 202, data: await showOne(tx, earlier, principal) };
  }
  const stored = { params: request.params, query: request.query, body, principal } as StoredRequest;
  const row = await insertApproval(tx, {
    operation,
    request: stored,
    preview,
    stateTag,
    amountMinor,
    accountId,
    orderId,
    reference: reference ?? null,
    requestedBy: principal.clientId,
  });
  const data = { operation, amount: formatMinor(amountMinor), reference: named.reference, reason };
  await insertAudit(tx, auditOf('request', row, { principal, traceId }, data));
  return { status: 202, data: await showOne(tx, row, principal) };
};

/** Refunds of an order are the same if they take the same units of the same items, and the same keys. */
function refundReference(orderId: string | null, { order, keyIds }: WritePreview): string | undefined {
  if (orderId === null || order === null) return undefined;
  const refunded = ({ transactions = [] }: typeof order.before) =>
    transactions.flatMap(({ items }) => items.map(({ id, quantity }) => [id, quantity.refunded] as const));
  const before = new Map(refunded(order.before));
  const units = refunded(order.after).map(([id, after]) => [id, after - (before.get(id) ?? 0)]);
  return JSON.stringify([orderId, units, keyIds ?? []]);
}

/** Throws conflict when another request waits under the reference, or the same refund (A506). */
function requireSameRequest(earlier: ApprovalRow, request: Parameters<typeof canonicalPayload>[1]): void {
  if (earlier.orderId !== null) {
    throw new ApiError('conflict', {
      message: `The same refund waits for approval ${earlier.id} already. Have that one approved or rejected.`,
      data: { approvalId: String(earlier.id) },
    });
  }
  const operation = OPERATIONS[earlier.operation];
  if (canonicalPayload(operation, earlier.request) === canonicalPayload(operation, request)) return;
  throw new ApiError('conflict', {
    message: `Another request with this reference waits for approval ${earlier.id}. Use another reference, or reject that one first.`,
    data: { approvalId: String(earlier.id) },
  });
}

export function buildApprovalHandlers(
  deps: ApprovalsDeps,
): Pick<OperationHandlers, 'listApprovals' | 'getApproval' | 'approveWrite' | 'rejectWrite'> {
  const { database, workOf, onFailed } = deps;
  return {
    async listApprovals({ query, principal }) {
      const { mayApprove, ...filter } = query;
      const approvable =
        mayApprove === undefined ? undefined : await listApprovable(database.kysely, principal);
      const list = approvalsList(approvable === undefined ? filter : { ...filter, approvable });
      const wanted = { name: 'approvals', query, list, load: loadApprovals, idOf };
      const { rows, meta } = await readListPage(database, wanted);
      return { status: 200, data: await showApprovals(database.kysely, rows, principal), meta };
    },

    async getApproval({ params, principal }) {
      const row = requireFound(await findApproval(database.kysely, params.approvalId), 'approval');
      const data = await showOne(database.kysely, row, principal);
      const isShown = row.status === 'pending' && row.stateTag !== null;
      return { status: 200, data, ...(isShown ? { headers: { etag: row.stateTag } } : {}) };
    },

    approveWrite(request) {
      const { params, body, principal, traceId } = request;
      return async (tx) => {
        const row = await lockPending(tx, params.approvalId);
        requirePermission(principal.operatorRole, OPERATIONS[row.operation].permission);
        requireApprovable(row, await loadRequester(tx, row, principal), principal.clientId);
        const written = await workOf(
          row.operation,
          row.request,
          traceId,
        )(tx).catch((error: unknown) => {
          onFailed();
          throw error;
        });
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
          data: await showOne(tx, decided, principal),
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
        return { status: 200, data: await showOne(tx, decided, principal) };
      };
    },
  };
}

async function lockPending(tx: Tx, id: string): Promise<ApprovalRow> {
  const row = requireFound(await lockApproval(tx, id), 'approval');
  if (row.status === 'pending') return row;
  throw new ApiError('conflict', { message: `The request was ${row.status} by ${row.decidedBy} already.` });
}

/** Throws forbidden for the requester's own request (A500), and conflict when a new request is needed (A501). */
function requireApprovable(
  { operation, requestedBy }: ApprovalRow,
  requester: Requester,
  approverId: string,
) {
  if (requester.isSamePerson) {
    const message =
      requestedBy === approverId
        ? 'You requested this yourself; another operator must approve it. You can only reject it.'
        : 'You and the requester count as one person, because one created or invited the other: another operator must approve it. You can only reject it.';
    throw new ApiError('forbidden', { message });
  }
  const status = requesterStatus(requester, operation);
  if (status === 'active') return;
  throw new ApiError('conflict', { message: `${INVALID_REQUESTER[status]} A new request is needed.` });
}

const INVALID_REQUESTER = {
  disabled: 'The operator who requested this was disabled since then.',
  demoted: 'The operator who requested this has a role since then that may not request it.',
};

function requesterStatus(
  { role, isDisabled }: Requester,
  operation: ApprovableOperation,
): Approval['requesterStatus'] {
  if (role === null || isDisabled) return 'disabled';
  return hasPermission(role, OPERATIONS[operation].permission) ? 'active' : 'demoted';
}

async function loadRequester(
  db: Db,
  { requestedBy }: ApprovalRow,
  { clientId }: Principal,
): Promise<Requester> {
  const [requester] = await loadRequesters(db, clientId, [requestedBy]);
  return must(requester, 'a row for each id');
}

export async function countApprovable(db: Db, principal: Principal) {
  return sumApprovable(db, await listApprovable(db, principal));
}

/** All pairs of requester and operation that this operator may approve. */
async function listApprovable(db: Db, principal: Principal) {
  const requesters = await loadRequesters(db, principal.clientId, await listWaitingRequesters(db));
  return requesters.flatMap((requester) =>
    APPROVABLE_OPERATIONS.filter((operation) => mayApprove(principal, requester, operation)).map(
      (operation) => ({
        requestedBy: requester.id,
        operation,
      }),
    ),
  );
}

function mayApprove(principal: Principal, requester: Requester, operation: ApprovableOperation): boolean {
  return (
    principal.role === 'operator' &&
    [OPERATIONS.approveWrite, OPERATIONS[operation]].every(({ permission }) =>
      hasPermission(principal.operatorRole, permission),
    ) &&
    !requester.isSamePerson &&
    requesterStatus(requester, operation) === 'active'
  );
}

/** Recalculates changed previews and closes impossible requests (A507), so that reads need not run the write. */
export async function refreshApprovals(deps: Omit<ApprovalsDeps, 'onFailed'>): Promise<void> {
  const { database } = deps;
  const outdated = await listOutdated(database.kysely);
  await closeInvalid(database);
  for (const row of outdated) {
    const now = await rehearse(deps, row);
    await runTransaction(database, {}, (tx) =>
      now instanceof ApiError
        ? close(tx, row, now.message)
        : updatePreview(tx, row.id, {
            preview: previewOf(now),
            stateTag: stateTag(now),
            versions: row.versions,
          }),
    );
  }
}

/** Those whose requester was disabled or demoted (A501). */
async function closeInvalid(database: Database): Promise<void> {
  const requesters = await loadRequesters(
    database.kysely,
    SERVICE,
    await listWaitingRequesters(database.kysely),
  );
  for (const requester of requesters) {
    for (const operation of APPROVABLE_OPERATIONS) {
      const status = requesterStatus(requester, operation);
      if (status === 'active') continue;
      const wanted = { requestedBy: requester.id, operation };
      await runTransaction(database, {}, async (tx) => {
        for (const row of await listWaitingOf(tx, wanted)) await close(tx, row, INVALID_REQUESTER[status]);
      });
    }
  }
}

/** The actor that closes impossible requests. */
const SERVICE = 'keyport';

/** Nothing when it was decided since it was read. */
async function close(tx: Tx, { id }: Pick<ApprovalRow, 'id'>, reason: string): Promise<void> {
  const row = await lockApproval(tx, String(id));
  if (row?.status !== 'pending') return;
  await decideApproval(tx, id, { status: 'rejected', by: SERVICE, reason, preview: row.preview });
  const acting = { principal: { clientId: SERVICE }, traceId: newTraceId() };
  await insertAudit(tx, auditOf('reject', row, acting, decisionData(row, reason)));
}

/** The effect of the write if it ran now, or the reason why it cannot. */
async function rehearse(
  { database, workOf }: Omit<ApprovalsDeps, 'onFailed'>,
  row: ApprovalRow,
): Promise<WriteEffect | ApiError> {
  try {
    const work = workOf(row.operation, row.request, newTraceId());
    const written = await runTransaction(database, { isRehearsal: true }, work);
    return effectOf(row, written);
  } catch (error) {
    if (error instanceof ApiError && IMPOSSIBLE.includes(error.code)) return error;
    throw error;
  }
}

const IMPOSSIBLE: readonly string[] = ['conflict', 'not-found', 'validation-error'];

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

/** As this operator sees them. */
async function showApprovals(
  db: Db,
  rows: readonly ApprovalRow[],
  principal: Principal,
): Promise<Approval[]> {
  const ids = [...new Set(rows.map(({ requestedBy }) => requestedBy))];
  const requesters = await loadRequesters(db, principal.clientId, ids);
  const byId = new Map(requesters.map((requester) => [requester.id, requester]));
  return rows.map((row) =>
    showApproval(row, must(byId.get(row.requestedBy), 'a row for each id'), principal),
  );
}

async function showOne(db: Db, row: ApprovalRow, principal: Principal): Promise<Approval> {
  return showApproval(row, await loadRequester(db, row, principal), principal);
}

function showApproval(row: ApprovalRow, requester: Requester, principal: Principal): Approval {
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
    requesterStatus: requesterStatus(requester, row.operation),
    requestedAt: formatDateTime(row.requestedAtMicros),
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAtMicros === null ? null : formatDateTime(row.decidedAtMicros),
    decisionReason: row.decisionReason,
    preview: row.preview,
    mayApprove: row.status === 'pending' && mayApprove(principal, requester, row.operation),
  };
}

const idOf = ({ id }: ApprovalRow) => id;
