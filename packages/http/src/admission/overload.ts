/**
 * Rejects what cannot be served soon, as early and as cheaply as possible: before the token and the body
 * are looked at. A rejected request costs a fraction of one that is served, so the service keeps its throughput and
 * latency however many come. What was rejected was not carried out: an order may be retried under the same
 * Idempotency-Key. Operators whose token or session is known are rejected only for what is heavy. A185, A186, A241, A504.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorSpec } from '@keyport/contract/errors';
import type { Logger } from 'pino';
import { ApiError } from '../replies/api-error.ts';
import { commonHeaders } from '../replies/common-headers.ts';
import { buildErrorBody } from '../replies/error-body.ts';
import { JSON_TYPE } from '../replies/errors.ts';
import type { Exchange, Route } from '../server/exchange.ts';
import type { Principal } from '../server/principal.ts';
import { pathOf } from '../server/router.ts';
import { newTraceId } from '../server/trace-id.ts';
import { LoopWatch } from './loop-watch.ts';
import { Turns } from './turns.ts';

const OVERLOAD_LIMITS = {
  /** Requests that a turn of the event loop begins: about 3 ms. Expensive ones have their own limits below. */
  turnRequestsMax: 64,
  /** How long a request may wait for its turn: only a loop that other work holds up lets it wait so long. */
  turnWaitMsMax: 3_000,
  /** Health checks of a turn that are answered whatever else waits or is rejected: enough for every balancer in front. */
  turnHealthChecksMax: 32,
  /** About 20 KB each. */
  connectionsMax: 10_000,
  /** Callers that wait for a connection to the database; those with a token and those without count apart. */
  databaseWaitingMax: 200,
  /** A loop that stood still for so long was stuck: health/ready tells balancers to send requests elsewhere. */
  stuckMs: 2_000,
  /** For how long readiness says so afterwards. */
  stuckRestMs: 1_000,
};
export type OverloadLimits = typeof OVERLOAD_LIMITS;

/** Why requests are rejected, as the log and the metrics name it. */
type RejectionReason = 'late' | 'connections' | 'orders' | 'database';

type OverloadOptions = {
  readonly publicUrl: () => string;
  readonly logger: Logger;
  readonly limits?: Partial<OverloadLimits>;
};

/** The load of the features, read for every request that may add to it, so it must cost nothing. */
type Load = {
  /** The path of the one operation that queues orders. */
  readonly orderPath: string;
  /** The caller, if the token is known and valid; undefined for all others. */
  readonly knownCaller: (request: IncomingMessage) => Principal | undefined;
  /** Whether the request has the cookie of a person's session, or of one that has ended. */
  readonly hasSession: (request: IncomingMessage) => boolean;
  readonly hasRoomForOrder: (accountId: string) => boolean;
  /** Callers waiting for a connection to the database: with a token, and without. */
  readonly databaseWaiting: () => number;
  readonly anonymousWaiting: () => number;
};

const HEALTH = /^\/health\//;
/** What needs a token. All else that reads the database is anonymous. */
const AUTHENTICATED = /^\/(?:export|admin)\//;
const TOKEN_PATH = '/oauth/token';

const LOG_INTERVAL_MS = 1_000;
const RETRY_AFTER_SECONDS = 1;

const ADVICE =
  'Send the same request again after Retry-After seconds, an order with the same Idempotency-Key: it was not carried out.';
const MESSAGES: Readonly<Record<RejectionReason, string>> = {
  late: `Too many requests are waiting. ${ADVICE}`,
  connections: `Too many connections are open. ${ADVICE}`,
  orders: `Too many orders are waiting. ${ADVICE}`,
  database: `Too many requests are waiting for the database. ${ADVICE}`,
};

/** Of an order that gives up its place. One for all: thousands may do so in a second, and it is no fault of the service. */
export const TOO_MANY_ORDERS = new ApiError('service-unavailable', { message: MESSAGES.orders });

