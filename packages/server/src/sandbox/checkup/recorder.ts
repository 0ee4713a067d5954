/**
 * Keeps what the check-up judges. In memory first and in the database a moment later, so that no request waits for it: all
 * nodes and restarts then share one record. Of a burst so many requests are kept, and then so many a second; the rest is only counted. A337.
 */
import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '@keyport/contract/errors';
import { OPERATION_LIST, type OperationName } from '@keyport/contract/operations';
import type { CreateOrderBody } from '@keyport/contract/orders';
import { isOrderId, parseIdempotencyKey } from '@keyport/core/ids';
import type { Database } from '../../db/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import { HUNG_UP, type OnRequestEnd, type RequestRecord } from '../../http/request-record.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import { parseScenario } from '../scenario.ts';
import { type ClientSeen, insertSeen, listSeen, pruneSeen } from './records.sql.ts';
import { type Seen, shortHash } from './seen.ts';

/** How long it takes at most until other nodes know what was seen here. */
export const WRITE_INTERVAL_MS = 250;

const KEPT_OF_BURST = 1_000;
const KEPT_PER_SECOND = 100;
const KEPT_PER_CLIENT = 5_000;
const UNWRITTEN_MAX = 20_000;
const CLIENTS_MAX = 1_000;
const TOKENS_MAX = 10_000;
const REQUEST_LENGTH_MAX = 500;
const PRUNED_AFTER = 500;

/** Errors of requests whose address may name nothing. */
const UNPROVEN_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'validation-error',
  'not-found',
  'unauthorized',
  'forbidden',
  'uri-too-long',
  'headers-too-large',
  'payload-too-large',
  'request-timeout',
  'too-many-requests',
  'internal-server-error',
  'service-unavailable',
]);

type Client = {
  second: number;
  /** How many more requests are kept in this second. */
  room: number;
  gap: { startedAtMs: number; endedAtMs: number; count: number } | undefined;
  sincePrune: number;
};

const NAMES: ReadonlyMap<string, OperationName> = new Map(
  OPERATION_LIST.filter(({ audience }) => audience === 'reseller').map(({ method, path, name }) => [
    `${method} ${path}`,
    name,
  ]),
);

