/**
 * Puts the service together: the explicit, ordered list of what is on, and of who gets what. Features do not
 * know each other; what they share is passed in here.
 */
import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '@keyport/contract/operations';
import { must } from '@keyport/core/assert';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import type { MakeOrderId } from '@keyport/core/ids';
import { minorOf } from '@keyport/core/money';
import type { RiskRules } from '@keyport/core/risk-rules';
import { createRateLimit, type OwnLimits } from '@keyport/http/admission/rate-limit';
import { healthRoutes } from '@keyport/http/server/health';
import { HttpServer } from '@keyport/http/server/server';
import type { Logger } from 'pino';
import { openAuth } from './access/feature.ts';
import { rejectToken } from './access/tokens/token.routes.ts';
import { buildAccountHandlers, buildOwnAccountHandlers } from './accounts/accounts.routes.ts';
import { accountsList, lockAccount } from './accounts/accounts.sql.ts';
import { changeAccount } from './accounts/change-account.ts';
import { buildClientHandlers } from './accounts/clients.routes.ts';
import { openApprovals } from './approvals/feature.ts';
import { requestApproval } from './approvals/request-approval.ts';
import { countApprovable } from './approvals/requesters.ts';
import { buildAuditHandlers } from './audit/audit.routes.ts';
import { loadUnsealedSeconds } from './audit/chain.sql.ts';
import { checkChain, parseAnchor } from './audit/chain.ts';
import { AuditSealer } from './audit/sealer.ts';
import { createCatalogue } from './catalogue/feature.ts';
import { type Config, describeConfig } from './config.ts';
import { consoleRoutes } from './console/console.routes.ts';
import { HOLDER_EXPIRY_SECONDS } from './custody/master-key-watch.ts';
import { listHolders } from './custody/master-keys.sql.ts';
import type { MasterKeys } from './custody/master-keys.ts';
import { describeMasterKeys } from './custody/rotation.ts';
import { DatabaseClock } from './db/clock.ts';
import type { Database } from './db/engines/database.ts';
import { DatabaseWatch } from './db/engines/database-watch.ts';
import { loadSchemaVersion } from './db/migrations/migrate.ts';
import { pictureRoutes } from './demo/pictures.routes.ts';
import { createEvents } from './events/feature.ts';
import { buildImportHandlers } from './imports/imports.routes.ts';
import { untraced } from './in-span.ts';
import { bookMoney } from './ledger/book-money.ts';
import { buildBookingHandlers } from './ledger/bookings.routes.ts';
import { buildTrialBalanceHandlers } from './ledger/reports/trial-balance.routes.ts';
import { buildStatementHandlers } from './ledger/statement.routes.ts';
import type { KeyStock } from './listings/catalogue.ts';
import { changeOffer } from './listings/change-offers.ts';
import { buildListingHandlers, buildListingListHandlers } from './listings/listings.routes.ts';
import type { Metrics, MetricValues } from './metrics/metrics.ts';
import { CountExchange, type CountKind, type OnCounted } from './nodes/count-exchange.ts';
import { buildSystemHandlers } from './nodes/system.routes.ts';
import type { OperationHandlers } from './operations/operation.ts';
import { operationRoutes } from './operations/operation-routes.ts';
import { transientError } from './operations/transient-error.ts';
import { createWriteRunner } from './operations/writes/run-write.ts';
import { lockOrder } from './orders/changes/order-updates.sql.ts';
import { openOrders } from './orders/feature.ts';
import { findOrder } from './orders/history/read-orders.sql.ts';
import { describeKeysRejection } from './orders/keys/read-keys.ts';
import { loadOrderMoments } from './orders/order-moments.ts';
import { buildOrder } from './orders/order-response.ts';
import { fingerprintOrder } from './orders/placement/create-order.routes.ts';
import type { Gateway } from './payments/gateway.ts';
import { openPeople } from './people/feature.ts';
import { referenceRoutes } from './reference/reference.ts';
import type { Sandbox, SandboxOptions } from './sandbox/feature.ts';
import { insertSealedKeys } from './stock/product-keys.sql.ts';
import { createCustody } from './stock/product-keys.ts';
import { buildWithdrawKeysHandlers } from './stock/withdraw-keys.routes.ts';
import { createSummary } from './summary/feature.ts';
import type { Tracing } from './tracing/tracing.ts';
import { createVerification } from './verify/feature.ts';
import { type InvariantResult, verifyInvariants } from './verify/verify.ts';
import { openWebhooks } from './webhooks/feature.ts';

