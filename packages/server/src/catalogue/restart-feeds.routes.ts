import type { OperationHandlers } from '../operations/operation.ts';
import { restartFeeds } from './restart-feeds.ts';

export type RestartFeedsDeps = {
  /** Called after the commit; the response waits for it. */
  readonly onEpochBegun: () => Promise<void>;
};

export function buildRestartFeedsHandlers(deps: RestartFeedsDeps): Pick<OperationHandlers, 'restartFeeds'> {
  return {
    restartFeeds: (request) => async (tx) => {
      await restartFeeds(tx, { ...request, reason: request.body.reason });
      return { status: 204, onCommitted: deps.onEpochBegun };
    },
  };
}
