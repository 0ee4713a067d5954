import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@keyport/core/assert';
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Config } from '../../config.ts';
import { type InSpan, untraced } from '../../in-span.ts';
import { Outage } from '../connect-failure.ts';
import type { Db } from '../schema.ts';
import { type EmbeddedEngine, openEmbedded } from './embedded.ts';
import { endWhenSilent } from './idle-timeout.ts';
import { Lane } from './lane.ts';
import { Channels, createListener, type Listening, listenStatement } from './listener.ts';
import { sendUnnamed } from './prepared.ts';
import { applyEmbeddedSettings, applySettings } from './session-settings.ts';
import { TYPES } from './value-types.ts';

/** Serves all work that has no other lane. More connections gain nothing on two cores. */
const SHARED_SIZE_MAX = 10;
/** One for a batch of orders, one to resolve a COMMIT that got no response. */
const ORDERS_SIZE_MAX = 2;
const ANONYMOUS_SIZE_MAX = 2;
/** Includes the connection that listens. The total of all nodes must stay below max_connections. */
export const CONNECTIONS_PER_NODE = SHARED_SIZE_MAX + ORDERS_SIZE_MAX + ANONYMOUS_SIZE_MAX + 1;
/** A request that has no connection by then gets 503. */
const CONNECTION_TIMEOUT_MS = 2_000;
/** A wait for the only session is a wait for the current transaction. */
const EMBEDDED_CONNECTION_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

export type Database = {
  kind: 'embedded' | 'postgres';
  db: Db;
  connect(): Promise<PoolClient>;
  /** A new connection that bypasses any pooler, so that session settings persist. */
  withOwnSession<T>(work: (client: SessionClient) => Promise<T>): Promise<T>;
  /** Also notifies with an empty payload after each reconnect, since notifications in between are lost. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<Listening>;
  readonly hasDirectUrl: boolean;
  readonly transactionDeadlineMaxMs?: (() => number) | undefined;
  readonly statementTimeoutMs?: number;
  /** The same database with its own connections, so that waiting delays no other lane. */
  lane(name: LaneName): Database;
  waitingCount(): number;
  poolUse(): PoolUse;
  readonly counts: ReturnType<typeof zeroCounts>;
  /** False while no session can be opened. */
  isReachable(): boolean;
  readonly inSpan: InSpan;
  dump(): Promise<Uint8Array>;
  /** May be called again. */
  close(): Promise<void>;
};

export type SessionClient = Pick<PoolClient, 'query'>;

type LaneName = 'orders' | 'anonymous';

type PoolUse = { readonly inUse: number; readonly idle: number; readonly waiting: number };

export type DatabaseOptions = {
  url: string | undefined;
  /**
   * Bypasses a pooler, for notifications and migrations; `url` if absent. With it, statements have no names, because
   * some poolers do not keep them.
   */
  directUrl?: string | undefined;
  /** The embedded engine's folder; `memory` keeps nothing on disk. */
  dataDir: string | 'memory';
  poolSizeMax?: number;
  /** 2,000 if absent. */
  connectionWaitMaxMs?: number;
  /** Called at the start of each transaction, so that it fails early instead of waiting long. */
  transactionDeadlineMaxMs?: () => number;
  /** The result of `dump`, for an embedded database that does not exist yet. */
  initialDumpFile?: string;
  /** Used instead of the engine in `dataDir`. */
  engine?: Promise<EmbeddedEngine>;
  onError?: (error: Error) => void;
  /** This is called once for each cause, with a sentence that also names the remedy. */
  onUnreachable?: (cause: string) => void;
  /** Called if the embedded engine stops unexpectedly; the process must then be replaced. */
  onFailure?: (error: Error) => void;
  inSpan?: InSpan;
};

export function toDatabaseOptions(config: Config): DatabaseOptions {
  return {
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    dataDir: config.dataDir,
  };
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url !== undefined) return openPostgres(options.url, options);
  const { engine, dataDir, initialDumpFile: dumpFile, onFailure = ignore } = options;
  return openOnEngine(await (engine ?? openEmbedded({ dataDir, dumpFile, onFailure })), options);
}