export class Overload {
  readonly #options: OverloadOptions;
  readonly #limits: OverloadLimits;
  readonly #loopWatch: LoopWatch;
  readonly #counts: Record<RejectionReason, number> = { late: 0, connections: 0, orders: 0, database: 0 };
  /** The body of the answer behind its trace id, by reason; made when the public URL is known. */
  readonly #bodies = new Map<RejectionReason, string>();
  #lines: readonly string[] | undefined;
  #reported: Readonly<Record<RejectionReason, number>> = { ...this.#counts };
  /** Beyond the number of connections that there may be; answered once, and closed. */
  readonly #surplus = new WeakSet<object>();
  #connections = 0;
  #load: Load | undefined;
  readonly #turns: Turns;
  /** Of the turn with this number. */
  #healthChecks = { turn: 0, count: 0 };
  #isStopped = false;
  #reportTimer: NodeJS.Timeout | undefined;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#limits = { ...OVERLOAD_LIMITS, ...options.limits };
    this.#turns = new Turns(this.#limits.turnRequestsMax);
    this.#loopWatch = new LoopWatch(this.#limits);
  }

  /** Before this, only the event loop is watched. */
  watch(load: Load): void {
    this.#load = load;
  }

  /** From then on nothing is rejected: responses say that the connection ends. */
  stop(): void {
    this.#isStopped = true;
    this.#loopWatch.stop();
    clearTimeout(this.#reportTimer);
  }

  /** False while the event loop stands still or did so a moment ago. */
  get isResponsive(): boolean {
    return this.#loopWatch.isResponsive;
  }

  /** Requests rejected since the start. */
  get counts(): Readonly<Record<RejectionReason, number>> {
    return this.#counts;
  }

  /** Counts the connections of the server from now on. Far too many are closed without a response, which costs the least. */
  limitConnections(server: Server): void {
    // The start of the service, before it listens, is busy by nature.
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

  /**
   * Begins the request now or in one of the next turns of the loop, unless it is rejected because it waited too long or its
   * connection is one too many.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#turns.take(
      (waitedMs) => {
        if (request.socket.destroyed) return;
        const reason = this.#isStopped ? undefined : this.#reasonToReject(request, waitedMs);
        if (reason === undefined) begin();
        else this.#reject(reason, request, response);
      },
      () => this.#comesFirst(request),
    );
  }

  #reasonToReject(request: IncomingMessage, waitedMs: number): RejectionReason | undefined {
    if (waitedMs > this.#limits.turnWaitMsMax) return 'late';
    const isSurplus = this.#connections > this.#limits.connectionsMax && this.#surplus.has(request.socket);
    return isSurplus && !this.#comesFirst(request) ? 'connections' : undefined;
  }

  /** True when what the request needs is busy for too long, and it has been answered. */
  rejectBusy(request: IncomingMessage, response: ServerResponse, route: Route): boolean {
    const reason = this.#busyReason(request, route);
    if (reason === undefined) return false;
    this.#reject(reason, request, response);
    return true;
  }

  /** Answers an order that was accepted and has given up its place. */
  rejectOrder(exchange: Exchange): void {
    exchange.errorCode = TOO_MANY_ORDERS.code;
    exchange.retryAfterMs = RETRY_AFTER_SECONDS * 1000;
    this.#reject('orders', exchange.request, exchange.response);
  }

  #comesFirst(request: IncomingMessage): boolean {
    return this.#isFromOperator(request) || this.#isAwaitedHealthCheck(request);
  }

  #isFromOperator(request: IncomingMessage): boolean {
    if (this.#load === undefined) return false;
    return this.#load.knownCaller(request)?.role === 'operator' || this.#load.hasSession(request);
  }

  /** Balancers must get an answer; what exceeds the rate of all of them together is shed like other requests. */
  #isAwaitedHealthCheck({ url = '' }: IncomingMessage): boolean {
    if (!HEALTH.test(url)) return false;
    const turn = this.#turns.number;
    if (turn !== this.#healthChecks.turn) this.#healthChecks = { turn, count: 0 };
    this.#healthChecks.count += 1;
    return this.#healthChecks.count <= this.#limits.turnHealthChecksMax;
  }

  #busyReason(request: IncomingMessage, { isFromMemory, isHeavy }: Route): RejectionReason | undefined {
    if (this.#load === undefined || this.#isStopped) return undefined;
    const { orderPath, knownCaller, hasSession, hasRoomForOrder } = this.#load;
    if (request.method === 'POST' && request.url === orderPath) {
      const caller = knownCaller(request);
      // Placing has connections of its own, so no other lane's waiting matters here (A242).
      return caller?.role === 'reseller' && !hasRoomForOrder(caller.accountId) ? 'orders' : undefined;
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
    const path = pathOf(url);
    // Health checks do not read the database.
    if (HEALTH.test(path)) return false;
    return AUTHENTICATED.test(path) ? isBusy : isBusyForAnonymous;
  }

  #reject(reason: RejectionReason, request: IncomingMessage, response: ServerResponse): void {
    this.#counts[reason] += 1;
    this.#reportTimer ??= setTimeout(() => this.#logCounts(), LOG_INTERVAL_MS).unref();
    const traceId = newTraceId();
    const body = isTokenRequest(request)
      ? TOKEN_BODY
      : `{"traceId":"${traceId}",${this.#bodyAfterTraceId(reason)}`;
    const sizeBytes = String(Buffer.byteLength(body));
    const closing = reason === 'connections' ? CLOSE : [];
    response.writeHead(STATUS, [
      ...this.#commonLines(),
      ...closing,
      'x-trace-id',
      traceId,
      'content-length',
      sizeBytes,
    ]);
    response.end(body);
  }

  #commonLines(): readonly string[] {
    this.#lines ??= Object.entries({
      ...commonHeaders(this.#options.publicUrl()),
      'content-type': JSON_TYPE,
      'retry-after': String(RETRY_AFTER_SECONDS),
    }).flat();
    return this.#lines;
  }

  #bodyAfterTraceId(reason: RejectionReason): string {
    const known = this.#bodies.get(reason);
    if (known !== undefined) return known;
    const error = new ApiError('service-unavailable', { message: MESSAGES[reason] });
    const text = JSON.stringify(buildErrorBody(error, this.#options.publicUrl())).slice(1);
    this.#bodies.set(reason, text);
    return text;
  }

  /** One line a second: a line each would cost as much as the rejection. */
  #logCounts(): void {
    this.#reportTimer = undefined;
    const reported = this.#reported;
    this.#reported = { ...this.#counts };
    const refused = Object.fromEntries(
      Object.entries(this.#counts).map(([reason, count]) => [
        reason,
        count - reported[reason as RejectionReason],
      ]),
    );
    this.#options.logger.warn({ refused }, 'requests were refused with 503, because there are too many');
  }
}

const { status: STATUS } = errorSpec('service-unavailable');
const CLOSE = ['connection', 'close'];

/** RFC 6749 has no code for it; the one of the authorization endpoint says it best, and A22 wants its form. */
const TOKEN_BODY = JSON.stringify({
  error: 'temporarily_unavailable',
  error_description: 'The service has too much to do; try again after Retry-After seconds.',
});

function isTokenRequest({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(TOKEN_PATH);
}
