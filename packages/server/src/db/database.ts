/**
 * Opens the database: a PostgreSQL server through a pool, or the embedded engine (db/embedded.ts) through a pool of
 * one. Everything above sees one typed handle with one set of types:
 * int8 is a safe number (an unsafe one throws; order ids are selected as text, A6), numeric, timestamptz, timestamp
 * and date are PostgreSQL's own text (JavaScript dates lose microseconds), json is parsed.
 * Transactions are begun in db/transaction.ts only.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import {
  Client,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  escapeIdentifier,
  Pool,
  type PoolClient,
  type PoolConfig,
  types,
} from 'pg';
import { type EmbeddedEngine, openEmbedded } from './embedded.ts';
import type { Schema } from './schema.ts';
import { endWhenSilent } from './silence.ts';

/** Connections per process. 2 cores serve no more at once; instances times this stays below max_connections. */
const POOL_SIZE_MAX = 10;

/** The pool, and one that listens. */
export const CONNECTIONS_PER_NODE = POOL_SIZE_MAX + 1;

/** A caller that gets no connection by then is better told so (503) than kept waiting. */
const CONNECTION_TIMEOUT_MS = 2_000;

/** The embedded engine has one session, and whoever waits for it waits for a transaction at work, not for a network. */
const EMBEDDED_CONNECTION_TIMEOUT_MS = 30_000;

const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

const RECONNECT_DELAY_MIN_MS = 100;
const RECONNECT_DELAY_MAX_MS = 5_000;

/** The first words in each session; `runTransaction` sets tighter limits for itself. */
const SESSION_SETTINGS = `
  SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex';
  SET application_name = 'keyport'; SET default_transaction_isolation = 'read committed';
  SET statement_timeout = '30s'; SET lock_timeout = '5s';`;

// How the server notices that this process has gone: locks of a vanished host are free after 15 s at most. The last
// setting is refused by servers on systems that lack it, so the server's own version text decides. The embedded engine
// gets none of them: it lives and dies with this process, and would end itself when the event loop is late.
const NETWORK_SETTINGS = `
  SET idle_in_transaction_session_timeout = '10s';
  SET tcp_user_timeout = '10s'; SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3;
  SELECT set_config('client_connection_check_interval', CASE WHEN version() ~ 'linux' THEN '2s' ELSE '0' END, false);`;

export type Database = {
  kind: 'embedded' | 'postgres';
  kysely: Kysely<Schema>;
  /** A connection of one's own, to be released, or released with `true` when its state is in doubt. */
  connect(): Promise<PoolClient>;
  /**
   * Calls back with the payload of each notification, and with an empty one after each reconnect: what was notified
   * meanwhile is lost, so the caller reads again. A notification is a hint, never the only way to learn of a change.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<Listening>;
  /** Connections of the pool, and callers that wait for one. */
  poolUse(): PoolUse;
  /** The embedded database as one file's bytes, for `initialDumpFile`. Throws for a PostgreSQL server. */
  dump(): Promise<Uint8Array>;
  /** Ends every connection; the embedded engine writes everything out first. May be called again. */
  close(): Promise<void>;
};

export type PoolUse = { readonly inUse: number; readonly idle: number; readonly waiting: number };

type Listening = { close(): Promise<void> };

export type DatabaseOptions = {
  /** A PostgreSQL URL; undefined chooses the embedded engine. */
  url: string | undefined;
  /** The embedded engine's folder (absolute, or from the working directory); `memory` keeps nothing on disk. */
  dataDir: string | 'memory';
  poolSizeMax?: number;
  /** A file with what `dump` returned, for an embedded database that does not exist yet to start from. */
  initialDumpFile?: string;
  /** Told of errors of idle connections (they are replaced) and of reconnects, for the log. */
  onError?: (error: Error) => void;
  /** The embedded engine has stopped by itself: every further query fails, and the process should be replaced. */
  onFailure?: (error: Error) => void;
};

/** Opens either engine. A PostgreSQL server is not contacted yet; the embedded engine is started. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined ? openEmbeddedDatabase(options) : openPostgres(options.url, options);
}

/** A Kysely over one connection that is not its own: it never releases it. Its `transaction` works as usual. */
export function kyselyOver(client: PoolClient): Kysely<Schema> {
  return new Kysely({ dialect: new PostgresDialect({ pool: poolOver(client) }) });
}

/** The pool that Kysely's driver asks for, with one connection that somebody else releases. */
export function poolOver(client: PoolClient) {
  const borrowed = {
    query: client.query.bind(client),
    release: () => {},
  };
  return { options: {}, connect: async () => borrowed, end: async () => {} };
}

function openPostgres(url: string, options: DatabaseOptions): Database {
  const onError = options.onError ?? ignore;
  const connection: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TYPES,
  };
  const pool = buildPool(
    { ...connection, max: options.poolSizeMax ?? POOL_SIZE_MAX, idleTimeoutMillis: IDLE_TIMEOUT_MS },
    async (client) => {
      await client.query(SESSION_SETTINGS + NETWORK_SETTINGS);
    },
    onError,
  );
  pool.on('connect', endWhenSilent);
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const listener = createListener({ connection, onError });
  return {
    kind: 'postgres',
    kysely,
    connect: () => pool.connect(),
    listen: listener.listen,
    poolUse: () => poolUseOf(pool),
    dump: () => Promise.reject(new Error('only an embedded database can be dumped; use pg_dump')),
    close: once(async () => {
      await listener.close();
      await endPool(pool);
    }),
  };
}

