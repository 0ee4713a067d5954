/** Starts the service for the command line, the benchmarks and the tests. */

import { type KeyObject, randomInt, randomUUID } from 'node:crypto';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { PUBLIC_URL_SCHEME } from '@keyport/catalogue/details-cache';
import { type DrawOrderId, drawOrderId } from '@keyport/core/ids';
import { createLogger } from '@keyport/http/logging/log';
import manifest from '@keyport/server/package.json' with { type: 'json' };
import type { Logger } from 'pino';
import {
  ensureDemoClient,
  ensureOperator,
  isNewestSecret,
  type StartCredentials,
} from './access/clients/bootstrap.ts';
import { type ClientCredentials, createClients } from './access/clients/clients.ts';
import { openCredentialsFile } from './access/clients/credentials-file.ts';
import { type AppDeps, buildApp, type Controls, type StopOptions } from './app.ts';
import { beginChain } from './audit/chain.ts';
import { beginCatalogueEpoch } from './catalogue/catalogue-clock.sql.ts';
import { type Config, localUrl, type Mode } from './config.ts';
import { CONNECT_ATTEMPT_TIMEOUT_MS } from './connection-failure.ts';
import {
  checkKeyFileMode,
  loadMasterKeys,
  type MasterKey,
  protectDataFolder,
  readMasterKeys,
  toMasterKeyFile,
} from './custody/master-key-file.ts';
import { createMasterKeyWatch } from './custody/master-key-watch.ts';
import { createMasterKeys, type MasterKeys } from './custody/master-keys.ts';
import { loadServiceSecrets } from './custody/secrets.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  toDatabaseOptions,
} from './db/engines/database.ts';
import { repairSequences } from './db/engines/database-watch.ts';
import { checkServer } from './db/engines/server-check.ts';
import { migrateToLatest } from './db/migrations/migrate.ts';
import type { Tx } from './db/schema.ts';
import { DEMO_ACCOUNT, DEMO_OWNER, findExampleProduct, seedDemo } from './demo/seed.ts';
import { untraced } from './in-span.ts';
import type { KeyStock } from './listings/catalogue.ts';
import type { Metrics } from './metrics/metrics.ts';
import { type MetricsServer, serveMetrics } from './metrics/metrics-server.ts';
import { chooseGateway } from './payments/choose-gateway.ts';
import type { Tracing } from './tracing/tracing.ts';

type DemoReseller = StartCredentials & { readonly productId: string };

export type RunningService = Controls & {
  readonly url: string;
  readonly publicUrl: string;
  readonly metricsUrl: string | undefined;
  readonly mode: Mode;
  readonly operator: StartCredentials;
  /** A one-time link for the first admin; undefined in live mode once an operator has signed in. */
  readonly consoleLink: string | undefined;
  /** A one-time link for the demo reseller's owner. */
  readonly portalLink: string | undefined;
  readonly demo: DemoReseller | undefined;
  readonly database: Database;
  countNodes(): Promise<void>;
  close(stop?: StopOptions): Promise<void>;
};

export type ServiceOptions = {
  readonly log?: Logger;
  readonly database?: Partial<DatabaseOptions>;
  /** Releases the addresses held for the service. */
  readonly beforeListening?: () => Promise<void>;
};

