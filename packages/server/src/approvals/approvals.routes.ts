import type { OperationHandlers } from '../operations/operation.ts';
import { approveWrite, rejectWrite } from './decide-approval.ts';
import type { RefreshDeps } from './refresh-approvals.ts';
import { listApprovals, readApproval } from './show-approval.ts';

export type ApprovalsDeps = RefreshDeps & { readonly onFailed: () => void };

export function buildApprovalHandlers({ database, workOf, onFailed }: ApprovalsDeps) {
  return {
    listApprovals: (request) => listApprovals(database, request),
    async getApproval({ params, principal }) {
      const { data, etag } = await readApproval(database.db, params.approvalId, principal);
      return { status: 200, data, ...(etag !== null && { headers: { etag } }) };
    },
    approveWrite: (request) => (tx) => approveWrite(tx, { ...request, workOf, onFailed }),
    rejectWrite: (request) => (tx) => rejectWrite(tx, request),
  } satisfies Partial<OperationHandlers>;
}
