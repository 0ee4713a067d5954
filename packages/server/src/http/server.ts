/**
 * The HTTP server: its limits, and what it answers whatever the route. Nothing here knows an operation.
 * Every limit is in bytes or milliseconds, and every refusal has the error envelope. R3, A13, A14.
 */
import { createServer, type ServerOptions } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { HUNG_UP, type OnAnswered } from './answered.ts';
import { ApiError, invalidField } from './api-error.ts';
import { commonHeaders } from './common-headers.ts';
import { watchConnections } from './connections.ts';
import { buildErrorResponse, type ErrorResponse, isWorthAlarm, toApiError } from './errors.ts';
import { type FailedRequest, FastLane } from './fast-lane.ts';
import { countHeaderLines, isHost } from './header-lines.ts';
import { requestLog } from './log.ts';
import type { Principal } from './operation.ts';
import { Overload, type OverloadLimits } from './overload.ts';
import { Pipelining } from './pipelining.ts';
import type { RequestTracing } from './request-tracing.ts';
import {
  answerClientError,
  answerSocketErrors,
  type SocketErrorDeps,
  socketAnswerOf,
} from './socket-errors.ts';
import { traceIdOf } from './trace-id.ts';
import { isUnhurried } from './uploads.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The answer to what was thrown, which is logged if it is a fault of ours. */
    describeFailure(thrown: unknown, request: FastifyRequest): ErrorResponse;
    /** Takes the conditional operations that are opened to it (routes.ts) before the framework sees them. */
    fastLane: FastLane;
    /** Refuses what would have to wait for too long. */
    overload: Overload;
    /** From then on each answer says that its connection ends: who sends again does so on another one. */
    endConnections(): void;
  }
  interface FastifyRequest {
    /** Who is calling; null until the token is verified, and on routes that need none. */
    principal: Principal | null;
    /** The path of the operation as the contract writes it, for the log; empty on other routes. */
    pattern: string;
    /** Of the answer, for the log; empty when it is no error. */
    errorCode: string;
  }
}

const HTTP_LIMITS = {
  bodySizeBytesMax: 64 * 1024,
  headersSizeBytesMax: 16 * 1024,
  headerLinesMax: 100,
  urlSizeBytesMax: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  /** How often Node looks for requests past their time, and we for slow readers. */
  checkIntervalMs: 1_000,
  /** Above the 60 s of common load balancers: the side that may send next must not be the one that closes. */
  keepAliveTimeoutMs: 65_000,
  writeTimeoutMs: 30_000,
  closeTimeoutMs: 10_000,
  firstRequestTimeoutMs: 1_000,
};
export type HttpLimits = typeof HTTP_LIMITS;

export type HttpServerOptions = {
  /** Base of doc_url. Asked for late: the port may not be known before the server listens. */
  readonly publicUrl: () => string;
  readonly logger: Logger;
  /** Told of every answered request, beside the log. */
  readonly onAnswered?: OnAnswered | undefined;
  readonly tracing?: RequestTracing | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly overloadLimits?: Partial<OverloadLimits>;
};