/** Resolves when the service accepts requests. Throws ConfigError and the errors of its parts. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<RunningService> {
  setDefaultAutoSelectFamilyAttemptTimeout(CONNECT_ATTEMPT_TIMEOUT_MS);
  const log = options.log ?? createLogger(config.logLevel);
  const check = { mode: config.mode, warn: (warning: string) => log.warn(warning) };
  warnOfMissingLimits(config, log);
  // Closed in reverse order: here if a later step fails, else by `close`.
  await using started = new AsyncDisposableStack();
  started.defer(() => closeEngine(options.database?.engine));
  await protectDataFolder(config, check.warn);
  const keys = await loadMasterKeys(config);
  const keyFile = toMasterKeyFile(config);
  if (keyFile !== undefined) await checkKeyFileMode(keyFile, check);
  const readKeyFile = keyFile === undefined ? async () => keys : () => readMasterKeys(keyFile);
  const masterKeys = createMasterKeys(keys, readKeyFile);
  const tracing = started.adopt(await chooseTracing(config, log), async (open) => open?.close());
  log.info('opening the database');
  const database = started.adopt(
    await openDatabase({
      ...toDatabaseOptions(config),
      ...(tracing === undefined ? {} : { inSpan: tracing.inSpan }),
      ...options.database,
      onError: (error) => log.warn({ err: error }, 'a database connection failed; replacing it'),
      onUnreachable: (cause) => log.error(`${cause}; requests that need it get 503`),
      onFailure: (error) =>
        log.fatal({ err: error }, 'the embedded database has stopped; restart the process'),
    }),
    (open) => open.close(),
  );
  await checkServer(database, check);
  const parts = { ...options, config, log, masterKeys, readKeyFile, tracing };
  // Without await the stack would close parts that are still starting.
  return await startOn(database, started, parts);
}

/** If a step before `openDatabase` failed, nothing else closes the engine. */
async function closeEngine(opening: DatabaseOptions['engine']): Promise<void> {
  const engine = await opening?.catch(() => undefined);
  await engine?.close();
}

function warnOfMissingLimits(config: Config, log: Logger): void {
  const { mode, rateLimitReadsPerSecond, rateLimitOrdersPerSecond } = config;
  if (mode !== 'live' || (rateLimitReadsPerSecond > 0 && rateLimitOrdersPerSecond > 0)) return;
  log.warn(
    'one client can use up the capacity of this service: set KEYPORT_RATE_LIMIT_READS_PER_SECOND and KEYPORT_RATE_LIMIT_ORDERS_PER_SECOND',
  );
}

/**
 * Many callers that connect together exceed Node's default of 511, and those not accepted retry after 1, 3
 * and 7 seconds.
 */
const CONNECTION_BACKLOG = 4096;

/** Loaded lazily, like tracing: most installations do not need its large libraries. */
async function chooseMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await import('./metrics/metrics.ts');
  return createMetrics(manifest.version);
}

async function chooseTracing({ otlpUrl, traceRatio }: Config, log: Logger): Promise<Tracing | undefined> {
  if (otlpUrl === undefined) return undefined;
  const { openTracing } = await import('./tracing/tracing.ts');
  return openTracing({ url: otlpUrl, ratio: traceRatio, version: manifest.version, log });
}

type Parts = Pick<ServiceOptions, 'beforeListening'> & {
  readonly config: Config;
  readonly log: Logger;
  readonly masterKeys: MasterKeys;
  readonly readKeyFile: () => Promise<readonly MasterKey[]>;
  readonly tracing: Tracing | undefined;
};

