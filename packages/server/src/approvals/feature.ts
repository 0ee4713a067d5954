import type { ApprovableOperation } from '@keyport/contract/operators/previews';
import type { OperationHandlers } from '../operations/operation.ts';
import type { Platform } from '../platform.ts';
import { buildApprovalHandlers } from './approvals.routes.ts';
import { countPending } from './approvals.sql.ts';
import { type RefreshDeps, refreshApprovals } from './refresh-approvals.ts';

export type Approvals = ReturnType<typeof openApprovals>;

export function openApprovals(
  { database, log }: Platform,
  approvable: Pick<OperationHandlers, ApprovableOperation>,
) {
  const deps: RefreshDeps = {
    database,
    workOf: (operation, request, traceId) => approvable[operation]({ ...request, traceId } as never),
  };
  const refresh = () => refreshApprovals(deps);
  const onFailed = () =>
    void refresh().catch((error: unknown) =>
      log.warn({ err: error }, 'refreshing pending approvals failed; retrying'),
    );
  return {
    handlers: buildApprovalHandlers({ ...deps, onFailed }),
    refresh,
    countPending: () => countPending(deps.database.db),
  };
}
