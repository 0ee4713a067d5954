/** Writes that wait for a second person: their handlers, and the worker that keeps what they show up to date. */
import type { Logger } from 'pino';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { type ApprovalsDeps, buildApprovalHandlers, refreshApprovals } from './approvals.routes.ts';
import { recordEarlierHolders } from './approvals.sql.ts';

const INTERVAL_MS = 5_000;

export function openApprovals({ log, ...deps }: Omit<ApprovalsDeps, 'onFailed'> & { readonly log: Logger }) {
  const worker = new RepeatedTask({
    intervalMs: INTERVAL_MS,
    work: () => refreshApprovals(deps),
    onFailure: (error) => log.warn({ err: error }, 'refresh of pending approvals failed; retrying'),
  });
  return {
    handlers: buildApprovalHandlers({ ...deps, onFailed: () => void worker.run() }),
    worker,
    async start() {
      await runTransaction(deps.database, {}, recordEarlierHolders);
      worker.start('later');
    },
    close: () => worker.close(),
  };
}
