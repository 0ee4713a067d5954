import { healthRoutes } from '@keyport/http/server/health';
import type { HttpServer } from '@keyport/http/server/server';
import type { Approvals } from '../approvals/feature.ts';
import { loadUnsealedSeconds } from '../audit/chain.sql.ts';
import type { CatalogueFeature } from '../catalogue/feature.ts';
import { DatabaseWatch } from '../db/engines/database-watch.ts';
import type { Events } from '../events/feature.ts';
import { type OperationHandlers, replyOk } from '../operations/operation.ts';
import type { Orders } from '../orders/feature.ts';
import type { Platform } from '../platform.ts';
import type { Requests } from '../request-log/feature.ts';
import type { Verification } from '../verify/feature.ts';
import type { Webhooks } from '../webhooks/feature.ts';
import { readSystem } from './read-system.ts';

type Watched = {
  readonly server: HttpServer;
  readonly requests: Requests;
  readonly catalogue: CatalogueFeature;
  readonly events: Events;
  readonly orders: Orders;
  readonly webhooks: Webhooks;
  readonly approvals: Approvals;
  readonly verification: Verification;
};

export function openSystem(platform: Platform, watched: Watched) {
  const { database, clock, log, metrics } = platform;
  const { server, requests, catalogue, events, orders, webhooks, approvals, verification } = watched;
  const databaseWatch = new DatabaseWatch({ database, log });
  let isAccepting = false;
  function readiness() {
    const checks = {
      catalogue: catalogue.feed.isInStep,
      eventLoop: server.overload.isResponsive,
      database: databaseWatch.canWrite && database.isReachable(),
      clock: clock.isInStep,
      accepting: isAccepting,
    };
    return { ready: Object.values(checks).every(Boolean), checks };
  }
  metrics?.watch({
    queueDepth: () => orders.placement.queueDepth,
    heldRequests: () => catalogue.polls.count + events.polls.count,
    openConnections: () => server.countConnections(),
    catalogue: catalogue.catalogue,
    databaseCounts: database.counts,
    catalogueLagSeconds: () => catalogue.feed.lagSeconds,
    catalogueBehindSeconds: () => catalogue.feed.behindSeconds(),
    eventLagSeconds: () => events.lagSeconds(),
    rejectedRequests: () => server.overload.counts,
    poolUse: () => database.poolUse(),
    webhooksInFlight: () => webhooks.dispatcher.inFlight,
    webhookLagSeconds: webhooks.lagSeconds,
    webhookEndpoints: webhooks.countEndpoints,
    loggedRequests: () => requests.log.counts,
    approvalsPending: approvals.countPending,
    activeReservations: orders.countActiveReservations,
    openClaims: orders.countOpenClaims,
    clockSkewSeconds: () => clock.skewSeconds,
    lastVerifyRun: () => verification.verifier.lastRun(),
    lastComparison: () => verification.verifier.lastComparison,
    databaseState: () => databaseWatch.statistics,
  });
  const system = {
    ...platform,
    lastVerification: () => verification.verifier.lastResults(),
    loadLag: async () => ({
      catalogueSeconds: await catalogue.feed.behindSeconds(),
      eventsSeconds: await events.lagSeconds(),
      webhooksSeconds: (await webhooks.lagSeconds()) ?? 0,
      auditSeconds: await loadUnsealedSeconds(database.db),
      archiveSeconds: databaseWatch.statistics?.archiveFailsForSeconds ?? null,
    }),
  };
  const handlers: Pick<OperationHandlers, 'getSystem'> = {
    getSystem: () => replyOk(readSystem(system)),
  };
  return {
    databaseWatch,
    accept(isReady: boolean) {
      isAccepting = isReady;
    },
    routes: healthRoutes(readiness),
    handlers,
    start: () => databaseWatch.start(),
    close: () => databaseWatch.close(),
  };
}
