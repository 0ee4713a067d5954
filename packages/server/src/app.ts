/** Each feature gets the platform and parts of the features above it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '@keyport/contract/operations';
import type { DrawOrderId } from '@keyport/core/ids';
import { toMinor } from '@keyport/core/money';
import { HttpServer } from '@keyport/http/server/server';
import { openAccess } from './access/feature.ts';
import { buildOwnAccountHandlers } from './accounts/accounts.routes.ts';
import { openAccounts } from './accounts/feature.ts';
import { openApprovals } from './approvals/feature.ts';
import { requestApproval } from './approvals/request-approval.ts';
import { listOpenApprovals } from './approvals/show-approval.ts';
import { openAudit } from './audit/feature.ts';
import { openCatalogue } from './catalogue/feature.ts';
import { createChores } from './chores.ts';
import type { Config } from './config.ts';
import { consoleRoutes } from './console/console.routes.ts';
import { DatabaseClock } from './db/clock.ts';
import { pictureRoutes } from './demo/pictures.routes.ts';
import { buildDeskHandlers } from './desk/desk.routes.ts';
import { openEvents } from './events/feature.ts';
import { openImports } from './imports/feature.ts';
import { untraced } from './in-span.ts';
import { openListings } from './listings/feature.ts';
import { findProductIds } from './listings/read-listings.ts';
import { openMatters } from './matters/feature.ts';
import { queueLink } from './notifications/channels.sql.ts';
import { openNotifications } from './notifications/feature.ts';
import type { OperationHandlers } from './operations/operation.ts';
import { operationRoutes } from './operations/operation-routes.ts';
import { transientError } from './operations/transient-error.ts';
import { versionLines } from './operations/versions.ts';
import { createWriteRunner } from './operations/writes/run-write.ts';
import { openOrders } from './orders/feature.ts';
import { loadOrderMoments } from './orders/order-moments.ts';
import type { Gateway } from './payments/gateway.ts';
import { openPeople } from './people/feature.ts';
import type { Platform } from './platform.ts';
import { type ReferenceOptions, referenceRoutes } from './reference/reference.ts';
import { openRequests } from './request-log/feature.ts';
import { openStock } from './stock/feature.ts';
import { openSummary } from './summary/feature.ts';
import { openSystem } from './system/feature.ts';
import type { Tracing } from './tracing/tracing.ts';
import { openVerification } from './verify/feature.ts';
import { openWebhooks } from './webhooks/feature.ts';

export type AppDeps = Omit<Platform, 'clock' | 'tracer'> & {
  readonly drawOrderId: DrawOrderId;
  readonly gateway: Gateway | undefined;
  readonly tracing: Tracing | undefined;
  readonly demoClient: ReferenceOptions['demoClient'];
};

export type StopOptions = { readonly delayMs: number };

/** For the command line, benchmarks and tests. */
export type Controls = Awaited<ReturnType<typeof buildApp>>['controls'];

