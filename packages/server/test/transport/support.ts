/** A server with stub handlers on a real socket, with fetch and bare sockets as clients. No database. */

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { ErrorEnvelope } from '@keyport/contract/envelope';
import { type ErrorCode, errorSpec } from '@keyport/contract/errors';
import { OPERATION_LIST } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import type { OverloadLimits } from '@keyport/http/admission/overload';
import type { RateLimit } from '@keyport/http/admission/rate-limit';
import { createLogger } from '@keyport/http/logging/log';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Representation } from '@keyport/http/replies/representation';
import type { Route } from '@keyport/http/server/exchange';
import { healthRoutes } from '@keyport/http/server/health';
import type { Principal } from '@keyport/http/server/principal';
import { type HttpLimits, HttpServer } from '@keyport/http/server/server';
import { Ajv } from 'ajv';
import type { OperationHandlers, OperationReply, SandboxHandlers } from '../../src/operations/operation.ts';
import { operationRoutes } from '../../src/operations/operation-routes.ts';
import { transientError } from '../../src/operations/transient-error.ts';
import { versionLines } from '../../src/operations/versions.ts';
import { type Owner, onEnd } from '../support/database.ts';

export const PUBLIC_URL = 'https://keyport.example';
export const RESELLER = { authorization: 'Bearer reseller' };
export const OPERATOR = { authorization: 'Bearer operator' };
export const IDEMPOTENCY_KEY = '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10';

export const ACCOUNT_ID = '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e11';

/** The callers, by their Authorization header. */
export const PRINCIPALS: Readonly<Record<string, Principal>> = {
  'Bearer reseller': { role: 'reseller', clientId: 'shop', accountId: ACCOUNT_ID },
  'Bearer owner': { role: 'reseller', clientId: 'owner', accountId: ACCOUNT_ID, memberRole: 'owner' },
  'Bearer operator': { role: 'operator', clientId: 'office', operatorRole: 'admin' },
};

export type StubRequest = {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly traceId: string;
  readonly onHangUp: (callback: () => void) => void;
  readonly stream: { readonly contentType: string; readonly body: AsyncIterable<Buffer> } | undefined;
};
export type Stub = (request: StubRequest) => Promise<OperationReply> | OperationReply;

export type TestServer = {
  readonly url: string;
  readonly port: number;
  readonly server: HttpServer;
  readonly calls: { readonly name: string; readonly request: StubRequest }[];
  readonly log: Record<string, unknown>[];
};

/** Operations without a stub return 200 with an empty list. */
export async function startServer(
  owner: Owner,
  options: {
    readonly stubs?: Readonly<Record<string, Stub>>;
    readonly limits?: Partial<HttpLimits>;
    readonly overloadLimits?: Partial<OverloadLimits>;
    readonly rateLimit?: RateLimit;
    readonly uploadSilenceMaxMs?: number;
    readonly publicUrl?: string;
    /** Besides the operations and the health checks. */
    readonly routes?: readonly Route[];
  } = {},
): Promise<TestServer> {
  const log: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const server = new HttpServer({
    publicUrl: () => options.publicUrl ?? PUBLIC_URL,
    logger: createLogger('info', destination),
    transientError,
    linesFor: versionLines('1.2.3'),
    limits: { checkIntervalMs: 20, ...options.limits },
    overloadLimits: options.overloadLimits ?? {},
  });
  const calls: TestServer['calls'] = [];
  const authenticate = (authorization: string | undefined): Principal => {
    const principal = PRINCIPALS[authorization ?? ''];
    if (principal === undefined) throw new ApiError('unauthorized');
    return principal;
  };
  const handlers = stubHandlers(options.stubs ?? {}, calls);
  server.add([
    ...operationRoutes(handlers, {
      authenticate,
      authenticatePerson: () => undefined,
      mayCall: () => true,
      isReadOnly: () => false,
      tokenNowMs: () => 0,
      toAddress: () => '192.0.2.1',
      rateLimit: options.rateLimit,
      runWrite: (_, __, reply) => reply as never,
      sandbox: { handlers, rehearse: async (_, carryOut) => carryOut() },
      uploadSilenceMaxMs: options.uploadSilenceMaxMs ?? 30_000,
    }),
    ...healthRoutes(() => ({ ready: true, checks: {} })),
    ...(options.routes ?? []),
  ]);
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  onEnd(owner, () => server.close());
  return { url: `http://127.0.0.1:${port}`, port, server, calls, log };
}