export type AppDeps = {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly secrets: {
    readonly codeMac: KeyObject;
    readonly clientSecretMac: KeyObject;
    readonly auditMac: KeyObject;
  };
  readonly makeOrderId: MakeOrderId;
  readonly gateway: Gateway | undefined;
  /** Undefined: nothing is counted. */
  readonly metrics: Metrics | undefined;
  /** Undefined: nothing is traced. */
  readonly tracing: Tracing | undefined;
  /** Known once the port is. */
  readonly publicUrl: () => string;
  readonly version: string;
  /** The reference page fills it in; known once the demo is seeded. */
  readonly demoClient: () => { readonly clientId: string; readonly clientSecret: string } | undefined;
};

/** Controls of a running service for the command line, the benchmarks and the tests. */
export type Controls = {
  /** Resolves when this node's catalogue reads show everything that is committed by now. */
  catalogueInStep(): Promise<void>;
  /** Resolves when everything that is committed by now is an event. */
  eventsWritten(): Promise<void>;
  /** Deletes now the events that are too old. */
  forgetEvents(): Promise<void>;
  /** Looks now for keys that expire unread. */
  tellExpiringKeys(): Promise<void>;
  /**
   * Does now what the order worker does every few seconds; if a round is in progress, waits for it instead.
   */
  runOrderWorker(): Promise<void>;
  /**
   * Does now what the history worker does every half minute; if a round is in progress, waits for it instead.
   */
  countHistory(): Promise<void>;
  /** Calculates now what pending approvals would do, and closes what has become impossible. */
  refreshApprovals(): Promise<void>;
  /** Folds now what is new into the sums for operators; if a round is in progress, waits for it instead. */
  foldSums(): Promise<void>;
  /** Looks now for what stops the database or slows it down. */
  watchDatabase(): Promise<void>;
  /** Checks every invariant, the chain of the audit log and this node's catalogue too. */
  verify(): Promise<InvariantResult[]>;
  /** The metrics, to be added up with those of other processes; undefined when none are counted. */
  metricValues(): Promise<MetricValues | undefined>;
};

export type App = {
  readonly server: HttpServer;
  readonly controls: Controls;
  /** Takes product keys into stock; also what the demo is seeded through. */
  readonly stock: KeyStock;
  /** A link that opens the console signed in as the first admin; undefined where others can invite. */
  inviteFirstAdmin(): Promise<string | undefined>;
  /**
   * Loads what lives in memory and starts the workers. Resolves when requests may come.
   */
  start(): Promise<void>;
  /** From now on the node says that it is ready, as long as all is well. */
  accept(): void;
  /** Lets requests in flight end, then stops everything. */
  close(stop?: StopOptions): Promise<void>;
};

export type StopOptions = {
  /** How long new requests are still served first, milliseconds. */
  readonly delayMs: number;
  /** Whether health/ready stays 200 until the end, because other processes share the port. */
  readonly staysReady: boolean;
};

function limitOf(amount: string | undefined): number | undefined {
  return amount === undefined ? undefined : minorOf(amount);
}

function readRiskRules(config: Config): RiskRules {
  return {
    aboveMinor: limitOf(config.riskHoldAbove),
    accountYoungerThanMicros: config.riskHoldAccountYoungerThanHours * MICROS_PER_HOUR,
    ordersPerHour: config.riskHoldOrdersPerHour,
  };
}