/** A server without routes; errors, limits, trace ids and the log are in place. */
export function buildHttpServer(options: HttpServerOptions): FastifyInstance {
  const { logger, publicUrl, tracing } = options;
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits };
  const listeners = [requestLog(logger), options.onAnswered, tracing?.onAnswered].filter(
    (listener) => listener !== undefined,
  );
  const onAnswered = joinListeners(listeners);
  const socketErrors: SocketErrorDeps = {
    publicUrl,
    logger,
    onAnswered,
    traceIdOf: tracing?.traceIdOf ?? traceIdOf,
    urlSizeBytesMax: limits.urlSizeBytesMax,
    isUnhurried,
  };
  const fastLane = new FastLane({
    publicUrl,
    urlSizeBytesMax: limits.urlSizeBytesMax,
    onAnswered,
    tracing,
    describeFailure: (error, request) => describeFailure(error, request, options),
  });
  const overload = new Overload({ publicUrl, logger, limits: options.overloadLimits ?? {} });
  const pipelining = new Pipelining();
  let isEnding = false;
  const server = Fastify({
    loggerInstance: withoutChildren(logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: tracing?.traceIdOf ?? traceIdOf,
    bodyLimit: limits.bodySizeBytesMax,
    exposeHeadRoutes: false,
    // Requests that still arrive on open connections are answered; the answer says that the connection ends.
    return503OnClosing: false,
    serverFactory: (answer) =>
      createServer(httpOptions(limits), (request, response) =>
        pipelining.inTurn(request, response, () => {
          if (overload.refuseLate(request, response)) return;
          const go = () => {
            if (fastLane.take(request, response)) return;
            if (isEnding) response.setHeader('connection', 'close');
            if (!overload.refuseBusy(request, response)) answer(request, response);
          };
          if (tracing === undefined) go();
          else tracing.begin(request, go);
        }),
      ),
    routerOptions: {
      // A parameter can be as long as a URL; that it is too long is a matter of its schema.
      maxParamLength: limits.headersSizeBytesMax,
      // Query strings are read by query.ts, and only where the operation has one.
      querystringParser: () => NO_QUERY,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, socketErrors),
    frameworkErrors: (error, request, reply) => {
      // No hook sees these.
      tellOfAnswer(request, reply, onAnswered);
      sendError({ error, request, reply }, options);
    },
  });
  server.decorate('describeFailure', (thrown, request) =>
    describeFailure(thrown, failedRequest(request), options),
  );
  server.decorate('fastLane', fastLane);
  server.decorate('overload', overload);
  server.decorate('endConnections', () => {
    // The ordinary way is the one that can say so.
    fastLane.close();
    isEnding = true;
  });
  server.decorateRequest('principal', null);
  server.decorateRequest('pattern', '');
  server.decorateRequest('errorCode', '');
  // Fastify demands a Content-Type of QUERY before it looks whether the path knows the method.
  server.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  // Handlers read the body (body.ts): nothing is read before it is known who sends it.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));

  answerSocketErrors(server.server, socketErrors);
  overload.bound(server.server);
  const connections = watchConnections(server.server, limits);
  server.addHook('preClose', async () => {
    overload.stop();
    server.endConnections();
    await connections.drain();
  });
  // The first of all hooks: those that follow do not see what one of them refuses.
  server.addHook('onRequest', (request, reply, done) => {
    tellOfAnswer(request, reply, onAnswered);
    done();
  });
  addCommonChecks(server, limits, publicUrl);
  refuseUnknownRoutes(server);
  server.setErrorHandler((error, request, reply) => sendError({ error, request, reply }, options));
  return server;
}

const NO_QUERY = {};

function httpOptions(limits: HttpLimits): ServerOptions {
  return {
    maxHeaderSize: limits.headersSizeBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    // A missing Host is refused below, with the envelope.
    requireHostHeader: false,
    // A request without a body has nothing that would have to be waited for.
    optimizeEmptyRequests: true,
  };
}

function joinListeners(listeners: readonly OnAnswered[]): OnAnswered | undefined {
  if (listeners.length === 0) return undefined;
  return (request, message) => {
    for (const listener of listeners) listener(request, message);
  };
}

/** Whatever takes the ordinary way; the fast lane tells of its own. */
function tellOfAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  onAnswered: OnAnswered | undefined,
): void {
  if (onAnswered === undefined) return;
  const { raw } = reply;
  // Comes once, whether the answer was sent or the caller has gone.
  raw.once('close', () => {
    const responseBytes = Number(reply.getHeader('content-length'));
    const answered = {
      method: request.method,
      route: request.pattern || (request.routeOptions.url ?? '(unknown)'),
      status: raw.writableFinished ? reply.statusCode : HUNG_UP,
      durationMs: reply.elapsedTime,
      traceId: request.id,
      clientId: request.principal?.clientId,
      code: request.errorCode || undefined,
      responseBytes: Number.isNaN(responseBytes) ? undefined : responseBytes,
      ...socketAnswerOf(raw),
    };
    onAnswered(answered, request.raw);
  });
}

