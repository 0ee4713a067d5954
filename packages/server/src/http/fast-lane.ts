/**
 * The way of the reads that resellers repeat all day: conditional operations, straight from node:http to the handler and
 * back. The framework's way to the same handler costs as much as sending a page. Only plain requests that nothing is
 * wrong with are answered here: no body, a known token, valid parameters. All others, and every doubt, are left to the
 * ordinary way (routes.ts), which looks at everything again and says what is wrong.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HUNG_UP, type OnAnswered } from './answered.ts';
import { commonHeaders } from './common-headers.ts';
import type { ErrorResponse } from './errors.ts';
import { byName, isHost } from './header-lines.ts';
import type { OperationReply, Principal } from './operation.ts';
import { queryTextOf } from './query.ts';
import { type Answer, type HeaderLines, type Preferences, respond } from './representation.ts';
import type { RequestTracing } from './request-tracing.ts';
import { then } from './then.ts';
import { traceIdFrom } from './trace-id.ts';
import type { Check, compileQueryCheck } from './validation.ts';

/** A conditional operation, as far as the lane has to know it. */
export type LaneRoute = {
  /** As the contract writes it; at most its last segment is a parameter. */
  readonly path: string;
  readonly audience: Principal['role'];
  readonly checkQuery: ReturnType<typeof compileQueryCheck>;
  readonly checkParams: Check;
  /** Undefined: the token is not known (yet). */
  readonly knownPrincipal: (authorization: string) => Principal | undefined;
  readonly mayCall: (principal: Principal, request: IncomingMessage) => boolean;
  /** The headers that tell of a limit; undefined where there is none. Throws too-many-requests. */
  readonly limit: (principal: Principal) => HeaderLines | undefined;
  readonly handle: (request: LaneRequest) => Promise<OperationReply> | OperationReply;
};

export type LaneRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly principal: Principal;
  readonly traceId: string;
  readonly onHangUp: (callback: () => void) => void;
};

export type LaneOptions = {
  /** Asked for late. */
  readonly publicUrl: () => string;
  readonly urlSizeBytesMax: number;
  readonly onAnswered: OnAnswered | undefined;
  readonly tracing: RequestTracing | undefined;
  /** The answer for whatever a handler or a limit throws. */
  readonly describeFailure: (error: unknown, request: FailedRequest) => ErrorResponse;
};

export type FailedRequest = {
  readonly traceId: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly authorization: string | undefined;
};

/** A request that the lane has taken on. */
type Passage = Preferences & {
  readonly route: LaneRoute;
  readonly principal: Principal;
  readonly authorization: string;
  readonly traceId: string;
  readonly startedAtMs: number;
  /** Headers that tell of a rate limit. */
  limitLines: HeaderLines;
};

type KnownHeaders = Preferences & {
  readonly authorization: string;
  readonly traceparent: string | undefined;
};

/** Larger bodies, and those that a slow reader leaves waiting, get memory of their own. */
const SCRATCH_SIZE_BYTES = 64 * 1024;

/** More header lines than this are not what a reseller's program sends; names and values in turn. */
const HEADER_ENTRIES_MAX = 64;