export async function buildApp(deps: AppDeps): Promise<App> {
  const sandboxCode = await loadSandbox(deps.config);
  const features = await openFeatures(deps, sandboxCode?.rehearseGateway);
  const sandbox = sandboxCode?.openSandbox(sandboxOptions(deps, features));
  const { catalogue, clock, events, orders, databaseWatch, summary } = features;
  let isAccepting = false;
  const server = createServer(deps, { ...features, sandbox }, () => isAccepting);
  deps.metrics?.watch(metricSources(deps, features, server));

  const parts = [
    features.auth,
    features.limits.counts,
    catalogue,
    clock,
    events,
    orders,
    features.approvals,
    databaseWatch,
    features.verification,
    features.auditSealer,
    features.webhooks,
    summary,
    ...(sandbox === undefined ? [] : [sandbox]),
  ];
  return {
    server,
    stock: features.stock,
    inviteFirstAdmin: features.people.inviteFirstAdmin,
    async start() {
      for (const part of parts) await part.start();
    },
    accept() {
      isAccepting = true;
    },
    controls: {
      catalogueInStep: () => catalogue.feed.pull(),
      eventsWritten: () => events.worker.catchUp(),
      forgetEvents: () => events.worker.forget(),
      tellExpiringKeys: () => events.expiringKeys.run(),
      runOrderWorker: () => orders.worker.run(),
      countHistory: () => orders.historyWorker.run(),
      refreshApprovals: () => features.approvals.refresh(),
      foldSums: () => summary.worker.run(),
      watchDatabase: () => databaseWatch.run(),
      verify: () =>
        verifyInvariants(deps.database, {
          checkClock: () => clock.look(),
          auditMac: deps.secrets.auditMac,
          compareCatalogue: catalogue.compareNow,
        }),
      metricValues: async () => deps.metrics?.values(),
    },
    async close({ delayMs, staysReady } = { delayMs: 0, staysReady: false }) {
      isAccepting = staysReady;
      server.endConnections();
      await sleep(delayMs);
      const closed = server.close();
      sandbox?.endDelays();
      // By now their responses say that the connection ends.
      catalogue.held.close();
      events.held.close();
      await closed;
      for (const part of parts.toReversed()) await part.close();
    },
  };
}

function createServer(
  deps: AppDeps,
  features: Features & { readonly sandbox: Sandbox | undefined },
  isAccepting: () => boolean,
): HttpServer {
  const { config, log, database, publicUrl } = deps;
  const { auth, people, limits, catalogue, clock, orders, databaseWatch, sandbox } = features;
  const server = new HttpServer({
    publicUrl,
    logger: log,
    transientError,
    onRequestEnd: [deps.metrics?.onRequestEnd, sandbox?.onRequestEnd],
    tracing: deps.tracing?.requests,
  });
  const readiness = () => {
    const checks = {
      catalogue: catalogue.feed.isInStep,
      eventLoop: server.overload.isResponsive,
      database: databaseWatch.canWrite,
      clock: clock.isInStep,
      accepting: isAccepting(),
    };
    return { ready: Object.values(checks).every(Boolean), checks };
  };
  server.overload.watch({
    queue: {
      name: 'orders',
      path: OPERATIONS.createOrder.path,
      hasRoomFor: (accountId) => orders.placement.hasRoomFor(accountId),
    },
    knownCaller: auth.knownCaller,
    hasSession: people.hasSession,
    databaseWaiting: database.waitingCount,
    anonymousWaiting: auth.anonymousWaiting,
  });
  server.add([
    ...operationRoutes(collectHandlers(deps, features), {
      authenticate: auth.authenticate,
      authenticatePerson: people.authenticate,
      mayCall: auth.mayCall,
      addressOf: auth.addressOf,
      rateLimit: limits.rateLimit,
      sandbox: sandbox?.mode,
      runWrite: createWriteRunner({
        database,
        cooldownMs: config.idempotencyCooldownMs,
        secret: deps.secrets.clientSecretMac,
        approvalAboveMinor: limitOf(config.approvalAbove),
        requestApproval,
      }),
    }),
    ...(sandbox?.rehearseTokens(auth.routes) ?? auth.routes),
    ...people.routes,
    ...healthRoutes(readiness),
    ...referenceRoutes({
      publicUrl,
      version: deps.version,
      isSandbox: config.mode === 'sandbox',
      demoClient: deps.demoClient,
    }),
    ...consoleRoutes({ publicUrl }),
    ...(config.demo ? pictureRoutes() : []),
  ]);
  server.setErrorForm(auth.errorForm.prefix, auth.errorForm.form);
  return server;
}

type Features = Awaited<ReturnType<typeof openFeatures>>;