export async function buildApp(deps: AppDeps) {
  const { config, database, log, tracing } = deps;
  const clock = new DatabaseClock({ database, log });
  const platform: Platform = { ...deps, clock, tracer: tracing ?? untraced };
  const sandboxCode = await loadSandbox(config);
  const gateway = deps.gateway && (sandboxCode?.rehearseGateway(deps.gateway) ?? deps.gateway);

  const access = await openAccess(platform);
  const catalogue = openCatalogue(platform, (words) => findProductIds(database, words));
  const { onCatalogueChanged } = catalogue;
  const stock = openStock(platform, onCatalogueChanged);
  const listings = openListings(platform, stock, onCatalogueChanged);
  const imports = openImports(platform, stock, onCatalogueChanged);
  const accounts = openAccounts(platform, access);
  const events = openEvents(platform, loadOrderMoments);
  const orders = await openOrders(platform, {
    gateway,
    drawOrderId: deps.drawOrderId,
    stock,
    onCatalogueChanged(sale) {
      onCatalogueChanged(sale);
      events.worker.announce();
    },
  });
  const requests = openRequests(platform, access, orders);
  const webhooks = openWebhooks(platform, { events });
  const people = openPeople(platform, {
    toAddress: access.toAddress,
    mailLink: config.smtpUrl === undefined ? undefined : queueLink,
  });
  const approvals = openApprovals(platform, { ...accounts.handlers, ...orders.handlers });
  const verification = openVerification(platform, catalogue);
  const audit = openAudit(platform);
  const summary = openSummary(platform, verification);
  const matters = openMatters(platform, verification);
  const notifications = openNotifications(platform, people);
  const played = {
    hasGateway: gateway !== undefined,
    access,
    catalogue,
    events,
    orders,
    requests,
    stock,
    webhooks,
  };
  const sandbox = sandboxCode?.openSandbox(platform, played);

  const server = new HttpServer({
    publicUrl: deps.publicUrl,
    logger: log,
    transientError,
    linesFor: versionLines(deps.version),
    onRequestEnd: deps.metrics?.onRequestEnd,
    onExchangeEnd: requests.log.onExchangeEnd,
    stampArrival: requests.log.stampArrival,
    tracing: tracing?.requests,
  });
  server.overload.watch({
    queue: {
      name: 'orders',
      path: OPERATIONS.createOrder.path,
      hasRoomFor: (accountId) => orders.placement.hasRoomFor(accountId),
    },
    knownCaller: access.knownCaller,
    hasSession: people.hasSession,
    databaseWaiting: database.waitingCount,
    anonymousWaiting: access.anonymousWaiting,
  });
  const watched = { server, requests, catalogue, events, orders, webhooks, approvals, verification };
  const system = openSystem(platform, watched);
  const handlers: OperationHandlers = {
    ...catalogue.handlers,
    ...stock.handlers,
    ...listings.handlers,
    ...imports.handlers,
    ...accounts.handlers,
    ...buildOwnAccountHandlers(database, sandbox?.findRateLimits),
    ...requests.handlers,
    ...events.handlers,
    ...orders.handlers,
    ...webhooks.handlers,
    ...people.handlers,
    ...approvals.handlers,
    ...verification.handlers,
    ...audit.handlers,
    ...summary.handlers,
    ...matters.handlers,
    ...notifications.handlers,
    ...buildDeskHandlers(database),
    ...system.handlers,
  };
  server.add([
    ...operationRoutes(handlers, {
      ...access,
      authenticatePerson: people.authenticate,
      sandbox: sandbox?.mode,
      runWrite: createWriteRunner({
        database,
        cooldownMs: config.idempotencyCooldownMs,
        secret: deps.secrets.clientSecretMac,
        approvalAboveMinor: config.approvalAbove === undefined ? undefined : toMinor(config.approvalAbove),
        requestApproval,
        listOpenApprovals,
      }),
    }),
    ...(sandbox?.rehearseTokens(access.routes) ?? access.routes),
    ...people.routes,
    ...system.routes,
    ...pageRoutes(deps),
    ...consoleRoutes({ publicUrl: deps.publicUrl }),
  ]);
  server.setErrorForm(access.errorForm.prefix, access.errorForm.form);

  const chores = createChores(
    {
      'chaining the audit log': { everyMs: 1_000, step: audit.seal, level: 'error' },
      'folding the log of changes': { everyMs: 1_000, step: catalogue.foldLog },
      'folding the sums': { everyMs: 2_000, step: () => summary.worker.fold() },
      'reading the clock of the database': { everyMs: 5_000, step: () => clock.read() },
      'finding orders with unread keys': { everyMs: 5_000, step: () => events.expiringKeys.look() },
      'refreshing pending approvals': { everyMs: 5_000, step: approvals.refresh },
      'recording incidents and notices': { everyMs: 10_000, step: matters.record },
      'rereading the signing keys': { everyMs: 10_000, step: access.reloadKeys },
      'deleting old events': { everyMs: 60_000, step: () => events.worker.forget() },
      'deleting old requests': { everyMs: 60_000, step: () => requests.log.forgetOld() },
      'deleting old deliveries': { everyMs: 60_000, step: webhooks.forgetOld },
      'deleting old notices': { everyMs: 60_000, step: matters.forgetOld },
      'forgetting scarce offers': { everyMs: 60_000, step: () => summary.worker.forgetScarce() },
    },
    log,
  );
  const run =
    (...names: readonly Parameters<typeof chores.run>[0][]) =>
    async () => {
      for (const name of names) await chores.run(name);
    };

  /** Started in this order, closed in reverse. */
  const parts = [
    access,
    catalogue,
    { start: run('reading the clock of the database'), close() {} },
    requests,
    events,
    orders,
    system,
    verification,
    audit,
    webhooks,
    notifications,
    chores,
  ];
  return {
    server,
    /** Also used to seed the demo. */
    stock,
    /** A sign-in link for the first admin; undefined in live mode if anyone has signed in. */
    inviteFirstAdmin: people.inviteFirstAdmin,
    inviteFirstOwner: people.inviteFirstOwner,
    async start() {
      for (const part of parts) await part.start();
    },
    /** The node now reports ready, unless something is wrong. */
    accept: () => system.accept(true),
    controls: {
      /** Resolves when this node's reads show everything committed by now. */
      catalogueInStep: () => catalogue.feed.pull(),
      eventsWritten: () => events.worker.catchUp(),
      forgetOld: run(
        'deleting old events',
        'deleting old requests',
        'deleting old deliveries',
        'deleting old notices',
        'forgetting scarce offers',
      ),
      tellExpiringKeys: run('finding orders with unread keys'),
      runOrderWorker: () => orders.worker.run(),
      /** Previews pending approvals, and closes those that have become impossible. */
      refreshApprovals: () => approvals.refresh(),
      requestsWritten: () => requests.log.written(),
      foldSums: run('folding the sums', 'forgetting scarce offers'),
      noteIncidents: run('recording incidents and notices'),
      async notifyOperators() {
        await chores.run('recording incidents and notices');
        await notifications.notify();
      },
      watchDatabase: () => system.databaseWatch.run(),
      /** Includes the chain of the audit log and this node's catalogue. */
      verify: verification.verify,
    },
    async close({ delayMs }: StopOptions = { delayMs: 0 }) {
      system.accept(false);
      server.endConnections();
      await sleep(delayMs);
      const closed = server.close();
      sandbox?.endDelays();
      catalogue.polls.close();
      events.polls.close();
      await closed;
      for (const part of parts.toReversed()) await part.close();
    },
  };
}

/** Live mode loads no sandbox code. */
async function loadSandbox({ mode }: Config) {
  if (mode !== 'sandbox') return undefined;
  const { openSandbox } = await import('./sandbox/feature.ts');
  const { rehearseGateway } = await import('./sandbox/rehearsed-gateway.ts');
  return { openSandbox, rehearseGateway };
}

function pageRoutes({ config, publicUrl, version, demoClient }: AppDeps) {
  const isSandbox = config.mode === 'sandbox';
  return [
    ...referenceRoutes({ publicUrl, version, isSandbox, demoClient }),
    ...(config.demo ? pictureRoutes() : []),
  ];
}
