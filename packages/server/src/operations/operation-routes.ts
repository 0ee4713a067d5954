/** R2. */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { toHeadings } from '@keyport/contract/list-csv';
import { mayLackBody, OPERATION_LIST, operationHeaders } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { hasScenarios } from '@keyport/contract/sandbox/scenarios';
import { assert } from '@keyport/core/assert';
import type { AddressOf } from '@keyport/http/admission/addresses';
import type { RateLimit } from '@keyport/http/admission/rate-limit';
import { ApiError } from '@keyport/http/replies/api-error';
import { toSpreadsheet } from '@keyport/http/replies/csv';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import { chain, type MaybePromise } from '@keyport/http/server/maybe-promise';
import type { Principal } from '@keyport/http/server/principal';
import {
  isWithoutBody,
  readJsonBody,
  requireEncoding,
  requireMediaType,
} from '@keyport/http/validation/body';
import { type FieldProblem, toQueryText } from '@keyport/http/validation/query';
import { allowLongUpload, readUpload } from '@keyport/http/validation/uploads';
import {
  type Check,
  compileCheck,
  compileQueryCheck,
  validationError,
} from '@keyport/http/validation/validation';
import { withCsv } from './list-csv.ts';
import type {
  OperationHandlers,
  OperationReply,
  Rehearsal,
  RunWrite,
  WriteRequest,
  WriteWork,
} from './operation.ts';
import { ownCodesMask } from './own-codes.ts';
import { requireFreshToken, requirePermission, requireProof } from './permission.ts';
import type { SandboxMode } from './sandbox-mode.ts';
import { toSerializer } from './serializer.ts';
import { deprecationLines } from './versions.ts';

export type OperationDeps = {
  /** Throws or rejects with unauthorized. */
  readonly authenticate: (authorization: string | undefined) => MaybePromise<Principal>;
  /** Undefined: no session cookie. */
  readonly authenticatePerson: (
    audience: Principal['role'],
    request: IncomingMessage,
  ) => Promise<Principal> | undefined;
  readonly mayCall: (principal: Principal, request: IncomingMessage) => boolean;
  readonly isReadOnly: (principal: Principal) => boolean;
  /** The clock of tokens. */
  readonly tokenNowMs: () => number;
  readonly toAddress: AddressOf;
  readonly rateLimit?: Pick<RateLimit, 'take'> | undefined;
  readonly runWrite: RunWrite;
  readonly sandbox?: SandboxMode | undefined;
  readonly uploadSilenceMaxMs?: number;
};

const BODY_SIZE_BYTES_MAX = 64 * 1024;
const UPLOAD_SILENCE_MAX_MS = 30_000;
const RECHECK_INTERVAL_MS = 1_000;
const STREAM_TYPES = ['application/x-ndjson', 'text/csv'] as const;

type CheckedParts = Pick<WriteRequest, 'params' | 'query' | 'headers' | 'body'>;

type CheckedRequest = WriteRequest & {
  readonly onHangUp: (callback: () => void) => void;
  readonly stream: { readonly contentType: string; readonly body: AsyncIterable<Buffer> } | undefined;
  readonly rehearsal: Rehearsal | undefined;
};

type AnyHandler = (request: CheckedRequest) => MaybePromise<OperationReply>;

const TOKENS: Readonly<Record<Principal['role'], string>> = {
  operator: "an operator's token",
  reseller: "a reseller's token",
};

const READ_ONLY = {
  message:
    'This client is read-only: it reads everything except product keys, and changes nothing but its own secret. Use a client with full access.',
};

const FOR_PEOPLE = {
  message: 'Programs cannot manage members. An owner of the account does, in the portal, or the marketplace.',
};

const NOTHING = Object.freeze({});
const VALID: Check = () => [];

export function operationRoutes(handlers: OperationHandlers, deps: OperationDeps): Route[] {
  const { sandbox } = deps;
  const operations = OPERATION_LIST.filter((one) => sandbox !== undefined || one.isSandboxOnly !== true);
  return operations.map((operation) => {
    const { check, carryOut } = compileOperation(operation, handlers, deps);
    return {
      operation: operation.name,
      method: operation.method,
      path: operation.path,
      lines: deprecationLines(operation),
      isFromMemory: operation.isConditional === true,
      isHeavy: operation.isHeavy === true,
      takesScenario: sandbox !== undefined && hasScenarios(operation),
      handle: (exchange) =>
        chain(authenticate(exchange, operation, deps), (caller) => {
          const principal = authorize(exchange, caller, operation, deps);
          if (operation.givesAccess === true) requireRecentProof(principal, exchange, deps);
          const { keyportScenario } = exchange.headers;
          if (keyportScenario === undefined || sandbox === undefined) return carryOut(exchange, principal);
          const request = { operation, exchange, principal, check: () => check(exchange) };
          return sandbox.rehearse(request, (rehearsal) => carryOut(exchange, principal, rehearsal));
        }),
    };
  });
}