/** The features with state; the rest are handlers only. */
async function openFeatures(deps: AppDeps, rehearseGateway: ((gateway: Gateway) => Gateway) | undefined) {
  const { config, log, database, publicUrl, metrics, masterKeys, secrets } = deps;
  const tracer = deps.tracing ?? untraced;
  const onError = (error: unknown) => log.warn({ err: error }, 'background task failed; retrying');
  const clock = new DatabaseClock({
    database,
    log,
    onStepBack: async (tx) => {
      await orders.onClockStepBack(tx);
      await verification.verifier.onClockStepBack(tx);
      await webhooks.onClockStepBack(tx);
    },
  });
  const auth = await openAuth({
    database,
    masterKeys,
    clientSecretMac: secrets.clientSecretMac,
    tokenTtlSeconds: config.tokenTtlSeconds,
    trustedProxies: config.trustedProxies ?? [],
    publicUrl,
    nowMs: () => clock.tokenMs(),
    log,
    onError,
    onWrongSecret: (source) => limits.counts.count('failures', source),
  });
  const people = openPeople({
    database,
    secret: secrets.clientSecretMac,
    publicUrl,
    addressOf: auth.addressOf,
    config,
    log,
    onGuess: (source) => limits.counts.count('guesses', source),
  });
  const limits = createLimits(deps, config.mode === 'sandbox' ? auth.ownLimitsOf : undefined, {
    failures: auth.onWrongSecretElsewhere,
    guesses: people.onGuessElsewhere,
    'webhook-account': (accountId, count) => webhooks.onSentElsewhere('account', accountId, count),
    'webhook-host': (host, count) => webhooks.onSentElsewhere('host', host, count),
  });
  const custody = createCustody({ masterKeys, codeMacKey: secrets.codeMac, nowMs: () => Date.now() });
  const stock = { sealCodes: custody.sealCodes, codeMacs: custody.codeMacs, insertSealedKeys };
  const catalogue = createCatalogue({ database, log, inSpan: tracer.inSpan, publicUrl });
  const { onCatalogueChanged } = catalogue;
  const listings = {
    ...buildListingHandlers({ database, stock, onCatalogueChanged, publicUrl }),
    ...buildListingListHandlers({
      database,
      openCodes: custody.openCodes,
      lowStockUnits: config.lowStockUnits,
      publicUrl,
    }),
    ...buildWithdrawKeysHandlers({ codeMacs: custody.codeMacs, onCatalogueChanged }),
  };
  const imports = buildImportHandlers({
    database,
    stock,
    onCatalogueChanged,
    onError,
    onImported: metrics?.onImported,
    removalLimits: { countMax: config.importRemovalMaxCount, percentMax: config.importRemovalMaxPercent },
  });
  const events = createEvents({
    database,
    log,
    loadOrderMoments,
    keysWindowHours: config.keysWindowHours,
    onUnshown: metrics?.onEventUnshown,
  });
  const orders = await openOrders({
    database,
    clock,
    log,
    tracer,
    publicUrl,
    gateway: deps.gateway && (rehearseGateway?.(deps.gateway) ?? deps.gateway),
    gatewayTimeoutMs: config.gatewayTimeoutMs,
    cooldownMs: config.idempotencyCooldownMs,
    keysWindowHours: config.keysWindowHours,
    makeOrderId: deps.makeOrderId,
    riskRules: readRiskRules(config),
    openCodes: (units) => custody.openCodes(database.kysely, units),
    codeMacs: custody.codeMacs,
    onCatalogueChanged() {
      catalogue.onCatalogueChanged();
      events.worker.announce();
    },
    onBatch: metrics?.onBatch,
    onAlarm: metrics?.onPaymentAlarm,
  });
  const bookings = buildBookingHandlers({ onAccountChanged: auth.onAccountChanged });
  const approvable = { ...bookings, refundOrder: orders.handlers.refundOrder };
  const approvals = openApprovals({
    database,
    log,
    workOf: (operation, request, traceId) => approvable[operation]({ ...request, traceId } as never),
  });
  const verification = createVerification({
    database,
    log,
    inSpan: tracer.inSpan,
    auditMac: secrets.auditMac,
    intervalMs: config.verifyIntervalSeconds * 1000,
    checkClock: () => clock.look(),
    compare: catalogue.compare,
    compareNow: catalogue.compareNow,
  });
  const databaseWatch = new DatabaseWatch({ database, log });
  const auditSealer = new AuditSealer({ database, key: secrets.auditMac, log });
  const webhooks = connectWebhooks(deps, events, limits.counts, clock);
  const summary = createSummary({
    database,
    log,
    lowStockUnits: config.lowStockUnits,
    countApprovable,
    async listBrokenInvariants() {
      const { invariants = [] } = (await verification.verifier.lastResults()) ?? {};
      return invariants.flatMap(({ broken, ...invariant }) =>
        broken === null || broken === 0 ? [] : [{ ...invariant, broken }],
      );
    },
  });
  return {
    auth,
    people,
    limits,
    stock,
    catalogue,
    listings,
    imports,
    clock,
    events,
    orders,
    bookings,
    approvals,
    verification,
    databaseWatch,
    auditSealer,
    webhooks,
    summary,
  };
}

