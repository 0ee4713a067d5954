/**
 * Makes a route of every row of the table of operations: who calls, may they, is the request valid, then the handler.
 * What can be worked out from the table is worked out at the start. The answer is serialised from the schema of its
 * status, which is an allow-list, unless the handler has made the whole body as bytes. R2, R3.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { OPERATION_LIST, type OperationSpec, operationHeaders } from '@keyport/contract/operations';
import { assert } from '@keyport/core/assert';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isWithoutBody, readJsonBody, requireEncoding, requireMediaType } from './body.ts';
import { allowLongDownload } from './downloads.ts';
import { JSON_TYPE } from './errors.ts';
import type { FastLane } from './fast-lane.ts';
import { byName, countHeaderLines } from './header-lines.ts';
import type { OperationHandlers, OperationReply, Principal, RunWrite, WriteWork } from './operation.ts';
import { type FieldProblem, queryTextOf } from './query.ts';
import type { RateLimit } from './rate-limit.ts';
import { type HeaderLines, type Representation, respond } from './representation.ts';
import { then } from './then.ts';
import { allowLongUpload, readUpload } from './uploads.ts';
import { type Check, compileCheck, compileQueryCheck, validationError } from './validation.ts';

export type OperationDeps = {
  /** The caller, from the one Authorization header. Throws or rejects with unauthorized. */
  readonly authenticate: (authorization: string | undefined) => Principal | Promise<Principal>;
  /** The caller of a token that is known already. Undefined: the fast lane stays closed. */
  readonly knownPrincipal?: (authorization: string) => Principal | undefined;
  /** False: not from the address that the request came from (A188). */
  readonly mayCall: (principal: Principal, request: IncomingMessage) => boolean;
  /** Undefined: no limits. */
  readonly rateLimit?: Pick<RateLimit, 'take'> | undefined;
  /** Carries out a write, once for its Idempotency-Key (writes/). */
  readonly runWrite: RunWrite;
  /** How long the sender of an import may be silent, milliseconds. */
  readonly uploadSilenceMaxMs?: number;
};

const UPLOAD_SILENCE_MAX_MS = 30_000;
const NDJSON_TYPE = 'application/x-ndjson';
const STREAM_TYPES = [NDJSON_TYPE, 'text/csv'] as const;

/** What the handler of any operation is, once its request has been checked against the operation's schemas. */
type AnyHandler = (request: CheckedRequest) => Promise<OperationReply> | OperationReply;

type CheckedParts = {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
};

type CheckedRequest = CheckedParts & {
  readonly principal: Principal;
  readonly traceId: string;
  readonly onHangUp: (callback: () => void) => void;
  readonly stream: { readonly contentType: string; readonly body: AsyncIterable<Buffer> } | undefined;
};

type Route = {
  readonly operation: OperationSpec;
  readonly handler: AnyHandler;
  readonly checkQuery: ReturnType<typeof compileQueryCheck>;
  readonly checkParams: Check;
  readonly checkHeaders: Check;
  /** Of the headers that the schema knows; the handler sees no others. */
  readonly headerNames: readonly string[];
  readonly checkBody: Check | undefined;
  readonly bodySizeBytesMax: number;
};

const TOKENS: Readonly<Record<Principal['role'], string>> = {
  operator: "an operator's token",
  reseller: "a reseller's token",
};

const NOTHING = Object.freeze({});
const VALID: Check = () => [];

/** Registers every operation. The server is one of buildHttpServer: errors and common headers are its business. */
export function registerOperations(
  server: FastifyInstance,
  handlers: OperationHandlers,
  deps: OperationDeps,
): void {
  const bodySizeBytesMax = server.initialConfig.bodyLimit ?? 0;
  for (const operation of OPERATION_LIST) {
    // The table pairs each name with its handler; the type of the union of all pairs does not say so any more.
    const given: unknown = handlers[operation.name];
    const handler =
      operation.idempotency === undefined
        ? (given as AnyHandler)
        : (request: CheckedRequest) =>
            deps.runWrite(operation, request, (given as (request: CheckedRequest) => WriteWork)(request));
    const route = compileRoute(operation, handler, bodySizeBytesMax);
    server.route({
      method: operation.method,
      url: operation.path.replace(/\{([^}]+)\}/g, ':$1'),
      schema: { response: responseSchemas(operation) },
      handler: (request, reply) => answer(route, deps, request, reply),
    });
    if (operation.isConditional === true) openFastLane(server.fastLane, route, deps);
  }
}

