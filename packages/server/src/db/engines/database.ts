/**
 * Opens the database: a PostgreSQL server through a pool, or the embedded engine (db/embedded.ts) through a pool of
 * one. Everything above sees one typed handle with one set of types (value-types.ts).
 * Transactions are begun in db/transaction.ts only.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@keyport/core/assert';
import { Kysely, PostgresDialect } from 'kysely';
import {
  Client,
  type ClientBase,
  type ClientConfig,
  escapeIdentifier,
  Pool,
  type PoolClient,
  type PoolConfig,
} from 'pg';
import type { Config } from '../../config.ts';
import { type InSpan, untraced } from '../../in-span.ts';
import type { Db } from '../schema.ts';
import { type EmbeddedEngine, openEmbedded } from './embedded.ts';
import { endWhenSilent } from './idle-timeout.ts';
import { Lane, type LaneLimits } from './lane.ts';
import { createListener, type Listening } from './listener.ts';
import { sendUnnamed } from './prepared.ts';
import { applyEmbeddedSettings, applySettings } from './session-settings.ts';
import { TYPES } from './value-types.ts';

/** Connections without a separate lane. Two cores serve no more concurrently. */
const SHARED_SIZE_MAX = 10;

/** A batch of orders takes one; the other is for finding out what happened to a lost COMMIT. */
const ORDERS_SIZE_MAX = 2;

/** Callers without a token are served by few connections, however many they are. */
const ANONYMOUS_SIZE_MAX = 2;

/** All lanes, and one that listens. Nodes times this stays below max_connections. */
export const CONNECTIONS_PER_NODE = SHARED_SIZE_MAX + ORDERS_SIZE_MAX + ANONYMOUS_SIZE_MAX + 1;

/** A caller that gets no connection by then gets an error (503). */
const CONNECTION_TIMEOUT_MS = 2_000;

/** The embedded engine has one session, and a wait for it is a wait for a running transaction, not for a network. */
const EMBEDDED_CONNECTION_TIMEOUT_MS = 30_000;

const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

export type Database = {
  kind: 'embedded' | 'postgres';
  kysely: Db;
  /** A connection of one's own, to be released, or released with `true` when its state is in doubt. */
  connect(): Promise<PoolClient>;
  /** Runs `work` on a new connection past any pooler, where session settings hold, and ends the connection. */
  withOwnSession<T>(work: (client: SessionClient) => Promise<T>): Promise<T>;
  /**
   * Calls back with the payload of each notification, and with an empty one after each reconnect: what was notified
   * in between is lost, so the caller reads again. A notification is a hint, never the only way to learn of a change.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<Listening>;
  /** Whether the order path's statements are prepared by name. */
  readonly preparesByName: boolean;
  /** Whether notifications use a separate address, past a pooler. */
  readonly hasDirectUrl: boolean;
  /** As the option says. */
  readonly transactionDeadlineMaxMs?: (() => number) | undefined;
  /** Limit of each statement of every transaction. */
  readonly statementTimeoutMs?: number;
  /**
   * The same database with connections of its own: for placing orders, and for requests without a token. Waiting in one lane
   * delays no other lane.
   */
  lane(name: LaneName): Database;
  waitingCount(): number;
  /** Connections of the pool, and callers that wait for one, of all lanes. */
  poolUse(): PoolUse;
  readonly counts: DatabaseCounts;
  /** Every transaction is run in one. */
  readonly inSpan: InSpan;
  /** The embedded database as one file's bytes, for `initialDumpFile`. Throws for a PostgreSQL server. */
  dump(): Promise<Uint8Array>;
  /** Ends every connection; the embedded engine writes everything out first. May be called again. */
  close(): Promise<void>;
};

/** A connection with one owner; unlike one of the pool it is not released. */
export type SessionClient = Pick<PoolClient, 'query'>;

type LaneName = 'orders' | 'anonymous';

type PoolUse = { readonly inUse: number; readonly idle: number; readonly waiting: number };

type DatabaseCounts = {
  sessionsOpened: number;
  /** Sessions that broke while they were idle, and attempts to listen that failed. */
  sessionErrors: number;
  transactionsCommitted: number;
  transactionsFailed: number;
  transactionsUnknown: number;
  transactionsRetried: number;
  /** Transactions that failed for want of disk space or memory. */
  transactionsOutOfResources: number;
};