export function dbOver(client: SessionClient): Db {
  return {
    async query<Row>(text: string, values: readonly unknown[]) {
      const { rows, rowCount } = await client.query({ text, values: [...values] });
      return { rows: rows as Row[], count: rowCount ?? 0 };
    },
  };
}

/** Each statement gets a connection for itself. */
function dbOn(lane: Lane): Db {
  return {
    async query(text, values) {
      const client = await lane.connect();
      try {
        return await dbOver(client).query(text, values);
      } finally {
        client.release();
      }
    },
  };
}

function openPostgres(url: string, options: DatabaseOptions): Database {
  const counts = zeroCounts();
  const onError = countErrors(counts, options.onError);
  const waitMaxMs = options.connectionWaitMaxMs ?? CONNECTION_TIMEOUT_MS;
  const connection: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: waitMaxMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    application_name: 'keyport',
    types: TYPES,
  };
  const direct: ClientConfig = { ...connection, connectionString: options.directUrl ?? url };
  const sharedSizeMax = options.poolSizeMax ?? SHARED_SIZE_MAX;
  const sizeMax = sharedSizeMax + ORDERS_SIZE_MAX + ANONYMOUS_SIZE_MAX;
  const pool = buildPool(
    { ...connection, max: sizeMax, idleTimeoutMillis: IDLE_TIMEOUT_MS },
    async (client) => {
      assert(client instanceof Client, 'the pool creates clients of its own class');
      if (options.directUrl !== undefined) sendUnnamed(client);
      // The pool's own time limit covers only establishing the connection.
      const limit = setTimeout(() => client.connection.stream.destroy(), waitMaxMs);
      await applySettings(client).finally(() => clearTimeout(limit));
    },
    onError,
  );
  pool.on('connect', (client) => {
    counts.sessionsOpened += 1;
    endWhenSilent(client);
  });
  const sizes = { shared: sharedSizeMax, orders: ORDERS_SIZE_MAX, anonymous: ANONYMOUS_SIZE_MAX };
  const outage = new Outage(options.onUnreachable);
  const listener = createListener({ ...direct, query_timeout: CONNECTION_TIMEOUT_MS }, onError, outage);
  return withLanes(pool, waitMaxMs, sizes, outage, {
    kind: 'postgres',
    hasDirectUrl: options.directUrl !== undefined,
    transactionDeadlineMaxMs: options.transactionDeadlineMaxMs,
    withOwnSession: (work) => onOwnConnection(direct, outage, work),
    listen: listener.listen,
    counts,
    inSpan: options.inSpan ?? untraced.inSpan,
    dump: () => Promise.reject(new Error('only an embedded database can be dumped; use pg_dump')),
    close: once(async () => {
      await listener.close();
      await endPool(pool);
    }),
  });
}

function withLanes(
  pool: Pool,
  waitMaxMs: number,
  sizes: Readonly<Record<LaneName | 'shared', number>>,
  outage: Outage,
  parts: Omit<Database, 'db' | 'connect' | 'isReachable' | 'lane' | 'waitingCount' | 'poolUse'>,
): Database {
  const lanes = {
    shared: new Lane(pool, { sizeMax: sizes.shared, waitMaxMs }, outage),
    orders: new Lane(pool, { sizeMax: sizes.orders, waitMaxMs }, outage),
    anonymous: new Lane(pool, { sizeMax: sizes.anonymous, waitMaxMs }, outage),
  };
  const poolUse = () => {
    const { totalCount, idleCount, waitingCount } = pool;
    const waiting = Object.values(lanes).reduce((sum, lane) => sum + lane.waiting, waitingCount);
    return { inUse: totalCount - idleCount, idle: idleCount, waiting };
  };
  const over = (lane: Lane): Database => ({
    ...parts,
    connect: () => lane.connect(),
    db: dbOn(lane),
    waitingCount: () => lane.waiting,
    poolUse,
    isReachable: () => outage.isOver,
    lane: (name) => databases[name],
  });
  const databases = { orders: over(lanes.orders), anonymous: over(lanes.anonymous) };
  return over(lanes.shared);
}