function openFastLane(
  fastLane: FastLane,
  { operation, handler, checkQuery, checkParams }: Route,
  { knownPrincipal, mayCall, rateLimit }: OperationDeps,
): void {
  const { path, audience, budget } = operation;
  if (knownPrincipal === undefined) return;
  fastLane.open({
    path,
    audience,
    checkQuery,
    checkParams,
    knownPrincipal,
    mayCall,
    limit: (principal) => (budget === 'none' ? undefined : rateLimit?.take(principal, budget)),
    handle: (request) => handler({ ...request, headers: NOTHING, body: NOTHING, stream: undefined }),
  });
}

function compileRoute(operation: OperationSpec, handler: AnyHandler, bodySizeBytesMax: number): Route {
  const { params, query, body } = operation;
  const headers = operationHeaders(operation);
  return {
    operation,
    handler,
    checkQuery: compileQueryCheck(query),
    checkParams: params === undefined ? VALID : compileCheck(params, 'path'),
    checkHeaders: headers === undefined ? VALID : compileCheck(headers, 'headers'),
    headerNames: Object.keys(headers?.properties ?? {}),
    checkBody: body === undefined ? undefined : compileCheck(body, 'body'),
    bodySizeBytesMax: operation.bodySizeBytesMax ?? bodySizeBytesMax,
  };
}

function responseSchemas(operation: OperationSpec): Record<string, unknown> {
  return Object.fromEntries(Object.entries(operation.responses).filter(([, schema]) => schema !== null));
}

/** Makes no promise where nothing has to be waited for: a list of products is answered in one turn. */
function answer(
  route: Route,
  deps: OperationDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> | FastifyReply | undefined {
  const { operation, handler } = route;
  request.pattern = operation.path;
  // The router takes an empty segment for a parameter; a path that ends in a slash is none of ours.
  if (operation.params !== undefined && hasEmptyParameter(request.params)) throw new ApiError('not-found');
  return then(deps.authenticate(onlyAuthorization(request.raw)), (principal) => {
    request.principal = principal;
    if (!deps.mayCall(principal, request.raw)) throw new ApiError('forbidden');
    if (principal.role !== operation.audience) {
      const [needed, sent] = [TOKENS[operation.audience], TOKENS[principal.role]];
      throw new ApiError('forbidden', { message: `This operation needs ${needed}; this is ${sent}.` });
    }
    if (operation.budget !== 'none') addLines(reply, deps.rateLimit?.take(principal, operation.budget));
    return then(check(route, request), ({ params, query, headers, body }) => {
      const stream =
        operation.hasStreamedBody === true ? openStream(request.raw, reply.raw, deps) : undefined;
      const onHangUp = (callback: () => void) => void reply.raw.once('close', callback);
      const parts = { params, query, headers, body };
      const handling = handler({ ...parts, principal, traceId: request.id, onHangUp, stream });
      return then(handling, (result) =>
        'parts' in result ? sendRepresentation(request.raw, reply, result) : send(operation, reply, result),
      );
    });
  });
}

function addLines(reply: FastifyReply, lines: HeaderLines = []): void {
  reply.headers(byName(lines));
}

function hasEmptyParameter(params: unknown): boolean {
  return typeof params === 'object' && params !== null && Object.values(params).includes('');
}

/** Two Authorization lines: nobody can say which identity was meant (A14). */
function onlyAuthorization(request: IncomingMessage): string | undefined {
  if (countHeaderLines(request, 'authorization') > 1) {
    throw new ApiError('unauthorized', { message: 'There are several Authorization headers; send one.' });
  }
  return request.headers.authorization;
}

/** All parts of the request, valid; a promise only when there is a body to wait for. Throws validation-error. */
function check(route: Route, request: FastifyRequest): CheckedParts | Promise<CheckedParts> {
  const { params } = request;
  const { values: query, problems: queryProblems } = route.checkQuery(queryTextOf(request.raw.url ?? ''));
  const headers = pick(request.headers, route.headerNames);
  const problems = [...route.checkParams(params), ...queryProblems, ...route.checkHeaders(headers)];
  if (route.checkBody === undefined) return finish({ params, query, headers, body: NOTHING }, problems);
  return checkBody(route, route.checkBody, request.raw).then(({ body, problems: more }) =>
    finish({ params, query, headers, body }, [...problems, ...more]),
  );
}

function finish(parts: CheckedParts, problems: readonly FieldProblem[]): CheckedParts {
  if (problems.length > 0) throw validationError(problems);
  return parts;
}

async function checkBody(
  { bodySizeBytesMax }: Route,
  isValid: Check,
  request: IncomingMessage,
): Promise<{ body: unknown; problems: readonly FieldProblem[] }> {
  const json = await readJsonBody(request, bodySizeBytesMax);
  if (json.ok) return { body: json.value, problems: isValid(json.value) };
  return { body: undefined, problems: [{ field: json.field ?? 'body', message: json.message }] };
}

function pick(headers: IncomingMessage['headers'], names: readonly string[]): Record<string, unknown> {
  if (names.length === 0) return NOTHING;
  const given = names.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, headers[name]]));
}

