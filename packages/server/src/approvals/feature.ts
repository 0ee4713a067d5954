import type { ApprovableOperation } from '@keyport/contract/operators/previews';
import type { OperationHandlers } from '../operations/operation.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { buildApprovalHandlers } from './approvals.routes.ts';
import { countPending } from './approvals.sql.ts';
import { type RefreshDeps, refreshApprovals } from './refresh-approvals.ts';

const INTERVAL_MS = 5_000;

export type Approvals = ReturnType<typeof openApprovals>;

export function openApprovals(
  { database, log }: Platform,
  approvable: Pick<OperationHandlers, ApprovableOperation>,
) {
  const deps: RefreshDeps = {
    database,
    workOf: (operation, request, traceId) => approvable[operation]({ ...request, traceId } as never),
  };
  const worker = new RepeatedTask({
    intervalMs: INTERVAL_MS,
    work: () => refreshApprovals(deps),
    onFailure: (error) => log.warn({ err: error }, 'refresh of pending approvals failed; retrying'),
  });
  return {
    handlers: buildApprovalHandlers({ ...deps, onFailed: () => void worker.run() }),
    refresh: () => refreshApprovals(deps),
    countPending: () => countPending(deps.database.db),
    start: () => worker.start('later'),
    close: () => worker.close(),
  };
}