function compileOperation(operation: NamedOperation, handlers: OperationHandlers, deps: OperationDeps) {
  const handler = toHandler(operation, handlers, deps);
  const check = (exchange: Exchange): MaybePromise<CheckedParts> => toSchemas(operation).check(exchange);
  const carryOut = (exchange: Exchange, principal: Principal, rehearsal?: Rehearsal): MaybePromise<Reply> =>
    chain(check(exchange), (checked) => {
      const { traceId, onHangUp } = exchange;
      const isSpreadsheet = Object(checked.query).format === 'spreadsheet';
      const parts = isSpreadsheet
        ? { ...checked, headers: { ...Object(checked.headers), accept: 'text/csv' } }
        : checked;
      const stream = operation.hasStreamedBody === true ? openStream(exchange, deps) : undefined;
      const replying = handler({ ...parts, principal, traceId, onHangUp, stream, rehearsal });
      return chain(replying, (reply) => {
        if (reply.data !== undefined) return serialized(reply, traceId, toSchemas(operation).serialize);
        if (!('stream' in reply)) return reply;
        const requireStillAllowed = async () =>
          requireAllowed(exchange, await authenticate(exchange, operation, deps), operation, deps);
        const stream = isSpreadsheet
          ? toSpreadsheet(reply.stream, (names) => toHeadings(operation.name, names))
          : reply.stream;
        destroyWhenForbidden(stream, requireStillAllowed);
        return { ...reply, stream };
      });
    });
  return { check, carryOut };
}

type NamedOperation = (typeof OPERATION_LIST)[number];

function toHandler(
  operation: NamedOperation,
  handlers: OperationHandlers,
  { runWrite, sandbox }: OperationDeps,
): AnyHandler {
  // The table of operations pairs each name with its handler.
  const given: unknown = { ...sandbox?.handlers, ...handlers }[operation.name];
  if (operation.idempotency === undefined) return withCsv(operation, given as AnyHandler);
  const work = given as (request: CheckedRequest) => WriteWork;
  return (request) => runWrite(operation, request, work(request));
}

function authenticate(
  { headers, request }: Exchange,
  { audience }: OperationSpec,
  deps: OperationDeps,
): MaybePromise<Principal> {
  // Two tokens make the identity ambiguous.
  if (headers.hasSeveralAuthorizations) {
    throw new ApiError('unauthorized', { message: 'There are several Authorization headers; send one.' });
  }
  const person = headers.authorization === undefined ? deps.authenticatePerson(audience, request) : undefined;
  return person ?? deps.authenticate(headers.authorization);
}

function authorize(
  exchange: Exchange,
  principal: Principal,
  operation: OperationSpec,
  deps: OperationDeps,
): Principal {
  const { audience, budget, isConditional } = operation;
  exchange.principal = principal;
  // A caller without permission spends its budget too; a caller of the other audience has no such budget.
  const lines =
    budget === 'none' || principal.role !== audience ? undefined : deps.rateLimit?.take(principal, budget);
  if (lines !== undefined) exchange.extraLines = lines;
  requireAllowed(exchange, principal, operation, deps);
  // Conditional reads are too frequent to record the caller's address.
  if (isConditional === true) return principal;
  return { ...principal, address: deps.toAddress(exchange.request) };
}

/** Throws forbidden. */
function requireAllowed(
  { request }: Exchange,
  principal: Principal,
  { audience, permission, method, isForReadOnly = method === 'GET' }: OperationSpec,
  { mayCall, isReadOnly }: OperationDeps,
): void {
  if (!mayCall(principal, request)) throw new ApiError('forbidden');
  if (principal.role !== audience) {
    const [needed, sent] = [TOKENS[audience], TOKENS[principal.role]];
    throw new ApiError('forbidden', { message: `This operation needs ${needed}; this is ${sent}.` });
  }
  if (principal.role === 'operator') requirePermission(principal.operatorRole, permission);
  else if (principal.memberRole !== undefined) requirePermission(principal.memberRole, permission);
  else if (permission === 'members') throw new ApiError('forbidden', FOR_PEOPLE);
  else if (!isForReadOnly && isReadOnly(principal)) throw new ApiError('forbidden', READ_ONLY);
}

/**
 * Breaks a long response off within a second after its token, its session or its caller's permission ended. The error
 * destroys the connection, so that no one takes the response for whole.
 */
function destroyWhenForbidden(stream: Readable, requireStillAllowed: () => Promise<void>): void {
  const timer = setInterval(() => {
    requireStillAllowed().catch((error: Error) => stream.destroy(error));
  }, RECHECK_INTERVAL_MS);
  stream.once('close', () => clearInterval(timer));
}

