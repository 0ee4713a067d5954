/**
 * Puts the service together: the explicit, ordered list of what is on, and of who gets what. Features do not know each
 * other; what they share is passed in here.
 */
import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '@keyport/contract/operations';
import type { RoundFunction } from '@keyport/core/ids';
import { parseMinor } from '@keyport/core/money';
import type { RiskRules } from '@keyport/core/risk-rules';
import type { Logger } from 'pino';
import { buildAccountHandlers } from './accounts/accounts.routes.ts';
import { buildBookingHandlers } from './accounts/bookings.routes.ts';
import { buildClientHandlers } from './accounts/clients.routes.ts';
import { buildOwnAccountHandlers } from './accounts/own-account.routes.ts';
import { buildStatementHandlers } from './accounts/statement.routes.ts';
import { buildTrialBalanceHandlers } from './accounts/trial-balance.routes.ts';
import { buildAuditHandlers } from './audit/audit.routes.ts';
import { checkChain, parseAnchor } from './audit/chain.ts';
import { AuditSealer } from './audit/sealer.ts';
import { createAuthenticator } from './auth/authenticate.ts';
import { createClientStates } from './auth/client-states.ts';
import { createClients } from './auth/clients.ts';
import { createFailureLimit } from './auth/failure-limit.ts';
import { openSigningKeys } from './auth/signing-keys.ts';
import { createTokenErrorForm, TOKEN_PREFIX, tokenRoutes } from './auth/token.routes.ts';
import { buildCatalogueHandlers } from './catalogue/admin/catalogue.routes.ts';
import type { KeyStock } from './catalogue/admin/catalogue.ts';
import { buildCatalogueListHandlers } from './catalogue/admin/catalogue-lists.routes.ts';
import { buildOfferChangesHandlers } from './catalogue/admin/offer-changes.routes.ts';
import { buildRestartFeedsHandlers } from './catalogue/admin/restart-feeds.routes.ts';
import { buildWithdrawKeysHandlers } from './catalogue/admin/withdraw-keys.routes.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { ChangeFeed } from './catalogue/change-feed.ts';
import { buildChangesHandlers } from './catalogue/changes.routes.ts';
import { compareCatalogue } from './catalogue/compare-catalogue.ts';
import { DetailsCache } from './catalogue/details-cache.ts';
import { CatalogueFeed } from './catalogue/feed.ts';
import { buildImportHandlers } from './catalogue/imports/imports.routes.ts';
import { buildOfferHandlers } from './catalogue/offers.routes.ts';
import { buildProductHandlers } from './catalogue/products.routes.ts';
import type { Config } from './config.ts';
import { HOLDER_EXPIRY_SECONDS } from './custody/master-key-watch.ts';
import { listHolders } from './custody/master-keys.sql.ts';
import type { MasterKeys } from './custody/master-keys.ts';
import { insertSealedKeys } from './custody/product-keys.sql.ts';
import { createCustody } from './custody/product-keys.ts';
import { describeMasterKeys } from './custody/rotation.ts';
import { loadCatalogueClock } from './db/catalogue-clock.sql.ts';
import { DatabaseClock } from './db/clock.ts';
import type { Database } from './db/database.ts';
import { DatabaseWatch } from './db/database-watch.ts';
import { loadHouseAccounts } from './db/house-accounts.sql.ts';
import { loadSchemaVersion } from './db/migrate.ts';
import { runTransaction } from './db/transaction.ts';
import { pictureRoutes } from './demo/pictures.routes.ts';
import { addressSetOf, createAddressOf } from './http/addresses.ts';
import { healthRoutes } from './http/health.ts';
import type { OperationHandlers, Principal } from './http/operation.ts';
import { operationRoutes } from './http/operation-routes.ts';
import { createRateLimit } from './http/rate-limit.ts';

import { HttpServer } from './http/server.ts';
import { untraced } from './in-span.ts';
import type { Metrics } from './metrics/metrics.ts';
import { CountExchange } from './nodes/count-exchange.ts';
import { buildSystemHandlers } from './nodes/system.routes.ts';
import { buildCreateOrderHandler } from './orders/create-order.routes.ts';
import { HistoryWorker } from './orders/history-worker.ts';
import { buildOrderActionHandlers } from './orders/order-actions.routes.ts';
import { makeOpenPaymentsDue } from './orders/payments.sql.ts';
import { Placement } from './orders/placement.ts';
import { buildReadOrderHandlers } from './orders/read-orders.routes.ts';
import { createSettlement } from './orders/settlement.ts';
import { OrderWorker } from './orders/workers.ts';
import type { Gateway } from './payments/gateway.ts';
import { buildReferenceHandlers, referenceRoutes } from './reference/reference.ts';
import type { Tracing } from './tracing/tracing.ts';
import { CatalogueCheck } from './verify/catalogue-check.ts';
import { PeriodicVerifier } from './verify/periodic.ts';
import { buildVerifyHandlers, type Found } from './verify/verify.ts';
import { createWriteRunner } from './writes/run-write.ts';