function stubHandlers(
  stubs: Readonly<Record<string, Stub>>,
  calls: TestServer['calls'],
): OperationHandlers & SandboxHandlers {
  const handlers = OPERATION_LIST.map(({ name, isConditional }: OperationSpec & { name: string }) => {
    const byDefault = isConditional === true ? emptyPage : emptyList;
    const stub: Stub = (request) => {
      calls.push({ name, request });
      return (stubs[name] ?? byDefault)(request);
    };
    return [name, stub];
  });
  return Object.fromEntries(handlers) as OperationHandlers & SandboxHandlers;
}

function emptyPage(request: StubRequest): OperationReply {
  return { status: 200, ...dataReply(request.traceId, Buffer.from('[]')), tag: 'empty' };
}

export function dataReply(traceId: string, data: Buffer): Pick<Representation, 'head' | 'parts' | 'tail'> {
  return { head: `{"traceId":"${traceId}","data":`, parts: [data], tail: '}' };
}

function emptyList(request: StubRequest): OperationReply {
  return { status: 200, bytes: Buffer.from(`{"traceId":"${request.traceId}","data":[]}`) };
}

export type RawResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Reads until the server closes; the bytes must contain `Connection: close`. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return readResponse(socket);
}

/** Reads until the other side closes the socket. */
export async function readResponse(socket: Socket): Promise<RawResponse> {
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  await closed(socket);
  return parseResponse(answer);
}

/** Resolves on a close or a reset: the server may cut off a client that still sends. */
export function closed(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  return new Promise((resolve) => socket.on('close', () => resolve()));
}

export function parseResponse(answer: string): RawResponse {
  const [head = '', text = ''] = answer.split(/\r\n\r\n(.*)/s, 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, text };
}

/** `headers` replaces those of a valid request. */
export function rawRequest(
  line: string,
  headers: readonly string[] = ['Host: x', 'Authorization: Bearer reseller'],
  body = '',
): string {
  return `${line} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;
}

export async function fetchResponse(url: string, init: RequestInit = {}): Promise<RawResponse> {
  const response = await fetch(url, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
}

export function orderRequest(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestInit & { headers: Record<string, string> } {
  return {
    method: 'POST',
    headers: {
      ...RESELLER,
      'content-type': 'application/json',
      'idempotency-key': IDEMPOTENCY_KEY,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

const isErrorEnvelope = new Ajv({ strict: false, validateFormats: false }).compile(ErrorEnvelope);

/** Checks status, envelope and headers of an error response, and returns its error. */
export function expectError(answer: RawResponse, code: ErrorCode, status: number = errorSpec(code).status) {
  equal(answer.status, status, answer.text);
  const body: ErrorEnvelope = JSON.parse(answer.text);
  ok(isErrorEnvelope(body), JSON.stringify(isErrorEnvelope.errors));
  equal(body.error.code, code);
  equal(body.error.status, status);
  match(body.traceId ?? '', /^[0-9a-f]{32}$/);
  equal(answer.headers['x-trace-id'], body.traceId);
  match(answer.headers['content-type'] ?? '', /^application\/json/);
  equal(body.error.doc_url, `${PUBLIC_URL}/docs/errors/${code}`);
  return body.error;
}

/** A validation error with exactly these fields, in this order. */
export function expectFields(answer: RawResponse, fields: readonly string[]) {
  const error = expectError(answer, 'validation-error');
  deepEqual(
    (error.errors ?? []).map(({ field }) => field),
    fields,
  );
  return error;
}