const TOKEN_ROUTE = 'POST /oauth/token';

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder({
  database,
  onFailure,
  fingerprint,
}: {
  readonly database: Database;
  readonly onFailure: (error: unknown) => void;
  /** Equal for equal orders. */
  readonly fingerprint: (body: CreateOrderBody) => string;
}) {
  const clients = new Map<string, Client>();
  const payloads = new WeakMap<IncomingMessage, string>();
  /** Whose a token is that was accepted here once: a 401 says no more about it. */
  const owners = new Map<string, string>();
  let unwritten: ClientSeen[] = [];

  function clientOf(clientId: string): Client {
    const known = clients.get(clientId);
    if (known !== undefined) return known;
    const [oldest] = clients.size >= CLIENTS_MAX ? clients.keys() : [];
    if (oldest !== undefined) clients.delete(oldest);
    const client: Client = { second: 0, room: KEPT_OF_BURST, gap: undefined, sincePrune: 0 };
    clients.set(clientId, client);
    return client;
  }

  /** Counts the request, and says whether it is kept. */
  function hasRoom(client: Client, nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (client.second !== second) {
      // The clock may have been set back.
      const seconds = Math.max(1, second - client.second);
      client.room = Math.min(KEPT_OF_BURST, client.room + seconds * KEPT_PER_SECOND);
      client.second = second;
    }
    if (client.room < 1 || unwritten.length >= UNWRITTEN_MAX) return false;
    client.room -= 1;
    return true;
  }

  function skip(client: Client, endedAtMs: number, durationMs: number): void {
    const startedAtMs = client.gap?.startedAtMs ?? endedAtMs - durationMs;
    client.gap = { startedAtMs, endedAtMs, count: (client.gap?.count ?? 0) + 1 };
  }

  function keep(clientId: string, client: Client, seen: Seen): void {
    closeGap(clientId, client);
    unwritten.push({ clientId, seen });
    client.sincePrune += 1;
  }

  function closeGap(clientId: string, client: Client): void {
    const { gap } = client;
    if (gap === undefined) return;
    client.gap = undefined;
    const { startedAtMs, endedAtMs, count } = gap;
    const request = `${count} requests`;
    const seen: Seen = { operation: 'gap', startedAtMs, endedAtMs, request, status: null };
    unwritten.push({ clientId, seen });
  }

  function ownerOf({ clientId, status }: RequestRecord, token: string | undefined): string | undefined {
    if (token === undefined) return clientId;
    if (clientId === undefined) return status === 401 ? owners.get(token) : undefined;
    const [oldest] = !owners.has(token) && owners.size >= TOKENS_MAX ? owners.keys() : [];
    if (oldest !== undefined) owners.delete(oldest);
    owners.set(token, clientId);
    return clientId;
  }

  const onRequestEnd: OnRequestEnd = (record, message) => {
    if (message === undefined) return;
    const route = `${record.method} ${record.route}`;
    const operation = NAMES.get(route);
    const isToken = route === TOKEN_ROUTE;
    if (operation === undefined && !(isToken && record.status === 200)) return;
    const endedAtMs = Date.now();
    const known = record.clientId === undefined ? undefined : clientOf(record.clientId);
    // Most requests of a client in a hurry end here, before anything is hashed.
    if (known !== undefined && !hasRoom(known, endedAtMs)) return skip(known, endedAtMs, record.durationMs);
    const { authorization } = message.headers;
    const token = isToken || authorization === undefined ? undefined : shortHash(authorization);
    const clientId = ownerOf(record, token);
    if (clientId === undefined) return;
    const payload = payloads.get(message);
    const seen = view(record, message, { operation: operation ?? 'token', endedAtMs, token, payload });
    keep(clientId, known ?? clientOf(clientId), seen);
  };

  async function write(): Promise<void> {
    for (const [clientId, client] of clients)
      if (client.second < Math.floor(Date.now() / 1000)) closeGap(clientId, client);
    if (unwritten.length === 0) return;
    const rows = unwritten;
    unwritten = [];
    const full = [...clients].filter(([, { sincePrune }]) => sincePrune >= PRUNED_AFTER);
    await runTransaction(database, {}, async (tx) => {
      await insertSeen(tx, rows);
      const clientIds = full.map(([clientId]) => clientId);
      if (clientIds.length > 0) await pruneSeen(tx, clientIds, KEPT_PER_CLIENT);
    });
    for (const [, client] of full) client.sincePrune = 0;
  }

  const writing = new RepeatedTask({
    intervalMs: WRITE_INTERVAL_MS,
    work: write,
    onFailure,
    nowMs: () => performance.now(),
  });

  return {
    onRequestEnd,
    onOrder(request: IncomingMessage, body: CreateOrderBody): void {
      payloads.set(request, fingerprint(body));
    },
    /** What all nodes have seen, as far as it has been written. */
    async list(clientId: string, sinceMs: number): Promise<Seen[]> {
      // A round that is under way may have begun before the last request ended.
      await writing.run();
      await writing.run();
      return listSeen(database.kysely, clientId, sinceMs);
    },
    start: () => writing.start('later'),
    async close() {
      await writing.close();
      await write().catch(onFailure);
    },
  };
}

function view(
  record: RequestRecord,
  message: IncomingMessage,
  known: Pick<Seen, 'operation' | 'endedAtMs' | 'token' | 'payload'>,
): Seen {
  const { status, code, traceId, retryAfterMs, durationMs, method } = record;
  const key = parseIdempotencyKey(String(message.headers['idempotency-key'] ?? ''));
  const scenario = scenarioOf(message, known.operation);
  const address = decoded(message.url ?? '');
  const isShown = status < 400 || (scenario === undefined && code !== undefined && !UNPROVEN_CODES.has(code));
  return {
    ...known,
    startedAtMs: Math.round(known.endedAtMs - durationMs),
    request: `${method} ${isShown ? address : withoutValues(address, record.route)}`.slice(
      0,
      REQUEST_LENGTH_MAX,
    ),
    ...(isShown ? {} : { address: shortHash(`${method} ${address}`) }),
    status: status === HUNG_UP ? null : status,
    code,
    traceId,
    scenario,
    key,
    retryAfterMs,
  };
}

/** Undefined without the header, and for one that was rejected, which may hold anything. */
function scenarioOf(message: IncomingMessage, name: Seen['operation']): string | undefined {
  const header = message.headers['keyport-scenario'];
  const operation = OPERATION_LIST.find((one) => one.name === name);
  if (header === undefined || operation === undefined) return undefined;
  try {
    parseScenario(String(header), operation);
    return String(header);
  } catch {
    return undefined;
  }
}

/** The address is not validated yet: it may contain a product key. */
function withoutValues(address: string, route: string): string {
  const [path = ''] = address.split('?');
  const segments = path.split('/');
  // A product id has the form of an order id too.
  const isKnown = route
    .split('/')
    .every((segment, index) => segment === segments[index] || isOrderId(segments[index] ?? ''));
  return isKnown ? path : route;
}

/** Brackets are written in both ways. NUL cannot be stored. */
function decoded(url: string): string {
  return url.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%5b', '[').replaceAll('%5d', ']');
}