export function openOnEngine(
  engine: EmbeddedEngine,
  options: { readonly onError?: (error: Error) => void; readonly inSpan?: InSpan },
): Database {
  const channels = new Channels();
  const counts = zeroCounts();
  const pool = buildEmbeddedPool(engine, channels, countErrors(counts, options.onError));
  pool.on('connect', () => {
    counts.sessionsOpened += 1;
  });
  const sizes = { shared: 1, orders: 1, anonymous: 1 };
  return withLanes(pool, EMBEDDED_CONNECTION_TIMEOUT_MS, sizes, new Outage(), {
    kind: 'embedded',
    hasDirectUrl: false,
    async withOwnSession(work) {
      const client = await pool.connect();
      try {
        return await work(client);
      } finally {
        client.release(true);
      }
    },
    async listen(channel, onNotify) {
      const listening = channels.add(channel, onNotify);
      await pool.query(listenStatement(channel));
      return listening;
    },
    counts,
    inSpan: options.inSpan ?? untraced.inSpan,
    dump: () => engine.dump(),
    close: once(async () => {
      await endPool(pool);
      await engine.close();
    }),
  });
}

function buildEmbeddedPool(
  engine: EmbeddedEngine,
  channels: Channels,
  onError: (error: Error) => void,
): Pool {
  let isReconnect = false;
  return buildPool(
    {
      stream: () => engine.openSocket(),
      user: 'postgres',
      database: 'postgres',
      // node-postgres would otherwise look for a password file.
      password: '',
      ssl: false,
      max: 1,
      connectionTimeoutMillis: EMBEDDED_CONNECTION_TIMEOUT_MS,
      idleTimeoutMillis: 0,
      types: TYPES,
    },
    async (client) => {
      client.on('notification', (message) => channels.notify(message));
      await client.query(`SET application_name = 'keyport'; ${channels.statements.join('')}`);
      await applyEmbeddedSettings(client);
      if (isReconnect) channels.notifyAll();
      isReconnect = true;
    },
    onError,
  );
}

function buildPool(
  config: PoolConfig,
  onConnect: (client: ClientBase) => Promise<void>,
  onError: (error: Error) => void,
): Pool {
  const pool = new Pool({
    ...config,
    // Orders pipeline their statements.
    pipeline: true,
    onConnect: (client) => {
      // Without a listener, an error between queries of a transaction ends the process (node-postgres #3083).
      client.on('error', ignore);
      return onConnect(client);
    },
  });
  pool.on('error', onError);
  return pool;
}

function zeroCounts() {
  return {
    sessionsOpened: 0,
    /** Lost idle sessions, and failed attempts to listen. */
    sessionErrors: 0,
    transactionsCommitted: 0,
    transactionsFailed: 0,
    transactionsUnknown: 0,
    transactionsRetried: 0,
    transactionsOutOfResources: 0,
  };
}

function countErrors(
  counts: Database['counts'],
  onError: (error: Error) => void = ignore,
): (error: Error) => void {
  return (error) => {
    counts.sessionErrors += 1;
    onError(error);
  };
}

/** A connection that was never released must not keep the process from ending. */
async function endPool(pool: Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(CONNECTION_TIMEOUT_MS, undefined, { ref: false })]);
}

async function onOwnConnection<T>(
  connection: ClientConfig,
  outage: Outage,
  work: (client: SessionClient) => Promise<T>,
): Promise<T> {
  const client = new Client(connection);
  client.on('error', ignore);
  try {
    await client.connect();
    await applySettings(client);
  } catch (error) {
    outage.begin(error);
    client.connection.stream.destroy();
    throw error;
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

function ignore(): void {}