function requireRecentProof(principal: Principal, { params }: Exchange, deps: OperationDeps): void {
  requireProof(principal.session);
  if (params.clientId === principal.clientId) requireFreshToken(principal, deps.tokenNowMs());
}

type CompiledSchemas = {
  readonly check: (exchange: Exchange) => MaybePromise<CheckedParts>;
  readonly serialize: (status: number, body: object) => string;
};

const compiledSchemas = new WeakMap<OperationSpec, CompiledSchemas>();

/** Compiles at the first request: compiling all schemas would delay every start by half a second. */
function toSchemas(operation: OperationSpec): CompiledSchemas {
  const known = compiledSchemas.get(operation);
  if (known !== undefined) return known;
  const compiled = { check: compileParts(operation), serialize: compileSerializer(operation) };
  compiledSchemas.set(operation, compiled);
  return compiled;
}

/** Returns a promise only to wait for a body. Throws validation-error. */
function compileParts(operation: OperationSpec): CompiledSchemas['check'] {
  const { params: paramsSchema, query: querySchema, body: bodySchema } = operation;
  const headersSchema = operationHeaders(operation);
  const checkQuery = compileQueryCheck(querySchema);
  const checkParams = paramsSchema === undefined ? VALID : compileCheck(paramsSchema, 'path');
  const checkHeaders = headersSchema === undefined ? VALID : compileCheck(headersSchema, 'headers');
  // The handler sees no other headers.
  const headerNames = Object.keys(headersSchema?.properties ?? {});
  const checkBody = bodySchema === undefined ? undefined : compileCheck(bodySchema, 'body');
  const maskCodes = bodySchema && ownCodesMask(bodySchema);
  const sizeBytesMax = operation.bodySizeBytesMax ?? BODY_SIZE_BYTES_MAX;
  const isBodyOptional = mayLackBody(operation);
  return (exchange) => {
    const { params, request, url } = exchange;
    const { values: query, problems: queryProblems, hints } = checkQuery(toQueryText(url));
    if (hints.length > 0)
      exchange.extraLines = [
        ...exchange.extraLines,
        ...hints.flatMap((hint) => ['warning', `299 - "${hint}"`]),
      ];
    const headers = headerNames.length === 0 ? NOTHING : pick(request.headers, headerNames);
    const problems = [...checkParams(params), ...queryProblems, ...checkHeaders(headers)];
    if (checkBody === undefined) return validOnly({ params, query, headers, body: NOTHING }, problems);
    if (isBodyOptional && isWithoutBody(request))
      return validOnly({ params, query, headers, body: {} }, problems);
    return readBody(exchange, sizeBytesMax, checkBody).then(({ body, problems: more }) =>
      validOnly({ params, query, headers, body: maskCodes?.(body) ?? body }, [...problems, ...more]),
    );
  };
}

function validOnly(parts: CheckedParts, problems: readonly FieldProblem[]): CheckedParts {
  if (problems.length > 0) throw validationError(problems);
  return parts;
}

async function readBody(
  exchange: Exchange,
  sizeBytesMax: number,
  check: Check,
): Promise<{ body: unknown; problems: readonly FieldProblem[] }> {
  const json = await readJsonBody(exchange.request, sizeBytesMax, (text) => {
    exchange.requestText = text;
  });
  if (json.ok) return { body: json.value, problems: check(json.value) };
  return { body: undefined, problems: [{ field: json.field ?? 'body', message: json.message }] };
}

function pick(headers: IncomingMessage['headers'], names: readonly string[]): Record<string, unknown> {
  const given = names.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, headers[name]]));
}

function openStream({ request, response }: Exchange, deps: OperationDeps): CheckedRequest['stream'] {
  const encoding = requireEncoding(request, ['gzip']);
  const contentType = requireMediaType(request, STREAM_TYPES);
  if (isWithoutBody(request)) return { contentType, body: readUpload(Readable.from([]), encoding) };
  allowLongUpload(request, response, deps.uploadSilenceMaxMs ?? UPLOAD_SILENCE_MAX_MS);
  return { contentType, body: readUpload(request, encoding) };
}

function compileSerializer({ path, responses }: OperationSpec): CompiledSchemas['serialize'] {
  const compiled = new Map(
    Object.entries(responses).flatMap(([status, schema]) =>
      schema === null ? [] : [[Number(status), toSerializer(schema)]],
    ),
  );
  return (status, body) => {
    const serialize = compiled.get(status);
    assert(serialize !== undefined, `${path} has no body with status ${status}`);
    return serialize(body);
  };
}

function serialized(
  { status, data, meta, summary, headers }: Extract<OperationReply, { data: unknown }>,
  traceId: string,
  serialize: CompiledSchemas['serialize'],
): Reply {
  return { status, headers, bytes: serialize(status, { traceId, data, meta, summary }) };
}
