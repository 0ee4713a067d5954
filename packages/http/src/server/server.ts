import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import type { Logger } from 'pino';
import { Overload, type OverloadLimits, QueueFull } from '../admission/overload.ts';
import { requestLog } from '../logging/log.ts';
import type { ApiError } from '../replies/api-error.ts';
import { toPrefix } from '../replies/assets.ts';
import {
  buildErrorResponse,
  type ErrorResponse,
  isWorthAlarm,
  type TransientError,
  toApiError,
} from '../replies/errors.ts';
import type { Reply } from '../replies/reply.ts';
import { checkRequest } from '../validation/request-checks.ts';
import { type Connections, watchConnections } from './connections.ts';
import { Exchange, type OnExchangeEnd, type Route } from './exchange.ts';
import type { LinesFor } from './header-lines.ts';
import { chain, type MaybePromise } from './maybe-promise.ts';
import { ReplyWriter } from './reply-writer.ts';
import type { OnRequestEnd, RequestTracing } from './request-record.ts';
import { Router, toPath } from './router.ts';
import { respondToSocketErrors } from './socket-errors.ts';
import { toTraceId } from './trace-id.ts';

const HTTP_LIMITS = {
  headersSizeBytesMax: 16 * 1024,
  headerLinesMax: 100,
  urlSizeBytesMax: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  checkIntervalMs: 1_000,
  /** Above the 60 s of common load balancers: closing first could cut a new request. */
  keepAliveTimeoutMs: 65_000,
  writeTimeoutMs: 30_000,
  closeTimeoutMs: 10_000,
  firstRequestTimeoutMs: 1_000,
};
export type HttpLimits = typeof HTTP_LIMITS;

export type HttpServerOptions = {
  /** Base of doc_url; known once the server listens. */
  readonly publicUrl: () => string;
  readonly logger: Logger;
  readonly transientError?: TransientError;
  readonly onRequestEnd?: OnRequestEnd | undefined;
  readonly onExchangeEnd?: OnExchangeEnd;
  readonly stampArrival?: () => number;
  readonly tracing?: RequestTracing | undefined;
  readonly linesFor?: LinesFor;
  readonly limits?: Partial<HttpLimits>;
  readonly overloadLimits?: Partial<OverloadLimits>;
};

/** For routes whose errors are not envelopes. */
export type ErrorForm = (error: ApiError, exchange: Exchange) => Reply;

export class HttpServer {
  readonly overload: Overload;
  readonly node: Server;
  readonly #options: HttpServerOptions;
  readonly #limits: HttpLimits;
  readonly #onRequestEnd: OnRequestEnd | undefined;
  readonly #router: Router;
  readonly #writer: ReplyWriter;
  readonly #connections: Connections;
  readonly #errorForms = new Map<string, ErrorForm>();
  #isEnding = false;
  #closing: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    const { publicUrl, logger, tracing, linesFor = () => [] } = options;
    const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits };
    this.#options = options;
    this.#limits = limits;
    this.#onRequestEnd = joinListeners([requestLog(logger), options.onRequestEnd, tracing?.onRequestEnd]);
    this.#router = new Router(limits.headersSizeBytesMax, () => toPrefix(publicUrl()));
    this.#writer = new ReplyWriter(publicUrl, linesFor);
    this.overload = new Overload({ publicUrl, logger, linesFor, limits: options.overloadLimits ?? {} });
    this.node = createServer(nodeOptions(limits), (request, response) => this.#begin(request, response));
    respondToSocketErrors(this.node, {
      publicUrl,
      logger,
      onRequestEnd: this.#onRequestEnd,
      toTraceId: tracing?.toTraceId ?? toTraceId,
      linesFor,
      urlSizeBytesMax: limits.urlSizeBytesMax,
    });
    this.overload.limitConnections(this.node);
    this.#connections = watchConnections(this.node, limits);
  }

  add(routes: readonly Route[]): void {
    for (const route of routes) this.#router.add(route);
  }

  setErrorForm(prefix: string, form: ErrorForm): void {
    this.#errorForms.set(prefix, form);
  }

  async listen(options: ListenOptions): Promise<AddressInfo> {
    this.node.listen(options);
    await once(this.node, 'listening');
    const address = this.node.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no address');
    return address;
  }

  endConnections(): void {
    this.#isEnding = true;
  }

  countConnections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.node.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.overload.stop();
    this.endConnections();
    const closed = once(this.node, 'close');
    await this.#connections.drain();
    this.node.closeIdleConnections();
    await closed;
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { tracing } = this.#options;
    this.overload.admit(request, response, () => {
      if (tracing === undefined) this.#serve(request, response);
      else tracing.begin(request, () => this.#serve(request, response));
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isEnding) response.setHeader('connection', 'close');
    const found = this.#router.find(request.method ?? '', request.url ?? '');
    if (this.overload.rejectBusy(request, response, found.route)) return;
    const { tracing, stampArrival } = this.#options;
    const exchange = new Exchange(request, response, found, tracing?.toTraceId, stampArrival?.());
    response.once('close', () => {
      const record = exchange.record();
      this.#onRequestEnd?.(record, request);
      this.#options.onExchangeEnd?.(exchange, record);
    });
    try {
      const writing = chain(this.#handle(exchange), (reply) => this.#writer.write(exchange, reply));
      if (writing instanceof Promise) writing.catch((error: unknown) => this.#fail(exchange, error));
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #handle(exchange: Exchange): MaybePromise<Reply> {
    checkRequest(exchange, this.#limits);
    return exchange.route.handle(exchange);
  }

  #fail(exchange: Exchange, thrown: unknown): void {
    const { response } = exchange;
    if (isHangUp(thrown, response)) return;
    if (thrown instanceof QueueFull) {
      this.overload.rejectQueued(exchange, thrown);
      return;
    }
    const reply = this.#describe(exchange, thrown);
    if (response.headersSent) response.destroy();
    else void this.#writer.write(exchange, reply);
  }

  #toApiError(thrown: unknown): ApiError {
    return toApiError(thrown, this.#options.transientError);
  }

  #describe(exchange: Exchange, thrown: unknown): Reply {
    const error = this.#toApiError(thrown);
    const path = toPath(exchange.url);
    for (const [prefix, form] of this.#errorForms) {
      if (path === prefix || path.startsWith(`${prefix}/`)) return form(error, exchange);
    }
    const { body, ...reply } = this.#envelope(exchange, error);
    return { ...reply, bytes: body };
  }

  #envelope({ traceId, request, route, headers }: Exchange, error: ApiError): ErrorResponse {
    const { logger, publicUrl } = this.#options;
    if (isWorthAlarm(error)) logger.error({ err: error, traceId, method: request.method, route: route.path });
    const { authorization } = headers;
    return buildErrorResponse(error, { traceId, publicUrl: publicUrl(), authorization });
  }
}

function nodeOptions(limits: HttpLimits): ServerOptions {
  return {
    maxHeaderSize: limits.headersSizeBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    // We reject a missing Host with the envelope.
    requireHostHeader: false,
    optimizeEmptyRequests: true,
  };
}

function joinListeners(listeners: readonly (OnRequestEnd | undefined)[]): OnRequestEnd | undefined {
  const present = listeners.filter((listener) => listener !== undefined);
  if (present.length === 0) return undefined;
  return (record, message) => {
    for (const listener of present) listener(record, message);
  };
}

function isHangUp(error: unknown, response: ServerResponse): boolean {
  return (
    response.destroyed &&
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}