/** Fastify makes a child logger for every request, to add its id; our lines carry the trace id themselves. */
function withoutChildren(logger: Logger): FastifyBaseLogger {
  const childless: FastifyBaseLogger = Object.assign(Object.create(logger), { child: () => childless });
  return childless;
}

/** What every answer of a route is made from when something was thrown. */
type Failure = {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

function sendError({ error, request, reply }: Failure, options: HttpServerOptions): void {
  if (isHangUp(error, reply)) return;
  const response = describeFailure(error, failedRequest(request), options);
  request.errorCode = response.code;
  reply.code(response.status).headers(response.headers).send(response.body);
}

/** A stream was closed because its reader has gone: no fault, and nobody is there to read of one. */
function isHangUp(error: unknown, { raw }: FastifyReply): boolean {
  return (
    raw.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}

function failedRequest(request: FastifyRequest): FailedRequest {
  return {
    traceId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    authorization: request.headers.authorization,
  };
}

/** The answer for whatever was thrown; the log gets to know of what must be looked into. */
function describeFailure(
  thrown: unknown,
  { traceId, method, route, authorization }: FailedRequest,
  { publicUrl, logger }: HttpServerOptions,
): ErrorResponse {
  const error = toApiError(thrown);
  if (isWorthAlarm(error)) logger.error({ err: error, traceId, method, route });
  return buildErrorResponse(error, { traceId, publicUrl: publicUrl(), authorization });
}

/** What is checked of every request before anything is read from it. */
function addCommonChecks(server: FastifyInstance, limits: HttpLimits, publicUrl: () => string): void {
  const lineEntriesMax = limits.headerLinesMax * 2;
  server.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, url = '', headers, httpVersion } = request.raw;
    reply.header('x-trace-id', request.id);
    reply.headers(commonHeaders(publicUrl()));
    if (rawHeaders.length > lineEntriesMax) {
      reply.header('connection', 'close');
      done(new ApiError('headers-too-large'));
    } else if (url.length > limits.urlSizeBytesMax) {
      done(new ApiError('uri-too-long', { data: { limit: limits.urlSizeBytesMax } }));
    } else if (headers['transfer-encoding'] !== undefined && !isChunkedOnly(headers['transfer-encoding'])) {
      reply.header('connection', 'close');
      done(badTransferEncoding(headers['transfer-encoding']));
    } else if (headers.host === undefined && httpVersion === '1.1') {
      reply.header('connection', 'close');
      done(invalidField('headers.host', 'is required'));
    } else if (!isHost(headers.host ?? '') || countHeaderLines(request.raw, 'host') > 1) {
      reply.header('connection', 'close');
      done(invalidField('headers.host', 'must be one host name or address, with a port or without'));
    } else done();
  });
}

function isChunkedOnly(transferEncoding: string): boolean {
  return transferEncoding.toLowerCase() === 'chunked';
}

/** Without chunked at the end the length of the body is not known (RFC 9112 section 6.3); other codings before it are not known. */
function badTransferEncoding(transferEncoding: string): ApiError {
  return /(?:^|,)[ \t]*chunked$/i.test(transferEncoding)
    ? new ApiError('not-implemented')
    : invalidField('headers.transfer-encoding', 'must be chunked');
}

/** 405 with the methods that the path knows, 404 for a path that is not known. */
function refuseUnknownRoutes(server: FastifyInstance): void {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    const source = url
      .replace(/[.]/g, '\\.')
      .replace(/:[^/]+/g, '[^/]+')
      .replace(/\*$/, '.*');
    routes.push({ pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  });
  server.setNotFoundHandler((request) => {
    const path = request.url.split(/[?#]/, 1)[0] ?? '';
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    if (methods.length === 0) throw new ApiError('not-found');
    throw new ApiError('method-not-allowed', { headers: { allow: [...new Set(methods)].join(', ') } });
  });
}
