import type { Approval } from '@keyport/contract/operators/approvals';
import type { OpenApproval } from '@keyport/contract/operators/previews';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { requireFound } from '@keyport/http/replies/api-error';
import type { Principal } from '@keyport/http/server/principal';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import type { ApprovalSubject } from '../operations/writes/run-write.ts';
import * as sql from './approvals.sql.ts';
import {
  listApprovable,
  loadRequester,
  loadRequestersOf,
  mayApprove,
  requesterStatus,
} from './requesters.ts';

export async function listApprovals(
  database: Database,
  { query, principal }: OperationRequest<'listApprovals'>,
) {
  const { db } = database;
  const { mayApprove: isMine, ...filter } = query;
  const approvable = isMine === undefined ? undefined : await listApprovable(db, principal);
  const list = sql.approvalsList(approvable === undefined ? filter : { ...filter, approvable });
  const toId = ({ id }: sql.ApprovalRow) => id;
  const wanted = { name: 'approvals', query, list, load: sql.loadApprovals, toId };
  const { rows, meta } = await readListPage(database, wanted);
  const requesters = await loadRequestersOf(db, rows, principal);
  const data = rows.map((row) =>
    view(row, must(requesters.get(row.requestedBy), 'a row for each id'), principal),
  );
  return { status: 200, data, meta };
}

/** At most 20 of them: a preview is no list. */
export async function listOpenApprovals(tx: Tx, subject: ApprovalSubject): Promise<OpenApproval[]> {
  const rows = await sql.listOpen(tx, subject);
  return rows.map(({ id, operation, amountMinor, requestedBy, requestedAtMicros }) => ({
    id: String(id),
    operation,
    amount: formatMinor(amountMinor),
    requestedBy,
    requestedAt: formatDateTime(requestedAtMicros),
  }));
}

/** Throws not-found. */
export async function readApproval(db: Db, approvalId: string, principal: Principal) {
  const row = requireFound(await sql.findApproval(db, approvalId), 'approval');
  return {
    data: await showApproval(db, row, principal),
    etag: row.status === 'pending' ? row.stateTag : null,
  };
}

export async function showApproval(db: Db, row: sql.ApprovalRow, principal: Principal): Promise<Approval> {
  return view(row, await loadRequester(db, row, principal), principal);
}

function view(row: sql.ApprovalRow, requester: sql.Requester, principal: Principal): Approval {
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