async function openEmbeddedDatabase(options: DatabaseOptions): Promise<Database> {
  const engine = await openEmbedded({
    folder: options.dataDir === 'memory' ? undefined : resolve(options.dataDir),
    dumpFile: options.initialDumpFile,
    onFailure: options.onFailure ?? ignore,
  });
  return openOnEngine(engine, options);
}

/** A database over an embedded engine that is open already; `close` closes the engine too. */
export function openOnEngine(
  engine: EmbeddedEngine,
  options: { readonly onError?: (error: Error) => void },
): Database {
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const pool = buildEmbeddedPool(engine, listeners, options.onError ?? ignore);
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'embedded',
    kysely,
    connect: () => pool.connect(),
    async listen(channel, onNotify) {
      const callbacks = listeners.get(channel) ?? new Set();
      listeners.set(channel, callbacks.add(onNotify));
      await pool.query(`LISTEN ${escapeIdentifier(channel)}`);
      return {
        async close() {
          // The session goes on listening, to nobody: cheaper than deciding who was the last.
          callbacks.delete(onNotify);
        },
      };
    },
    poolUse: () => poolUseOf(pool),
    dump: () => engine.dump(),
    close: once(async () => {
      await endPool(pool);
      await engine.close();
    }),
  };
}

/** One connection, since the engine has one session; it also hears the notifications that it sends. */
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
      // Not a secret: node-postgres would otherwise look for a password file. The engine asks for none.
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
      await client.query(SESSION_SETTINGS + listen.join(''));
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
    // Whoever awaits each reply notices no difference; db/transaction.ts makes use of it for the orders.
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

function poolUseOf({ totalCount, idleCount, waitingCount }: Pool): PoolUse {
  return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** Ends the pool; a connection whose borrower never returned it must not keep the process from ending. */
async function endPool(pool: Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(CONNECTION_TIMEOUT_MS, undefined, { ref: false })]);
}

/** LISTEN needs a session that stays: one beside the pool for all channels, which is renewed whenever it breaks. */
function createListener({
  connection,
  onError,
}: {
  connection: ClientConfig;
  onError: (error: Error) => void;
}) {
  const callbacks = new Map<string, Set<(payload: string) => void>>();
  const closed = new AbortController();
  let current: Client | undefined;

  const open = async () => {
    const client = new Client(connection);
    // From now on, so that a channel that is added meanwhile is not missed.
    current = client;
    client.on('error', onError);
    client.on('notification', ({ channel, payload }) => {
      for (const onNotify of callbacks.get(channel) ?? []) onNotify(payload ?? '');
    });
    await client.connect();
    const listen = [...callbacks.keys()].map((channel) => `LISTEN ${escapeIdentifier(channel)};`);
    await client.query(`SET application_name = 'keyport-listen';${listen.join('')}`);
    client.once('end', () => void reopen());
  };

  const reopen = async () => {
    for (let delayMs = RECONNECT_DELAY_MIN_MS; !closed.signal.aborted; ) {
      try {
        await open();
        for (const ofChannel of callbacks.values()) for (const onNotify of ofChannel) onNotify('');
        return;
      } catch (error) {
        if (error instanceof Error) onError(error);
        const jitteredMs = delayMs * (0.5 + Math.random() / 2);
        await sleep(jitteredMs, undefined, { signal: closed.signal, ref: false }).catch(ignore);
        delayMs = Math.min(delayMs * 2, RECONNECT_DELAY_MAX_MS);
      }
    }
  };

  return {
    async listen(channel: string, onNotify: (payload: string) => void): Promise<Listening> {
      const ofChannel = callbacks.get(channel) ?? new Set();
      callbacks.set(channel, ofChannel.add(onNotify));
      if (current === undefined) await open();
      // A session that has just broken is renewed with all channels.
      else await current.query(`LISTEN ${escapeIdentifier(channel)}`).catch(ignore);
      return {
        async close() {
          // The session goes on listening, to nobody: cheaper than deciding who was the last.
          ofChannel.delete(onNotify);
        },
      };
    },
    async close(): Promise<void> {
      closed.abort();
      await current?.end();
    },
  };
}

/** Whoever calls again gets the first call's promise. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

function ignore(): void {}

const asText = (value: string) => value;

/** Throws for what a number cannot hold exactly: such a column is selected as text. */
function parseInt8(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`int8 ${value} does not fit a number; select it as text`);
  return number;
}

const { builtins, getTypeParser } = types;

// node-postgres names the element types only.
const TEXT_ARRAY: number = 1009;
const INT8_ARRAY = 1016;
const TIMESTAMP_ARRAY = 1115;
const DATE_ARRAY = 1182;
const TIMESTAMPTZ_ARRAY = 1185;

const parseTextArray: (value: string) => (string | null)[] = getTypeParser(TEXT_ARRAY);

const PARSERS = new Map<number, (value: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, asText],
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.TIMESTAMPTZ, asText],
  [
    INT8_ARRAY,
    (value) => parseTextArray(value).map((element) => (element === null ? null : parseInt8(element))),
  ],
  [DATE_ARRAY, parseTextArray],
  [TIMESTAMP_ARRAY, parseTextArray],
  [TIMESTAMPTZ_ARRAY, parseTextArray],
]);

/** Per connection and not `types.setTypeParser`, which would change every user of node-postgres in the process. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ?? getTypeParser(oid, format),
};