export type DatabaseOptions = {
  /** A PostgreSQL URL; undefined chooses the embedded engine. */
  url: string | undefined;
  /** The same database past a pooler such as PgBouncer, for notifications and migrations; `url` when absent. */
  directUrl?: string | undefined;
  /** Whether statements may be prepared by name, which not every pooler carries; true when absent. */
  preparedStatements?: boolean;
  /** The embedded engine's folder (absolute, or from the working directory); `memory` keeps nothing on disk. */
  dataDir: string | 'memory';
  poolSizeMax?: number;
  /** How long a caller waits for a connection to the server, milliseconds; 2,000 when absent. */
  connectionWaitMaxMs?: number;
  /**
   * Asked at the start of each transaction: milliseconds after which it is given up, for callers that would rather get an error soon
   * that a server is gone than wait as long as the transaction may take.
   */
  transactionDeadlineMaxMs?: () => number;
  /** A file with what `dump` returned, for an embedded database that does not exist yet to start from. */
  initialDumpFile?: string;
  /** The same as a folder, which may be missing, for a database that is kept in a folder. */
  imageFolder?: string;
  /** Called with errors of idle connections (they are replaced) and of reconnects, for the log. */
  onError?: (error: Error) => void;
  /**
   * The embedded engine has stopped unexpectedly: every further query fails, and the process should be
   * replaced.
   */
  onFailure?: (error: Error) => void;
  inSpan?: InSpan;
};

export function databaseOptionsOf(config: Config): DatabaseOptions {
  return {
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    preparedStatements: config.preparedStatements,
    dataDir: config.dataDir,
  };
}

/** Opens either engine. A PostgreSQL server is not contacted yet; the embedded engine is started. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined ? openEmbeddedDatabase(options) : openPostgres(options.url, options);
}

/** A Kysely over one connection that is not its own: it never releases it. Its `transaction` works as usual. */
export function kyselyOver(client: SessionClient): Db {
  return new Kysely({ dialect: new PostgresDialect({ pool: poolOver(client) }) });
}

/** The pool for Kysely's driver, with one connection that the caller releases. */
export function poolOver(client: SessionClient) {
  const borrowed = {
    query: client.query.bind(client),
    release: () => {},
  };
  return kyselyPool(async () => borrowed);
}

function kyselyPool<Connection>(connect: () => Promise<Connection>) {
  return { options: {}, connect, end: async () => {} };
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
      assert(client instanceof Client, 'the pool makes its own sort of clients');
      if (options.preparedStatements === false) sendUnnamed(client);
      // The pool's own limit ends with the greeting: a server that stops responding after it would be waited for forever.
      const limit = setTimeout(() => client.connection.stream.destroy(), waitMaxMs);
      await applySettings(client).finally(() => clearTimeout(limit));
    },
    onError,
  );
  pool.on('connect', (client) => {
    counts.sessionsOpened += 1;
    endWhenSilent(client);
  });
  const limitsOf = (sizeMax: number) => ({ sizeMax, waitMaxMs });
  const limits = {
    shared: limitsOf(sharedSizeMax),
    orders: limitsOf(ORDERS_SIZE_MAX),
    anonymous: limitsOf(ANONYMOUS_SIZE_MAX),
  };
  const listener = createListener({ ...direct, query_timeout: CONNECTION_TIMEOUT_MS }, onError);
  return withLanes(pool, limits, {
    kind: 'postgres',
    preparesByName: options.preparedStatements !== false,
    hasDirectUrl: options.directUrl !== undefined,
    transactionDeadlineMaxMs: options.transactionDeadlineMaxMs,
    withOwnSession: (work) => onOwnConnection(direct, work),
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
  limits: Readonly<Record<LaneName | 'shared', LaneLimits>>,
  parts: Omit<Database, 'kysely' | 'connect' | 'lane' | 'waitingCount' | 'poolUse'>,
): Database {
  const lanes = {
    shared: new Lane(pool, limits.shared),
    orders: new Lane(pool, limits.orders),
    anonymous: new Lane(pool, limits.anonymous),
  };
  const poolUse = () => {
    const { totalCount, idleCount, waitingCount } = pool;
    const waiting = Object.values(lanes).reduce((sum, lane) => sum + lane.waiting, waitingCount);
    return { inUse: totalCount - idleCount, idle: idleCount, waiting };
  };
  const over = (lane: Lane): Database => ({
    ...parts,
    connect: () => lane.connect(),
    kysely: new Kysely({ dialect: new PostgresDialect({ pool: kyselyPool(() => lane.connect()) }) }),
    waitingCount: () => lane.waiting,
    poolUse,
    lane: (name) => databases[name],
  });
  const databases = { orders: over(lanes.orders), anonymous: over(lanes.anonymous) };
  return over(lanes.shared);
}

async function openEmbeddedDatabase(options: DatabaseOptions): Promise<Database> {
  const engine = await openEmbedded({
    folder: options.dataDir === 'memory' ? undefined : resolve(options.dataDir),
    dumpFile: options.initialDumpFile,
    imageFolder: options.imageFolder,
    onFailure: options.onFailure ?? ignore,
  });
  return openOnEngine(engine, options);
}

/** A database over an embedded engine that is open already; `close` closes the engine too. */
export function openOnEngine(
  engine: EmbeddedEngine,
  options: { readonly onError?: (error: Error) => void; readonly inSpan?: InSpan },
): Database {
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const counts = zeroCounts();
  const pool = buildEmbeddedPool(engine, listeners, countErrors(counts, options.onError));
  pool.on('connect', () => {
    counts.sessionsOpened += 1;
  });
  const limits = { sizeMax: 1, waitMaxMs: EMBEDDED_CONNECTION_TIMEOUT_MS };
  return withLanes(
    pool,
    { shared: limits, orders: limits, anonymous: limits },
    {
      kind: 'embedded',
      preparesByName: true,
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
        const callbacks = listeners.get(channel) ?? new Set();
        listeners.set(channel, callbacks.add(onNotify));
        await pool.query(`LISTEN ${escapeIdentifier(channel)}`);
        return {
          async close() {
            // The session continues listening without a callback: cheaper than finding out which was the last.
            callbacks.delete(onNotify);
          },
        };
      },
      counts,
      inSpan: options.inSpan ?? untraced.inSpan,
      dump: () => engine.dump(),
      close: once(async () => {
        await endPool(pool);
        await engine.close();
      }),
    },
  );
}

