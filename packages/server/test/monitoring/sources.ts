import type { MetricSources } from '../../src/metrics/sources.ts';

export function madeUpSources(): MetricSources {
  return {
    queueDepth: () => 5,
    heldRequests: () => 2,
    openConnections: async () => 10,
    catalogue: { listedCount: 100, productCount: 120 },
    catalogueLagSeconds: () => 0.2,
    catalogueBehindSeconds: async () => 0,
    eventLagSeconds: async () => 0,
    lastComparison: () => ({ finishedAtSeconds: 1000, checked: 120, broken: 0 }),
    loggedRequests: () => ({ written: 3, omitted: 1 }),
    rejectedRequests: () => ({ late: 4, orders: 0 }),
    poolUse: () => ({ inUse: 1, idle: 2, waiting: 0 }),
    databaseCounts: {
      sessionsOpened: 3,
      sessionErrors: 0,
      transactionsCommitted: 7,
      transactionsFailed: 0,
      transactionsUnknown: 0,
      transactionsRetried: 1,
    },
    databaseState: () => ({
      transactionIdsUsedRatio: 0.1,
      oldestSnapshotSeconds: 3,
      archiveFailsForSeconds: 0,
    }),
    webhooksInFlight: () => 3,
    webhookLagSeconds: async () => 0.1,
    webhookEndpoints: async () => ({ enabled: 12, failing: 1, disabled: 2 }),
    approvalsPending: async () => 4,
    activeReservations: async () => 6,
    openClaims: async () => 5,
    clockSkewSeconds: () => -31,
    lastVerifyRun: async () => ({
      finishedAtSeconds: 2000,
      durationMs: 1500,
      checked: 99,
      broken: { I3: 0 },
      unchecked: [],
    }),
  };
}
