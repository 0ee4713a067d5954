/**
 * Rejects early and cheaply. Known operators are rejected only for heavy requests. A185, A241.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorSpec } from '@keyport/contract/errors';
import type { Logger } from 'pino';
import { ApiError } from '../replies/api-error.ts';
import { commonHeaders } from '../replies/common-headers.ts';
import { buildErrorBody, JSON_TYPE } from '../replies/errors.ts';
import { endResponse } from '../server/early-response.ts';
import type { Exchange, Route } from '../server/exchange.ts';
import type { LinesFor } from '../server/header-lines.ts';
import type { Principal } from '../server/principal.ts';
import { toPath } from '../server/router.ts';
import { newTraceId } from '../server/trace-id.ts';
import { LoopWatch } from './loop-watch.ts';
import { Pipelining } from './pipelining.ts';
import { Turns } from './turns.ts';

const OVERLOAD_LIMITS = {
  /** This many requests take about 3 ms. */
  turnRequestsMax: 64,
  turnWaitMsMax: 3_000,
  /** This many are never rejected, enough for all load balancers. */
  turnHealthChecksMax: 32,
  /** Each takes about 20 KB of memory. */
  connectionsMax: 10_000,
  /** Counted separately with and without a token. */
  databaseWaitingMax: 200,
  stuckMs: 2_000,
  stuckRestMs: 1_000,
};
export type OverloadLimits = typeof OVERLOAD_LIMITS;

type Reason = string;

type OverloadOptions = {
  readonly publicUrl: () => string;
  readonly logger: Logger;
  readonly linesFor: LinesFor;
  readonly limits?: Partial<OverloadLimits>;
};

type Queue = {
  readonly name: string;
  readonly path: string;
  readonly hasRoomFor: (accountId: string) => boolean;
};

type Load = {
  readonly queue: Queue;
  readonly knownCaller: (request: IncomingMessage) => Principal | undefined;
  /** True even for a session that has ended. */
  readonly hasSession: (request: IncomingMessage) => boolean;
  readonly databaseWaiting: () => number;
  readonly anonymousWaiting: () => number;
};

const HEALTH = /^\/health\//;
const AUTHENTICATED = /^\/(?:export|admin)\//;
const TOKEN_PATH = '/oauth/token';

const LOG_INTERVAL_MS = 1_000;
const RETRY_AFTER_SECONDS = 1;

const MESSAGES: Readonly<Record<Reason, string>> = {
  late: 'Too many requests are waiting.',
  connections: 'Too many connections are open.',
  database: 'Too many requests are waiting for the database.',
};

function toMessage(reason: Reason): string {
  const message = MESSAGES[reason] ?? `Too many ${reason} are waiting.`;
  return (
    `${message} The request was not carried out: retry it after the seconds in Retry-After, ` +
    'with the same Idempotency-Key if it has one.'
  );
}

/** One instance per queue, because thousands may be thrown in a second. */
export class QueueFull extends ApiError {
  readonly queue: string;

  constructor(queue: string) {
    super('service-unavailable', { message: toMessage(queue) });
    this.queue = queue;
  }
}