async function startOn(
  database: Database,
  started: AsyncDisposableStack,
  { config, log, masterKeys, readKeyFile, tracing, beforeListening }: Parts,
): Promise<RunningService> {
  await prepareSchema(database, log);
  const secrets = await loadServiceSecrets(database, masterKeys, beginHistory);
  const isSandbox = config.mode === 'sandbox';
  const drawId: DrawOrderId = (epochSeconds) =>
    drawOrderId({ epochSeconds, randomBelow: randomInt, isSandbox });
  let port = config.port;
  let demo: DemoReseller | undefined;
  const metrics = await chooseMetrics(config);
  const publicUrl = () => config.publicUrl ?? localUrl(config.host, port);
  const masterKeyWatch = started.adopt(
    createMasterKeyWatch({ database, masterKeys, readFile: readKeyFile, version: manifest.version, log }),
    (open) => open.close(),
  );
  let metricsServer: MetricsServer | undefined;
  started.defer(async () => metricsServer?.close());
  let stopOptions: StopOptions | undefined;
  const clients = createClients(secrets.clientSecretMac);
  const app = started.adopt(
    await buildApp({
      config,
      log,
      database,
      masterKeys,
      secrets,
      drawOrderId: drawId,
      gateway: await chooseGateway(config, log, { ...metrics, inSpan: (tracing ?? untraced).inSpan }),
      metrics,
      tracing,
      publicUrl,
      version: manifest.version,
      nodeCount: masterKeyWatch.nodeCount,
      demoClient: () => findDemoSecret({ database, clients }, demo),
    }),
    (open) => open.close(stopOptions),
  );
  await masterKeyWatch.start();
  const bootstrap = {
    database,
    clients,
    credentialsFile: openCredentialsFile(config),
    onSecretIgnored: (clientId: string) =>
      log.warn({ clientId }, 'configured operator secret ignored; the client has a different one'),
  };
  if (config.demo)
    demo = await prepareDemo({ config, log, database, drawOrderId: drawId }, bootstrap, app.stock);
  log.info('loading the catalogue');
  await app.start();
  await beforeListening?.();
  const { host, metricsPort: metricsAddress, operatorId: clientId, operatorSecret: clientSecret } = config;
  if (metrics !== undefined && metricsAddress !== undefined)
    metricsServer = await serveMetrics(metrics, metricsAddress);
  ({ port } = await app.server.listen({ host, port, backlog: CONNECTION_BACKLOG }));
  // As late as possible: a generated secret is shown once, and a start that fails later would lose it.
  const operator = await ensureOperator(bootstrap, { clientId, clientSecret });
  const consoleLink = await app.inviteFirstAdmin();
  const portalLink = demo && (await app.inviteFirstOwner(DEMO_OWNER));
  app.accept();
  log.info({ url: publicUrl(), mode: config.mode, database: database.kind }, 'ready');
  const running = started.move();
  return {
    ...app.controls,
    countNodes: masterKeyWatch.countNodes,
    url: localUrl(host, port),
    publicUrl: publicUrl(),
    metricsUrl:
      metricsAddress && metricsServer && `${localUrl(metricsAddress.host, metricsServer.port)}/metrics`,
    mode: config.mode,
    operator,
    consoleLink,
    portalLink,
    demo,
    database,
    async close(stop) {
      stopOptions = stop;
      await running.disposeAsync();
    },
  };
}

/** Undefined if the secret is unknown (only its hash is stored) or not the newest. */
async function findDemoSecret(
  deps: Parameters<typeof isNewestSecret>[0],
  demo: DemoReseller | undefined,
): Promise<ClientCredentials | undefined> {
  if (demo?.clientSecret === undefined) return undefined;
  const { clientId, clientSecret } = demo;
  const isNewest = await isNewestSecret(deps, { clientId, clientSecret }).catch(() => false);
  return isNewest ? { clientId, clientSecret } : undefined;
}

async function beginHistory(tx: Tx, auditMac: KeyObject): Promise<void> {
  await beginCatalogueEpoch(tx, randomUUID());
  await beginChain(tx, auditMac);
}

async function prepareSchema(database: Database, log: Logger): Promise<void> {
  await migrateToLatest(database, {
    onPending: (names) => log.info({ migrations: names.length }, 'bringing the schema up to date'),
    onRetry: (error) => log.warn({ err: error }, 'a migration is waiting for long transactions to end'),
  });
  await repairSequences(database, log);
}

async function prepareDemo(
  { config, log, database, drawOrderId }: Pick<AppDeps, 'config' | 'log' | 'database' | 'drawOrderId'>,
  bootstrap: Parameters<typeof ensureDemoClient>[0],
  stock: KeyStock,
): Promise<DemoReseller | undefined> {
  const hasDemo = await seedDemo({
    database,
    stock,
    drawOrderId,
    publicUrl: PUBLIC_URL_SCHEME,
    onSeeding: () => log.info('filling the empty database with demo data'),
  });
  if (!hasDemo) return undefined;
  const credentials = await ensureDemoClient(bootstrap, {
    accountId: DEMO_ACCOUNT.id,
    clientId: config.demoClientId,
    clientSecret: config.demoClientSecret,
  });
  const productId = await findExampleProduct(database);
  return productId === undefined ? undefined : { ...credentials, productId };
}