/** Between the last moment of a provider's answer and the commit of what it means; the worker need not ask meanwhile. */
const SETTLING_TIME_MS = 1000;

/** The catalogue clock is one row. */
const CLOCK_SILENCE_MAX_MS = 2000;

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
  readonly orderIdRounds: RoundFunction;
  readonly gateway: Gateway | undefined;
  /** Undefined: nothing is counted. */
  readonly metrics: Metrics | undefined;
  /** Undefined: nothing is traced. */
  readonly tracing: Tracing | undefined;
  /** Known once the port is. */
  readonly publicUrl: () => string;
  readonly version: string;
  /** What the reference page fills in; known once the demo is seeded. */
  readonly demoClient: () => { readonly clientId: string; readonly clientSecret: string } | undefined;
};

export type App = {
  readonly server: HttpServer;
  /** Takes product keys into stock; also what the demo is seeded through. */
  readonly stock: KeyStock;
  /** Loads what lives in memory and starts everything that goes on by itself. Resolves when requests may come. */
  start(): Promise<void>;
  /** From now on the node says that it is ready, as long as all is well. */
  accept(): void;
  /** Resolves when the catalogue reads show everything that is committed by now. */
  catalogueInStep(): Promise<void>;
  /** Looks whether the database's clock has stepped. */
  checkClock(): Promise<void>;
  /** Compares the catalogue in memory with the database (I66). */
  compareCatalogue(): Promise<Found>;
  /** Does now what the order worker does every few seconds; a round that is under way is waited for instead. */
  runOrderWorker(): Promise<void>;
  /** Does now what the history worker does every half minute; a round that is under way is waited for instead. */
  countHistory(): Promise<void>;
  /** Looks now for what stops the database or slows it down. */
  watchDatabase(): Promise<void>;
  /** Lets requests in flight end, then stops everything. */
  close(stop?: StopOptions): Promise<void>;
};

export type StopOptions = {
  /** How long requests that still come are answered first, milliseconds. */
  readonly delayMs: number;
  /** Whether the node says meanwhile that it should get requests; others share its port if so. */
  readonly isReadyMeanwhile: boolean;
};

const MICROS_PER_HOUR = 3_600_000_000;

function readRiskRules(config: Config): RiskRules {
  const above = config.riskHoldAbove;
  return {
    aboveMinor: above === undefined ? undefined : parseMinor(above),
    accountYoungerThanMicros: config.riskHoldAccountYoungerThanHours * MICROS_PER_HOUR,
    ordersPerHour: config.riskHoldOrdersPerHour,
  };
}