function openStream(
  request: IncomingMessage,
  response: ServerResponse,
  deps: OperationDeps,
): CheckedRequest['stream'] {
  const encoding = requireEncoding(request, ['gzip']);
  const contentType = requireMediaType(request, STREAM_TYPES);
  if (isWithoutBody(request)) return { contentType, body: readUpload(Readable.from([]), encoding) };
  allowLongUpload(request, response, deps.uploadSilenceMaxMs ?? UPLOAD_SILENCE_MAX_MS);
  return { contentType, body: readUpload(request, encoding) };
}

/** Returns the reply when it goes on by itself, so that Fastify does not end it. */
function send(
  operation: OperationSpec,
  reply: FastifyReply,
  result: Exclude<OperationReply, Representation>,
): FastifyReply | undefined {
  reply.code(result.status);
  if ('headers' in result && result.headers !== undefined) reply.headers(result.headers);
  if ('bytes' in result) {
    if (result.code !== undefined) reply.request.errorCode = result.code;
    reply.header('content-type', JSON_TYPE).send(result.bytes);
    return undefined;
  }
  if ('events' in result) {
    allowLongDownload(reply.raw);
    const lines = linesOf(
      result.events,
      (thrown) => reply.server.describeFailure(thrown, reply.request).body,
    );
    // One piece is made ahead of the reader: events come while something is done, which waits for who reads of it.
    const stream = Readable.from(lines, { highWaterMark: 1 });
    return reply.header('content-type', NDJSON_TYPE).send(stream);
  }
  if ('stream' in result) {
    allowLongDownload(reply.raw);
    return reply.header('content-type', result.contentType).send(result.stream);
  }
  const schema = operation.responses[result.status];
  assert(schema !== undefined, `${operation.path} has no response with status ${result.status}`);
  if ('data' in result) {
    const { data, meta, summary } = result;
    reply.send({ traceId: reply.request.id, data, meta, summary });
  } else reply.send();
  return undefined;
}

async function* linesOf(
  events: AsyncIterable<readonly object[]>,
  describeFailure: (thrown: unknown) => string,
): AsyncGenerator<string> {
  try {
    for await (const some of events) yield some.map((event) => `${JSON.stringify(event)}\n`).join('');
  } catch (thrown) {
    yield `${describeFailure(thrown)}\n`;
  }
}

/** For those that came by this way; the fast lane sends the same. */
function sendRepresentation(
  { headers }: IncomingMessage,
  reply: FastifyReply,
  representation: Representation,
): Promise<undefined> | undefined {
  const preferences = {
    ifNoneMatch: headers['if-none-match'],
    acceptEncoding: String(headers['accept-encoding'] ?? ''),
  };
  const answer = respond(representation, preferences, Buffer.allocUnsafe);
  return then(answer, ({ status, lines, body }) => {
    addLines(reply, lines);
    reply.code(status).send(body);
    return undefined;
  });
}
