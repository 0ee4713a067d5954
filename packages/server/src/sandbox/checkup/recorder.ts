/** Above these bursts and rates requests are only counted, which bounds the cost of a load test. A337. */
import type { IncomingMessage } from 'node:http';
import { OPERATION_LIST, type OperationName } from '@keyport/contract/operations';
import type { CreateOrderBody } from '@keyport/contract/orders/orders';
import type { OnRequestEnd } from '@keyport/http/server/request-record';
import { runTransaction } from '../../db/transaction.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import type { SandboxDeps } from '../deps.ts';
import type { ClientRequest } from './client-request.ts';
import { describeRequest, hashToken, type RawRequest } from './describe-request.ts';
import { insertRequests, listRequests, pruneRequests, type StoredRequest } from './records.sql.ts';

/** Other nodes see a request after this delay at most. */
export const WRITE_INTERVAL_MS = 250;
const OF_CLIENT = { burst: 1_000, perSecond: 100 };
const OF_NODE = { burst: 5_000, perSecond: 250 };
const KEPT_PER_CLIENT = 5_000;
const UNWRITTEN_MAX = 20_000;
const CLIENTS_MAX = 1_000;
const TOKENS_MAX = 10_000;
const PRUNED_AFTER = 500;
const CLOCK_STEP_MS = 50;

type Room = { second: number; left: number };

type Share = {
  readonly room: Room;
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

type RecorderOptions = Pick<SandboxDeps, 'database' | 'onFailure' | 'fingerprint'>;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #shares = new Map<string, Share>();
  readonly #room: Room = { second: 0, left: OF_NODE.burst };
  /** By token, because a 401 does not name its client. */
  readonly #owners = new Map<string, string>();
  readonly #orders = new WeakMap<IncomingMessage, CreateOrderBody>();
  readonly #writing: RepeatedTask;
  /** Time of day minus the monotonic clock. */
  #clockOffsetMs = Date.now() - performance.now();
  #queue: RawRequest[] = [];
  #described: StoredRequest[] = [];

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#writing = new RepeatedTask({
      intervalMs: WRITE_INTERVAL_MS,
      work: () => this.#write(),
      onFailure: options.onFailure,
      nowMs: () => performance.now(),
    });
  }

  start(): void {
    this.#writing.start('later');
  }

  close(): Promise<void> {
    return this.#writing.closeAfterWork();
  }

  onOrder(request: IncomingMessage, body: CreateOrderBody): void {
    this.#orders.set(request, body);
  }

  readonly onRequestEnd: OnRequestEnd = (record, message) => {
    if (message === undefined) return;
    const { clientId, durationMs } = record;
    // A527.
    const method = record.method === 'HEAD' ? 'GET' : record.method;
    const operation = NAMES.get(`${method} ${record.route}`);
    if (operation === undefined || (clientId === undefined && record.status !== 401)) return;
    const endedAtMs = this.#clockOffsetMs + performance.now();
    const share = clientId === undefined ? undefined : this.#shareOf(clientId);
    const isKept =
      this.#queue.length < UNWRITTEN_MAX &&
      hasRoom(this.#room, endedAtMs, OF_NODE) &&
      (share === undefined || hasRoom(share.room, endedAtMs, OF_CLIENT));
    if (!isKept) {
      if (share !== undefined) countInGap(share, { endedAtMs, durationMs });
      return;
    }
    this.#room.left -= 1;
    if (share !== undefined) share.room.left -= 1;
    const { headers, url = '', socket } = message;
    this.#queue.push({ record, operation, endedAtMs, headers, url, socket, body: this.#orders.get(message) });
  };

  async list(clientId: string, sinceMs: number): Promise<ClientRequest[]> {
    await this.#writing.runFresh();
    return listRequests(this.#options.database.db, clientId, sinceMs);
  }

  async #write(): Promise<void> {
    this.#describeQueue();
    const offsetMs = Date.now() - performance.now();
    if (Math.abs(offsetMs - this.#clockOffsetMs) > CLOCK_STEP_MS) this.#clockOffsetMs = offsetMs;
    const second = Math.floor(Date.now() / 1000);
    for (const [clientId, share] of this.#shares)
      if (share.room.second < second) this.#closeGap(clientId, share);
    if (this.#described.length === 0) return;
    const rows = this.#described;
    this.#described = [];
    const full = [...this.#shares].filter(([, { sincePrune }]) => sincePrune >= PRUNED_AFTER);
    const clientIds = full.map(([clientId]) => clientId);
    await runTransaction(this.#options.database, {}, async (tx) => {
      await insertRequests(tx, rows);
      if (clientIds.length > 0) await pruneRequests(tx, clientIds, KEPT_PER_CLIENT);
    });
    for (const [, share] of full) share.sincePrune = 0;
  }

  #describeQueue(): void {
    const requests = this.#queue;
    this.#queue = [];
    for (const raw of requests) {
      const clientId = this.#ownerOf(raw);
      if (clientId === undefined) continue;
      const share = this.#shareOf(clientId);
      this.#closeGap(clientId, share);
      this.#described.push({ clientId, seen: describeRequest(raw, this.#options.fingerprint) });
      share.sincePrune += 1;
    }
  }

  #ownerOf({ record: { clientId }, operation, headers }: RawRequest): string | undefined {
    const token = operation === 'token' ? undefined : hashToken(headers);
    if (token === undefined) return clientId;
    if (clientId === undefined) return this.#owners.get(token);
    setBounded(this.#owners, token, clientId, TOKENS_MAX);
    return clientId;
  }

  #shareOf(clientId: string): Share {
    const known = this.#shares.get(clientId);
    if (known !== undefined) return known;
    const room = { second: 0, left: OF_CLIENT.burst };
    const share: Share = { room, gap: undefined, sincePrune: 0 };
    setBounded(this.#shares, clientId, share, CLIENTS_MAX);
    return share;
  }

  #closeGap(clientId: string, share: Share): void {
    if (share.gap === undefined) return;
    const { count, ...times } = share.gap;
    share.gap = undefined;
    const seen = { ...times, operation: 'gap', request: `${count} requests`, status: null } as const;
    this.#described.push({ clientId, seen });
  }
}

function hasRoom(room: Room, nowMs: number, { burst, perSecond }: typeof OF_CLIENT): boolean {
  const second = Math.floor(nowMs / 1000);
  if (room.second !== second) {
    // The clock may have been set back.
    const seconds = Math.max(1, second - room.second);
    room.left = Math.min(burst, room.left + seconds * perSecond);
    room.second = second;
  }
  return room.left >= 1;
}

function countInGap(
  share: Share,
  { endedAtMs, durationMs }: { endedAtMs: number; durationMs: number },
): void {
  const startedAtMs = share.gap?.startedAtMs ?? endedAtMs - durationMs;
  share.gap = { startedAtMs, endedAtMs, count: (share.gap?.count ?? 0) + 1 };
}

function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  const [oldest] = !map.has(key) && map.size >= max ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