/** One connection, since the engine has one session; it also receives the notifications that it sends. */
function buildEmbeddedPool(
  engine: EmbeddedEngine,
  listeners: ReadonlyMap<string, ReadonlySet<(payload: string) => void>>,
  onError: (error: Error) => void,
): Pool {
  let isReconnect = false;
  return buildPool(
    {
      stream: () => engine.openSocket(),
      user: 'postgres',
      database: 'postgres',
      // Not a secret: node-postgres would otherwise look for a password file. The engine needs none.
      password: '',
      ssl: false,
      max: 1,
      connectionTimeoutMillis: EMBEDDED_CONNECTION_TIMEOUT_MS,
      idleTimeoutMillis: 0,
      types: TYPES,
    },
    async (client) => {
      client.on('notification', ({ channel, payload }) => {
        for (const onNotify of listeners.get(channel) ?? []) onNotify(payload ?? '');
      });
      const listen = [...listeners.keys()].map((channel) => `LISTEN ${escapeIdentifier(channel)};`);
      await client.query(`SET application_name = 'keyport'; ${listen.join('')}`);
      await applyEmbeddedSettings(client);
      if (isReconnect)
        for (const callbacks of listeners.values()) for (const onNotify of callbacks) onNotify('');
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
    // Callers that await each result notice no difference; db/transaction.ts pipelines orders with it.
    pipeline: true,
    // The pool awaits this before it hands the connection out, which its types do not say.
    onConnect: (client) => {
      // Without a listener an error between two queries of a transaction ends the process (node-postgres #3083).
      client.on('error', ignore);
      return onConnect(client);
    },
  });
  pool.on('error', onError);
  return pool;
}

function zeroCounts(): DatabaseCounts {
  return {
    sessionsOpened: 0,
    sessionErrors: 0,
    transactionsCommitted: 0,
    transactionsFailed: 0,
    transactionsUnknown: 0,
    transactionsRetried: 0,
    transactionsOutOfResources: 0,
  };
}

function countErrors(
  counts: DatabaseCounts,
  onError: (error: Error) => void = ignore,
): (error: Error) => void {
  return (error) => {
    counts.sessionErrors += 1;
    onError(error);
  };
}

/** Ends the pool; a connection whose borrower never returned it must not keep the process from ending. */
async function endPool(pool: Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(CONNECTION_TIMEOUT_MS, undefined, { ref: false })]);
}

async function onOwnConnection<T>(
  connection: ClientConfig,
  work: (client: SessionClient) => Promise<T>,
): Promise<T> {
  const client = new Client(connection);
  client.on('error', ignore);
  await client.connect();
  try {
    await applySettings(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A second call gets the promise of the first. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

function ignore(): void {}