export class Overload {
  readonly #options: OverloadOptions;
  readonly #limits: OverloadLimits;
  readonly #loopWatch: LoopWatch;
  readonly #counts: Record<Reason, number> = { late: 0, connections: 0, database: 0 };
  readonly #bodies = new Map<Reason, string>();
  #lines: readonly string[] | undefined;
  #reported: Readonly<Record<Reason, number>> = {};
  readonly #surplus = new WeakSet<object>();
  #connections = 0;
  #load: Load | undefined;
  readonly #pipelining = new Pipelining();
  readonly #turns: Turns;
  #healthChecks = { turn: 0, count: 0 };
  #isStopped = false;
  #reportTimer: NodeJS.Timeout | undefined;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#limits = { ...OVERLOAD_LIMITS, ...options.limits };
    this.#turns = new Turns(this.#limits.turnRequestsMax);
    this.#loopWatch = new LoopWatch(this.#limits);
  }

  watch(load: Load): void {
    this.#load = load;
    this.#counts[load.queue.name] ??= 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#loopWatch.stop();
    clearTimeout(this.#reportTimer);
  }

  get isResponsive(): boolean {
    return this.#loopWatch.isResponsive;
  }

  get counts(): Readonly<Record<Reason, number>> {
    return this.#counts;
  }

  /** Beyond twice the limit, closes connections without a response, which is cheapest. */
  limitConnections(server: Server): void {
    // Service startup blocks the event loop.
    server.on('listening', () => this.#loopWatch.start());
    server.maxConnections = this.#limits.connectionsMax * 2;
    server.prependListener('connection', (socket: Socket) => {
      this.#connections += 1;
      if (this.#connections > this.#limits.connectionsMax) this.#surplus.add(socket);
      socket.once('close', () => {
        this.#connections -= 1;
      });
    });
  }

  admit(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#pipelining.inTurn(request, response, () => this.#inTurn(request, response, begin));
  }

  #inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#turns.take(
      (waitedMs) => {
        // After a response that closes the connection, nothing that follows is carried out.
        if (!request.socket.writable) return;
        const reason = this.#isStopped ? undefined : this.#reasonToReject(request, waitedMs);
        if (reason === undefined) begin();
        else this.#reject(reason, request, response);
      },
      () => this.#comesFirst(request),
    );
  }

  #reasonToReject(request: IncomingMessage, waitedMs: number): Reason | undefined {
    if (waitedMs > this.#limits.turnWaitMsMax) return 'late';
    const isSurplus = this.#connections > this.#limits.connectionsMax && this.#surplus.has(request.socket);
    return isSurplus && !this.#comesFirst(request) ? 'connections' : undefined;
  }

  rejectBusy(request: IncomingMessage, response: ServerResponse, route: Route): boolean {
    const reason = this.#busyReason(request, route);
    if (reason === undefined) return false;
    this.#reject(reason, request, response);
    return true;
  }

  rejectQueued(exchange: Exchange, { code, queue }: QueueFull): void {
    exchange.errorCode = code;
    this.#reject(queue, exchange.request, exchange.response);
  }

  #comesFirst(request: IncomingMessage): boolean {
    return this.#isFromOperator(request) || this.#isAwaitedHealthCheck(request);
  }

  #isFromOperator(request: IncomingMessage): boolean {
    if (this.#load === undefined) return false;
    return this.#load.knownCaller(request)?.role === 'operator' || this.#load.hasSession(request);
  }

  #isAwaitedHealthCheck({ url = '' }: IncomingMessage): boolean {
    if (!HEALTH.test(url)) return false;
    const turn = this.#turns.number;
    if (turn !== this.#healthChecks.turn) this.#healthChecks = { turn, count: 0 };
    this.#healthChecks.count += 1;
    return this.#healthChecks.count <= this.#limits.turnHealthChecksMax;
  }

  #busyReason(request: IncomingMessage, { isFromMemory, isHeavy }: Route): Reason | undefined {
    if (this.#load === undefined || this.#isStopped) return undefined;
    const { queue, knownCaller, hasSession } = this.#load;
    if (request.method === 'POST' && request.url === queue.path) {
      const caller = knownCaller(request);
      // The queue has its own database connections (A242).
      return caller?.role === 'reseller' && !queue.hasRoomFor(caller.accountId) ? queue.name : undefined;
    }
    if (!this.#isDatabaseBusy(request)) return undefined;
    if (isHeavy) return 'database';
    const caller = knownCaller(request);
    return caller?.role === 'operator' || hasSession(request) || (caller !== undefined && isFromMemory)
      ? undefined
      : 'database';
  }

  #isDatabaseBusy({ url = '' }: IncomingMessage): boolean {
    const { databaseWaitingMax } = this.#limits;
    const isBusy = (this.#load?.databaseWaiting() ?? 0) > databaseWaitingMax;
    const isBusyForAnonymous = (this.#load?.anonymousWaiting() ?? 0) > databaseWaitingMax;
    if (!isBusy && !isBusyForAnonymous) return false;
    const path = toPath(url);
    if (HEALTH.test(path)) return false;
    return AUTHENTICATED.test(path) ? isBusy : isBusyForAnonymous;
  }

  #reject(reason: Reason, request: IncomingMessage, response: ServerResponse): void {
    this.#counts[reason] = (this.#counts[reason] ?? 0) + 1;
    this.#reportTimer ??= setTimeout(() => this.#logCounts(), LOG_INTERVAL_MS).unref();
    const traceId = newTraceId();
    const body = request.url?.startsWith(TOKEN_PATH)
      ? TOKEN_BODY
      : `{"traceId":"${traceId}",${this.#bodyAfterTraceId(reason)}`;
    const sizeBytes = String(Buffer.byteLength(body));
    const closing = reason === 'connections' ? CLOSE : [];
    const own = ['x-trace-id', traceId, 'content-length', sizeBytes];
    const ofUrl = this.#options.linesFor(request.url);
    response.writeHead(STATUS, [...this.#commonLines(), ...ofUrl, ...closing, ...own]);
    endResponse(request, response, body);
  }

  #commonLines(): readonly string[] {
    this.#lines ??= Object.entries({
      ...commonHeaders(this.#options.publicUrl()),
      'content-type': JSON_TYPE,
      'retry-after': String(RETRY_AFTER_SECONDS),
    }).flat();
    return this.#lines;
  }

  #bodyAfterTraceId(reason: Reason): string {
    const known = this.#bodies.get(reason);
    if (known !== undefined) return known;
    const error = new ApiError('service-unavailable', { message: toMessage(reason) });
    const text = JSON.stringify(buildErrorBody(error, this.#options.publicUrl())).slice(1);
    this.#bodies.set(reason, text);
    return text;
  }

  /** A line per rejection would cost as much as the rejection. */
  #logCounts(): void {
    this.#reportTimer = undefined;
    const reported = this.#reported;
    this.#reported = { ...this.#counts };
    const rejected = Object.fromEntries(
      Object.entries(this.#counts).map(([reason, count]) => [reason, count - (reported[reason] ?? 0)]),
    );
    this.#options.logger.warn({ refused: rejected }, 'overloaded; rejected requests with 503');
  }
}

const { status: STATUS } = errorSpec('service-unavailable');
const CLOSE = ['connection', 'close'];

/** RFC 6749 defines this code only for the authorization endpoint. A22. */
const TOKEN_BODY = JSON.stringify({
  error: 'temporarily_unavailable',
  error_description: 'The service is overloaded; retry after the seconds in Retry-After.',
});
