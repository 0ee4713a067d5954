/**
 * Keeps what the check-up judges. When a request ends, only its facts are queued; a moment later they are described and
 * written together, so that all nodes and restarts share one record. It keeps a limited burst
 * and rate of requests and only counts the others. A337.
 */
import type { IncomingMessage } from 'node:http';
import { OPERATION_LIST, type OperationName } from '@keyport/contract/operations';
import type { CreateOrderBody } from '@keyport/contract/orders/orders';
import type { OnRequestEnd } from '@keyport/http/server/request-record';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import { describeRequest, type Fingerprint, hashToken, type RawRequest } from './describe-request.ts';
import { type ClientSeen, insertSeen, listSeen, pruneSeen } from './records.sql.ts';
import type { Seen } from './seen.ts';

/** How long it takes at most until other nodes know what was seen here. */
export const WRITE_INTERVAL_MS = 250;

const KEPT_OF_BURST = 1_000;
const KEPT_PER_SECOND = 100;
const KEPT_PER_CLIENT = 5_000;
const UNWRITTEN_MAX = 20_000;
const CLIENTS_MAX = 1_000;
const TOKENS_MAX = 10_000;
const PRUNED_AFTER = 500;
const CLOCK_STEP_MS = 50;

/** How much of a client is kept. */
type Share = {
  second: number;
  /** How many more requests are kept in this second. */
  room: number;
  gap: { startedAtMs: number; endedAtMs: number; count: number } | undefined;
  sincePrune: number;
};

const TOKEN_ROUTE = 'POST /oauth/token';

const NAMES: ReadonlyMap<string, OperationName | 'token'> = new Map<string, OperationName | 'token'>([
  [TOKEN_ROUTE, 'token'],
  ...OPERATION_LIST.filter(({ audience }) => audience === 'reseller').map(
    ({ method, path, name }) => [`${method} ${path}`, name] as const,
  ),
]);

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder({
  database,
  onFailure,
  fingerprint,
}: {
  readonly database: Database;
  readonly onFailure: (error: unknown) => void;
  readonly fingerprint: Fingerprint;
}) {
  const shares = new BoundedMap<string, Share>(CLIENTS_MAX);
  /** Clients by token, of tokens that were accepted here once: a 401 does not name its client. */
  const owners = new BoundedMap<string, string>(TOKENS_MAX);
  const orders = new WeakMap<IncomingMessage, CreateOrderBody>();
  /** From the monotonic clock, which measures durations exactly, to that of the day. */
  let clockOffsetMs = Date.now() - performance.now();
  let queue: RawRequest[] = [];
  let described: ClientSeen[] = [];

  function shareOf(clientId: string): Share {
    const known = shares.get(clientId);
    if (known !== undefined) return known;
    const share: Share = { second: 0, room: KEPT_OF_BURST, gap: undefined, sincePrune: 0 };
    shares.set(clientId, share);
    return share;
  }

  /** Whether one more request is kept; otherwise it is counted. */
  function take(clientId: string, endedAtMs: number, durationMs: number): boolean {
    const share = shareOf(clientId);
    const second = Math.floor(endedAtMs / 1000);
    if (share.second !== second) {
      // The clock may have been set back.
      const seconds = Math.max(1, second - share.second);
      share.room = Math.min(KEPT_OF_BURST, share.room + seconds * KEPT_PER_SECOND);
      share.second = second;
    }
    if (share.room >= 1 && queue.length < UNWRITTEN_MAX) {
      share.room -= 1;
      return true;
    }
    const startedAtMs = share.gap?.startedAtMs ?? endedAtMs - durationMs;
    share.gap = { startedAtMs, endedAtMs, count: (share.gap?.count ?? 0) + 1 };
    return false;
  }

  const onRequestEnd: OnRequestEnd = (record, message) => {
    if (message === undefined) return;
    // A527.
    const method = record.method === 'HEAD' ? 'GET' : record.method;
    const operation = NAMES.get(`${method} ${record.route}`);
    // An unknown client is that of a token which was known once, if at all.
    if (operation === undefined || (record.clientId === undefined && record.status !== 401)) return;
    const endedAtMs = clockOffsetMs + performance.now();
    if (record.clientId !== undefined && !take(record.clientId, endedAtMs, record.durationMs)) return;
    if (queue.length >= UNWRITTEN_MAX) return;
    const { headers, url = '', socket } = message;
    queue.push({ record, operation, endedAtMs, headers, url, socket, body: orders.get(message) });
  };

  function describeQueue(): void {
    const requests = queue;
    queue = [];
    for (const raw of requests) {
      const clientId = ownerOf(raw);
      if (clientId === undefined) continue;
      closeGap(clientId);
      described.push({ clientId, seen: describeRequest(raw, fingerprint) });
      shareOf(clientId).sincePrune += 1;
    }
  }

  function ownerOf({ record: { clientId }, operation, headers }: RawRequest): string | undefined {
    const token = operation === 'token' ? undefined : hashToken(headers);
    if (token === undefined) return clientId;
    if (clientId === undefined) return owners.get(token);
    owners.set(token, clientId);
    return clientId;
  }

  function closeGap(clientId: string): void {
    const share = shareOf(clientId);
    if (share.gap === undefined) return;
    const { count, ...times } = share.gap;
    share.gap = undefined;
    described.push({
      clientId,
      seen: { ...times, operation: 'gap', request: `${count} requests`, status: null },
    });
  }

  async function write(): Promise<void> {
    describeQueue();
    const offsetMs = Date.now() - performance.now();
    if (Math.abs(offsetMs - clockOffsetMs) > CLOCK_STEP_MS) clockOffsetMs = offsetMs;
    for (const [clientId, { second }] of shares.entries())
      if (second < Math.floor(Date.now() / 1000)) closeGap(clientId);
    if (described.length === 0) return;
    const rows = described;
    described = [];
    const full = Array.from(shares.entries()).filter(([, { sincePrune }]) => sincePrune >= PRUNED_AFTER);
    await runTransaction(database, {}, async (tx) => {
      await insertSeen(tx, rows);
      const clientIds = full.map(([clientId]) => clientId);
      if (clientIds.length > 0) await pruneSeen(tx, clientIds, KEPT_PER_CLIENT);
    });
    for (const [, share] of full) share.sincePrune = 0;
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
      orders.set(request, body);
    },
    /** What all nodes have seen, as far as it has been written. */
    async list(clientId: string, sinceMs: number): Promise<Seen[]> {
      // A round in progress may have begun before the last request ended.
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

/** Forgets the oldest entry when it is full. */
class BoundedMap<Key, Value> {
  readonly #map = new Map<Key, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  set(key: Key, value: Value): void {
    const [oldest] = !this.#map.has(key) && this.#map.size >= this.#max ? this.#map.keys() : [];
    if (oldest !== undefined) this.#map.delete(oldest);
    this.#map.set(key, value);
  }

  entries(): Iterable<[Key, Value]> {
    return this.#map.entries();
  }
}