export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, log, database, publicUrl, metrics } = deps;
  const tracer = deps.tracing ?? untraced;
  const nowMs = () => Date.now();
  const onError = (error: unknown) => log.warn({ err: error }, 'a background task failed; it tries again');

  const clients = createClients(deps.secrets.clientSecretMac);
  const clientStates = createClientStates({ database, nowMs, onError });
  const keys = await openSigningKeys({
    database,
    masterKeys: deps.masterKeys,
    tokenTtlSeconds: config.tokenTtlSeconds,
    nowMs,
    onError,
  });
  const realm = { keys, issuer: publicUrl, nowMs };
  const authenticator = createAuthenticator({ realm, clientStates });
  const addressOf = createAddressOf(addressSetOf(config.trustedProxies ?? []));

  const catalogue = new Catalogue();
  const feed = new CatalogueFeed({ database, catalogue, log, inSpan: tracer.inSpan });
  const onCatalogueChanged = () => feed.announce();
  // A server that says nothing must not keep requests, or the end of the service, waiting.
  const loadClock = () =>
    runTransaction(database, { silenceMaxMs: CLOCK_SILENCE_MAX_MS }, (tx) => loadCatalogueClock(tx));
  const changes = new ChangeFeed({ catalogue, loadClock, log });
  const details = new DetailsCache(database.kysely, publicUrl);

  const houseAccounts = await loadHouseAccounts(database.kysely);
  const { gateway } = deps;
  const { gatewayTimeoutMs } = config;
  const payments =
    gateway === undefined
      ? undefined
      : {
          gateway,
          settlement: createSettlement({
            database,
            houseAccounts,
            gateway,
            gatewayTimeoutMs,
            publicUrl,
            log,
            onCatalogueChanged,
          }),
        };
  const clock = new DatabaseClock({
    database,
    log,
    onStepBack: async (tx) => {
      await makeOpenPaymentsDue(tx);
      await verifier.onClockStepBack(tx);
    },
  });
  const worker: OrderWorker = new OrderWorker({
    database,
    payments,
    gatewayTimeoutMs,
    log,
    checkClock: () => clock.look(),
    nowMs: () => performance.now(),
    onAlarm: metrics?.onPaymentAlarm,
  });
  const historyWorker = new HistoryWorker({ database, log });
  const databaseWatch = new DatabaseWatch({ database, log });
  const intervalMs = config.verifyIntervalSeconds * 1000;
  const verifier = new PeriodicVerifier({
    database,
    log,
    inSpan: tracer.inSpan,
    checkClock: () => clock.look(),
    intervalMs,
  });
  const compare = (rest: (tookMs: number) => Promise<void>) =>
    compareCatalogue({ database, catalogue, pull: () => feed.pull(), rest });
  const compareNow = () => compare(() => nextTurn());
  const catalogueCheck = new CatalogueCheck({ compare, log, intervalMs });
  const placement = new Placement({
    database: database.lane('orders'),
    tracer,
    houseAccounts,
    cooldownMs: config.idempotencyCooldownMs,
    orderIdRounds: deps.orderIdRounds,
    publicUrl,
    hasGateway: gateway !== undefined,
    gatewayTimeoutMs: gatewayTimeoutMs + SETTLING_TIME_MS,
    riskRules: readRiskRules(config),
    realMicros: (nowMicros) => clock.realMicros(nowMicros),
    onCatalogueChanged,
    ...(metrics === undefined ? {} : { onBatch: metrics.onBatch }),
  });

  const auditSealer = new AuditSealer({ database, key: deps.secrets.auditMac, log });
  const custody = createCustody({ masterKeys: deps.masterKeys, codeMacKey: deps.secrets.codeMac, nowMs });
  const stock = { sealCodes: custody.sealCodes, insertSealedKeys };
  const onAccountChanged = () => void clientStates.tick().catch(onError);
  const onClientChanged = (clientId: string) => void clientStates.refreshClient(clientId).catch(onError);

  const { createOrder } = buildCreateOrderHandler({ placement, settlement: payments?.settlement });
  const handlers: OperationHandlers = {
    ...buildOfferHandlers({ catalogue }),
    ...buildChangesHandlers({ changes }),
    ...buildProductHandlers({
      details,
      findProduct: (productId) => catalogue.summary(productId),
    }),
    createOrder: metrics?.countOrders(createOrder) ?? createOrder,
    ...buildReadOrderHandlers({
      database,
      keysWindowHours: config.keysWindowHours,
      unnoticedMicros: (nowMicros) => clock.unnoticedMicros(nowMicros),
      openCodes: (units) => custody.openCodes(database.kysely, units),
    }),
    ...buildOwnAccountHandlers({ database }),
    ...buildAccountHandlers({ database, onAccountChanged }),
    ...buildClientHandlers({ database, clients, onClientChanged }),
    ...buildBookingHandlers({ onAccountChanged }),
    ...buildStatementHandlers({ database }),
    ...buildTrialBalanceHandlers({ database }),
    ...buildCatalogueHandlers({ database, stock, onCatalogueChanged }),
    ...buildCatalogueListHandlers({ database, openCodes: custody.openCodes }),
    ...buildOfferChangesHandlers({
      stock: { ...stock, codeMacs: custody.codeMacs },
      onCatalogueChanged,
    }),
    ...buildWithdrawKeysHandlers({ codeMacs: custody.codeMacs, onCatalogueChanged }),
    ...buildImportHandlers({
      database,
      stock,
      onCatalogueChanged,
      onError,
      onImported: metrics?.onImported,
      removalLimits: {
        countMax: config.importRemovalMaxCount,
        percentMax: config.importRemovalMaxPercent,
      },
    }),
    ...buildReferenceHandlers({ publicUrl, version: deps.version }),
    ...buildRestartFeedsHandlers({ onEpochBegun: () => changes.checkEpoch() }),
    ...buildOrderActionHandlers({ database, houseAccounts, onCatalogueChanged, publicUrl }),
    ...buildAuditHandlers({
      database,
      checkChain: (anchor) =>
        checkChain(database, deps.secrets.auditMac, anchor === undefined ? undefined : parseAnchor(anchor)),
    }),
    ...buildSystemHandlers({
      version: deps.version,
      mode: config.mode,
      publicUrl,
      loadDatabase: async () => ({ kind: database.kind, ...(await loadSchemaVersion(database)) }),
      listNodes: () => listHolders(database.kysely, HOLDER_EXPIRY_SECONDS),
      describeMasterKeys: () => describeMasterKeys(database, deps.masterKeys.list()),
      lastVerification: () => verifier.lastRun(),
    }),
    ...buildVerifyHandlers({
      database,
      checkClock: () => clock.look(),
      auditMac: deps.secrets.auditMac,
      compareCatalogue: compareNow,
    }),
  };
  const server = new HttpServer({
    publicUrl,
    logger: log,
    onRequestEnd: metrics?.onRequestEnd,
    tracing: deps.tracing?.requests,
  });
  const failures = createFailureLimit(
    () => performance.now(),
    (address) => counts.count('failures', address),
  );
  const rateLimit = createRateLimit({
    readsPerSecond: config.rateLimitReadsPerSecond,
    ordersPerSecond: config.rateLimitOrdersPerSecond,
    nowMs: () => performance.now(),
    onTaken: (budget, clientId) => counts.count(budget, clientId),
  });
  const counts = new CountExchange(
    { database, log },
    {
      reads: (clientId, count) => rateLimit?.takeElsewhere('reads', clientId, count),
      orders: (clientId, count) => rateLimit?.takeElsewhere('orders', clientId, count),
      failures: (address, count) => failures.recordElsewhere(address, count),
    },
  );
  const anonymous = database.lane('anonymous');
  let isAccepting = false;
  const readiness = () => {
    const checks = {
      catalogue: feed.isInStep,
      eventLoop: server.overload.isResponsive,
      database: databaseWatch.canWrite,
      accepting: isAccepting,
    };
    return { ready: Object.values(checks).every(Boolean), checks };
  };
  metrics?.watch({
    queueDepth: () => placement.queueDepth,
    heldRequests: () => changes.held.count,
    openConnections: () => server.countConnections(),
    catalogue,
    databaseCounts: database.counts,
    catalogueLagSeconds: () => feed.lagSeconds,
    catalogueBehindSeconds: () => feed.behindSeconds(),
    refusedRequests: () => server.overload.counts,
    poolUse: () => database.poolUse(),
    clockSteps: () => clock.counts,
    clockShiftSeconds: () => clock.shiftSeconds,
    lastVerifyRun: () => verifier.lastRun(),
    lastComparison: () => catalogueCheck.last,
    databaseState: () => databaseWatch.statistics,
  });
  const mayCall = ({ clientId }: Principal, request: IncomingMessage) =>
    clientStates.allowedFor(clientId)?.includes(addressOf(request)) ?? true;
  const knownCaller = (request: IncomingMessage) => {
    const caller = authenticator.known(request.headers.authorization ?? '');
    return caller !== undefined && mayCall(caller, request) ? caller : undefined;
  };
  server.overload.watch({
    orderPath: OPERATIONS.createOrder.path,
    knownCaller,
    hasRoomForOrder: (accountId) => placement.hasRoomFor(accountId),
    databaseWaiting: database.waitingCount,
    anonymousWaiting: anonymous.waitingCount,
  });
  const { tokenTtlSeconds } = config;
  server.add([
    ...operationRoutes(handlers, {
      authenticate: authenticator.authenticate,
      mayCall,
      rateLimit,
      runWrite: createWriteRunner({
        database,
        cooldownMs: config.idempotencyCooldownMs,
        secret: deps.secrets.clientSecretMac,
      }),
    }),
    ...tokenRoutes({ database: anonymous, clients, realm, keys, failures, addressOf, tokenTtlSeconds }),
    ...healthRoutes(readiness),
    ...referenceRoutes({
      publicUrl,
      version: deps.version,
      audience: config.mode === 'live' ? 'reseller' : undefined,
      demoClient: deps.demoClient,
    }),
    ...(config.demo ? pictureRoutes() : []),
  ]);
  server.setErrorForm(TOKEN_PREFIX, createTokenErrorForm(log));

  return {
    server,
    stock,
    async start() {
      clientStates.start();
      await counts.start();
      await feed.start();
      await changes.start();
      await clock.start();
      worker.start();
      historyWorker.start();
      databaseWatch.start();
      // The embedded engine has one session, and a check would keep the orders waiting.
      if (intervalMs > 0 && database.kind === 'postgres') {
        verifier.start();
        catalogueCheck.start();
      }
      auditSealer.start();
    },
    accept() {
      isAccepting = true;
    },
    catalogueInStep: () => feed.pull(),
    checkClock: () => clock.look(),
    compareCatalogue: compareNow,
    runOrderWorker: () => worker.run(),
    countHistory: () => historyWorker.run(),
    watchDatabase: () => databaseWatch.run(),
    async close({ delayMs, isReadyMeanwhile } = { delayMs: 0, isReadyMeanwhile: false }) {
      isAccepting = isReadyMeanwhile;
      server.endConnections();
      await sleep(delayMs);
      const closed = server.close();
      // By now their answers say that the connection ends.
      changes.held.close();
      await closed;
      await counts.close();
      await changes.close();
      await clock.close();
      await worker.close();
      await historyWorker.close();
      await databaseWatch.close();
      await verifier.close();
      await catalogueCheck.close();
      await auditSealer.close();
      await feed.close();
      clientStates.stop();
      keys.stop();
    },
  };
}
