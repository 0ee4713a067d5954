/** Writes that wait for a second person: their handlers, and what is kept of who could act as whom. */
import { runTransaction } from '../db/transaction.ts';
import { type ApprovalsDeps, buildApprovalHandlers } from './approvals.routes.ts';
import { recordEarlierHolders } from './approvals.sql.ts';

export function openApprovals(deps: ApprovalsDeps) {
  return {
    handlers: buildApprovalHandlers(deps),
    start: () => runTransaction(deps.database, {}, recordEarlierHolders),
    close: async () => {},
  };
}