/** Undefined in live mode, which loads none of its code. */
async function loadSandbox({ mode }: Config) {
  if (mode !== 'sandbox') return undefined;
  const { openSandbox } = await import('./sandbox/feature.ts');
  const { rehearseGateway } = await import('./sandbox/rehearsed-gateway.ts');
  return { openSandbox, rehearseGateway };
}

/** The sandbox lets a reseller do what others do, through the code that they do it with. */
function sandboxOptions(
  { config, database, publicUrl, gateway, log }: AppDeps,
  { auth, catalogue, events, limits, orders, stock, webhooks }: Features,
): SandboxOptions {
  const { keysWindowHours } = config;
  const completedAtMicros = () => Date.now() * 1000 - (keysWindowHours + 1) * MICROS_PER_HOUR;
  const { onAccountChanged } = auth;
  return {
    database,
    publicUrl,
    hasGateway: gateway !== undefined,
    fingerprint: fingerprintOrder,
    countProducts: () => catalogue.catalogue.listedCount,
    keysWindowHours,
    rejectToken,
    onFailure: (error) =>
      log.warn({ err: error }, 'what was seen of clients could not be written; it is lost'),
    perSecondOf: (clientId, budget) => limits.rateLimit?.perSecondOf(clientId, budget) ?? 0,
    describeKeys: {
      'order-not-complete': () =>
        describeKeysRejection(
          { code: 'order-not-complete', status: 'processing', isRetryable: true },
          keysWindowHours,
        ),
      'order-expired': () =>
        describeKeysRejection(
          { code: 'order-expired', completedAtMicros: completedAtMicros() },
          keysWindowHours,
        ),
    },
    actions: orders.actions,
    lockOrder,
    showOrder: async (db, orderId) => buildOrder(must(await findOrder(db, orderId, undefined), 'an order')),
    settle: async (tx, orderId, verdict) => {
      const settlement = must(orders.settlement, 'an order that waits for a payment has a provider');
      return settlement.settleIn(tx, must(await lockOrder(tx, orderId), 'an order'), verdict);
    },
    tellExpiring: (tx, orderId) => events.expiringKeys.tellIfDue(tx, orderId),
    runWorkers: async () => {
      await orders.worker.run();
      events.worker.announce();
    },
    listTargets: webhooks.listTargets,
    sign: webhooks.sign,
    send: webhooks.send,
    changeAccount,
    adjust: (tx, acting, accountId, changeMinor, reference) => {
      const reason = 'changed in the sandbox';
      const booking = { kind: 'adjustment', changeMinor, reference, reason } as const;
      return bookMoney(tx, { ...acting, accountId, booking }, { onAccountChanged });
    },
    lockBalance: lockAccount,
    readStates: auth.readStates,
    changeOffer: (acting, change) => async (tx) => {
      const { isVisible, ...written } = await changeOffer(tx, stock, acting, change);
      return { ...written, ...(isVisible && { onCommitted: catalogue.onCatalogueChanged }) };
    },
    onCatalogueChanged: () => {
      catalogue.onCatalogueChanged();
      events.worker.announce();
    },
  };
}

function connectWebhooks(
  { config, database, log, masterKeys, version, metrics }: AppDeps,
  events: ReturnType<typeof createEvents>,
  counts: CountExchange,
  clock: DatabaseClock,
) {
  const webhooks = openWebhooks({
    nowMs: () => clock.nowMs(),
    database,
    masterKeys,
    log,
    mode: config.mode,
    version,
    viewEvents: events.view,
    noteTest: async (tx, { accountId, id: endpointId }) => {
      const [eventId] = await events.tell(tx, [{ type: 'webhook.test', accountId, data: { endpointId } }]);
      return must(eventId, 'the id of the event');
    },
    onSent: (budget, key) => counts.count(`webhook-${budget}`, key),
    onEvent: () => events.worker.announce(),
    onAttempt: metrics?.onWebhookAttempt,
    onDisabled: metrics?.onWebhookDisabled,
  });
  events.worker.onWritten(() => webhooks.wake());
  return webhooks;
}