export class FastLane {
  readonly #options: LaneOptions;
  readonly #routes = new Map<string, LaneRoute>();
  /** By the path up to and with the last slash, for those whose last segment is a parameter. */
  readonly #routesWithParameter = new Map<string, { readonly route: LaneRoute; readonly name: string }>();
  #isClosed = false;
  /** Made when the public URL is known. */
  #lines: readonly string[] | undefined;
  /** Bodies are put together here and are with the kernel before the next one is: memory that stays warm. */
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE_BYTES);

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  open(route: LaneRoute): void {
    const parameter = /^(.*\/)\{([^}]+)\}$/.exec(route.path);
    if (parameter === null) this.#routes.set(route.path, route);
    else this.#routesWithParameter.set(parameter[1] ?? '', { route, name: parameter[2] ?? '' });
  }

  /** From then on the ordinary way, which tells callers that the connection ends. */
  close(): void {
    this.#isClosed = true;
  }

  /** True when the request is taken on. Otherwise nothing has been read or written. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url, rawHeaders } = request;
    if (method !== 'GET' || url === undefined || this.#isClosed || request.httpVersionMinor !== 1)
      return false;
    if (url.length > this.#options.urlSizeBytesMax) return false;
    const headers = readHeaders(rawHeaders);
    if (headers === undefined) return false;
    const pathEnd = url.indexOf('?');
    const found = this.#find(pathEnd === -1 ? url : url.slice(0, pathEnd));
    if (found === undefined) return false;
    const { route, params } = found;
    const principal = route.knownPrincipal(headers.authorization);
    if (principal?.role !== route.audience || !route.mayCall(principal, request)) return false;
    const { values: query, problems } = route.checkQuery(queryTextOf(url));
    if (problems.length > 0 || route.checkParams(params).length > 0) return false;
    const { authorization, ifNoneMatch, acceptEncoding } = headers;
    const passage = {
      route,
      principal,
      authorization,
      ifNoneMatch,
      acceptEncoding,
      traceId: this.#options.tracing?.traceIdOf(request) ?? traceIdFrom(headers.traceparent),
      limitLines: NO_LINES,
      startedAtMs: this.#options.onAnswered === undefined ? 0 : performance.now(),
    };
    const onHangUp = (callback: () => void) => void response.once('close', callback);
    this.#pass(passage, { params, query, principal, traceId: passage.traceId, onHangUp }, response);
    return true;
  }

  #find(
    path: string,
  ): { readonly route: LaneRoute; readonly params: Readonly<Record<string, string>> } | undefined {
    const route = this.#routes.get(path);
    if (route !== undefined) return { route, params: NOTHING };
    const end = path.lastIndexOf('/') + 1;
    const known = this.#routesWithParameter.get(path.slice(0, end));
    // A parameter that has to be decoded, or is missing, is none of the lane's.
    if (known === undefined || end === path.length || path.includes('%')) return undefined;
    return { route: known.route, params: { [known.name]: path.slice(end) } };
  }

  #pass(passage: Passage, request: LaneRequest, response: ServerResponse): void {
    const { route } = passage;
    try {
      passage.limitLines = route.limit(passage.principal) ?? NO_LINES;
      const sending = then(route.handle(request), (reply) => this.#answer(passage, response, reply));
      if (sending instanceof Promise) {
        sending.catch((error: unknown) => this.#fail(passage, response, error));
      }
    } catch (error) {
      this.#fail(passage, response, error);
    }
  }

  #answer(passage: Passage, response: ServerResponse, reply: OperationReply): void | Promise<void> {
    if (!('parts' in reply)) throw new Error(`${passage.route.path} is conditional and answers in parts`);
    const allot = (sizeBytes: number) => this.#allot(sizeBytes, response);
    return then(respond(reply, passage, allot), (answer) => this.#send(passage, response, answer));
  }

  /** The scratch memory is for what the kernel takes at once, which is nearly everything. */
  #allot(sizeBytes: number, { socket }: ServerResponse): Buffer {
    // Without a socket the answer waits for those to earlier requests of the same connection.
    const isNext = socket !== null && socket.writableLength === 0;
    return isNext && sizeBytes <= SCRATCH_SIZE_BYTES ? this.#scratch : Buffer.allocUnsafe(sizeBytes);
  }

  #send(passage: Passage, response: ServerResponse, { status, lines, body }: Answer): void {
    const { socket } = response;
    response.writeHead(status, [
      ...this.#commonLines(),
      'x-trace-id',
      passage.traceId,
      ...passage.limitLines,
      ...lines,
    ]);
    response.end(body);
    // Not taken at once: it belongs to this answer now.
    if (body?.buffer === this.#scratch.buffer && socket !== null && socket.writableLength > 0) {
      this.#scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE_BYTES);
    }
    this.#tell(passage, response, { status, responseBytes: body?.length });
  }

  /** Caching is what the answer says of itself. */
  #commonLines(): readonly string[] {
    this.#lines ??= Object.entries(commonHeaders(this.#options.publicUrl()))
      .filter(([name]) => name !== 'cache-control')
      .flat();
    return this.#lines;
  }

  #fail(passage: Passage, response: ServerResponse, error: unknown): void {
    const { traceId, authorization, route } = passage;
    const failure = this.#options.describeFailure(error, {
      traceId,
      method: 'GET',
      route: route.path,
      authorization,
    });
    // Whatever broke after the head was written cannot be told any more.
    const { status, code, headers, body } = failure;
    const responseBytes = Buffer.byteLength(body);
    if (response.headersSent) response.destroy();
    else {
      response
        .writeHead(status, { ...headers, ...byName(passage.limitLines), 'content-length': responseBytes })
        .end(body);
    }
    this.#tell(passage, response, { status, code, responseBytes });
  }

  #tell(
    { route, principal, traceId, startedAtMs }: Passage,
    { destroyed, req }: ServerResponse,
    answer: { status: number; code?: string; responseBytes: number | undefined },
  ): void {
    const answered = {
      method: 'GET',
      route: route.path,
      status: destroyed ? HUNG_UP : answer.status,
      durationMs: performance.now() - startedAtMs,
      traceId,
      clientId: principal.clientId,
      code: answer.code,
      responseBytes: answer.responseBytes,
    };
    this.#options.onAnswered?.(answered, req);
  }
}

const NOTHING = Object.freeze({});
const NO_LINES: HeaderLines = [];

/** Undefined when there is a header that makes the request anything but plain, or one of those below comes twice. */
function readHeaders(rawHeaders: readonly string[]): KnownHeaders | undefined {
  if (rawHeaders.length > HEADER_ENTRIES_MAX) return undefined;
  let host: string | undefined;
  let authorization: string | undefined;
  let traceparent: string | undefined;
  let ifNoneMatch: string | undefined;
  let acceptEncoding: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1] ?? '';
    switch (lowerCase(rawHeaders[index] ?? '')) {
      case 'host':
        if (host !== undefined || !isHost(value)) return undefined;
        host = value;
        break;
      case 'authorization':
        if (authorization !== undefined) return undefined;
        authorization = value;
        break;
      case 'traceparent':
        if (traceparent !== undefined) return undefined;
        traceparent = value;
        break;
      case 'if-none-match':
        if (ifNoneMatch !== undefined) return undefined;
        ifNoneMatch = value;
        break;
      case 'accept-encoding':
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = value;
        break;
      case 'content-length':
      case 'transfer-encoding':
      case 'upgrade':
      case 'expect':
        return undefined;
    }
  }
  if (host === undefined || authorization === undefined) return undefined;
  return { authorization, traceparent, ifNoneMatch, acceptEncoding };
}

/** Names as programs write them, so that lower case need not be made anew for each request. */
const lowerCaseNames = new Map<string, string>();
const NAMES_KEPT_MAX = 200;

function lowerCase(name: string): string {
  const known = lowerCaseNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerCaseNames.size < NAMES_KEPT_MAX) lowerCaseNames.set(name, lower);
  return lower;
}
