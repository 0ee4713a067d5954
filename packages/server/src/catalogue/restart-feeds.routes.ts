/** Begins a new epoch of the catalogue: every cursor of the change feed from before starts over. A127. */
import { randomUUID } from 'node:crypto';
import { auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { beginCatalogueEpoch } from './catalogue-clock.sql.ts';

export type RestartFeedsDeps = {
  /** Called after commit; the response waits for it. */
  readonly onEpochBegun: () => Promise<void>;
};

export function buildRestartFeedsHandlers({
  onEpochBegun,
}: RestartFeedsDeps): Pick<OperationHandlers, 'restartFeeds'> {
  return {
    restartFeeds: (request) => async (tx) => {
      const epoch = randomUUID();
      const data = { reason: request.body.reason, epoch };
      await insertAudit(tx, auditRecord(request, 'catalogue.restart-feeds', { data }));
      await beginCatalogueEpoch(tx, epoch);
      return { status: 204, onCommitted: onEpochBegun };
    },
  };
}