/** The rate limit, and what counts it and the other limits over all nodes. */
function createLimits(
  { config, database, log }: AppDeps,
  ownLimitsOf: ((clientId: string) => OwnLimits | undefined) | undefined,
  elsewhere: Readonly<Record<Exclude<CountKind, 'reads' | 'orders'>, OnCounted>>,
) {
  const rateLimit = createRateLimit({
    perSecond: { reads: config.rateLimitReadsPerSecond, orders: config.rateLimitOrdersPerSecond },
    nowMs: () => performance.now(),
    onTaken: (budget, clientId) => counts.count(budget, clientId),
    ownLimitsOf,
  });
  const counts = new CountExchange(
    { database, log },
    {
      reads: (clientId, count) => rateLimit?.takeElsewhere('reads', clientId, count),
      orders: (clientId, count) => rateLimit?.takeElsewhere('orders', clientId, count),
      ...elsewhere,
    },
  );
  return { rateLimit, counts };
}

function collectHandlers(
  { config, database, publicUrl, metrics, version, masterKeys, secrets }: AppDeps,
  {
    auth,
    people,
    catalogue,
    listings,
    imports,
    events,
    orders,
    bookings,
    approvals,
    summary,
    verification,
    databaseWatch,
    webhooks,
    sandbox,
  }: Features & { readonly sandbox: Sandbox | undefined },
): OperationHandlers {
  const { createOrder } = orders.handlers;
  const { onAccountChanged, onClientChanged, clients } = auth;
  return {
    ...catalogue.handlers,
    ...listings,
    ...imports,
    ...orders.handlers,
    ...events.handlers,
    createOrder: metrics?.countOrders(createOrder) ?? createOrder,
    ...verification.handlers,
    ...summary.handlers,
    ...buildOwnAccountHandlers(database, sandbox?.findRateLimits),
    ...buildAccountHandlers({ database, onAccountChanged }),
    ...people.handlers,
    ...buildClientHandlers({ database, clients, onClientChanged }),
    ...bookings,
    ...approvals.handlers,
    ...buildStatementHandlers({ database, accountsList }),
    ...webhooks.handlers,
    ...buildTrialBalanceHandlers({ database }),
    ...buildAuditHandlers({
      database,
      checkChain: (anchor) =>
        checkChain(database, secrets.auditMac, anchor === undefined ? undefined : parseAnchor(anchor)),
    }),
    ...buildSystemHandlers({
      version,
      mode: config.mode,
      publicUrl,
      loadDatabase: async () => ({ kind: database.kind, ...(await loadSchemaVersion(database)) }),
      listNodes: () => listHolders(database.kysely, HOLDER_EXPIRY_SECONDS),
      describeMasterKeys: () => describeMasterKeys(database, masterKeys.list()),
      settings: describeConfig(config),
      loadLag: async () => ({
        catalogueSeconds: await catalogue.feed.behindSeconds(),
        eventsSeconds: await events.lagSeconds(),
        webhooksSeconds: (await webhooks.lagSeconds()) ?? 0,
        auditSeconds: await loadUnsealedSeconds(database.kysely),
        archiveSeconds: databaseWatch.statistics?.archiveFailsForSeconds ?? null,
      }),
      lastVerification: () => verification.verifier.lastResults(),
    }),
  };
}

function metricSources(
  { database }: AppDeps,
  { approvals, catalogue, events, orders, clock, verification, databaseWatch, webhooks }: Features,
  server: HttpServer,
): Parameters<Metrics['watch']>[0] {
  return {
    queueDepth: () => orders.placement.queueDepth,
    heldRequests: () => catalogue.held.count + events.held.count,
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
    approvalsPending: approvals.countPending,
    clockSteps: () => clock.counts,
    clockShiftSeconds: () => clock.shiftSeconds,
    clockSkewSeconds: () => clock.skewSeconds,
    lastVerifyRun: () => verification.verifier.lastRun(),
    lastComparison: () => verification.catalogueCheck.last,
    databaseState: () => databaseWatch.statistics,
  };
}
