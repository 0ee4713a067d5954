/** Every response must match the document and reveal nothing internal, regardless of the request. */
import assert from 'node:assert/strict';
import { assertContract } from '../../packages/server/test/support/contract.ts';
import { findBreach, findEnvelopeBreach, findOperation, type Operation } from './document.ts';
import { type HostileRequest, isWellFramed } from './requests.ts';
import type { WireResponse } from './wire.ts';

/** Any operation may return these statuses of the transport (R2). */
const TRANSPORT_STATUSES = new Set([400, 404, 405, 408, 413, 414, 415, 431, 501]);

/** The reference is not an operation; a bare asterisk counts as the root. */
const PAGES = /^(\/|\*|\/docs(\/.*)?|\/admin\/docs\/?|(\/admin)?\/openapi\.json)$/;

/** Words of stacks, the database and libraries; no request contains them. */
const INSIDES =
  /privateDebug|node_modules|\.ts:\d+|file:\/\/\/(?!etc)|\n\s+at |SQLSTATE|invalid input syntax|invalid byte sequence|violates |duplicate key value|deadlock detected|current transaction is aborted|relation "|ECONNREFUSED|ECONNRESET|PGlite|FST_ERR|TypeError|RangeError|Cannot read prop/i;

export function judge(request: HostileRequest, responses: readonly WireResponse[]): void {
  for (const response of responses) judgeAny(response);
  if (!isWellFramed(request)) return;
  const [response] = responses;
  assert.ok(response !== undefined && responses.length === 1, 'there is exactly one response');
  if (request.method !== 'HEAD') toJudge(request, response);
}

export function toTraceId({ headers }: WireResponse): string | undefined {
  return headers.find(([name]) => name === 'x-trace-id')?.[1];
}

function judgeAny(response: WireResponse): void {
  const { status, headers, body } = response;
  // A caller can cause only one 5xx, by an invented transfer coding (A243).
  const isFault = status >= 500 && status !== 503 && !(status === 501 && body.includes('transfer coding'));
  assert.ok(!isFault, `${status}: ${body.toString('utf8', 0, 500)}`);
  assert.ok(
    !headers.some(([name]) => name === 'x-injected'),
    'no response header comes from a value in a request',
  );
  assert.match(toTraceId(response) ?? '', /^[0-9a-f]{32}$/, 'every response has its trace id');
  if (status >= 400) {
    const found = INSIDES.exec(body.toString());
    assert.equal(found, null, `the response reveals internals: ${body.toString('utf8', 0, 500)}`);
  }
  assert.equal(headers.filter(([name]) => name === 'content-length').length > 1, false, 'one Content-Length');
}

function toJudge(request: HostileRequest, response: WireResponse): void {
  const path = toPath(request.target);
  const operation = findOperation(request.method, path);
  const mediaType =
    (response.headers.find(([name]) => name === 'content-type')?.[1] ?? '').split(';', 1)[0] ?? '';
  const body = parseBody(response, mediaType);
  const isTransport = TRANSPORT_STATUSES.has(response.status);
  if (operation === undefined) {
    if (PAGES.test(path) && response.status < 400) return;
    assert.ok(isTransport, `${response.status} where there is nothing`);
    const isOauth = path.startsWith('/oauth/') && findOauthBreach(body) === undefined;
    const breach = isOauth ? undefined : findEnvelopeBreach(body);
    assert.equal(breach, undefined, response.body.toString('utf8', 0, 500));
    return;
  }
  const isKnown = operation.statuses.includes(response.status);
  // A rejection of the transport may also have the form of the operation's own errors.
  const isFree = isTransport && !(isKnown && isEnvelope(operation));
  const breach =
    isFree && findEnvelopeBreach(body) === undefined
      ? undefined
      : findBreach(operation, isFree && !isKnown ? 400 : response.status, mediaType, body);
  assert.equal(
    breach,
    undefined,
    `${operation.name} ${response.status}: ${response.body.toString('utf8', 0, 800)}`,
  );
  if (isEnvelope(operation)) judgeEnvelope(operation, path, response, mediaType, body);
}

/** RFC 6749, section 5.2. */
function findOauthBreach(body: unknown): string | undefined {
  const { error, error_description } = { error: undefined, error_description: undefined, ...Object(body) };
  return typeof error === 'string' && typeof error_description === 'string' ? undefined : 'no OAuth error';
}

/** Returns the path without the query and the host that a request line may name. */
function toPath(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  return path.replace(/^http:\/\/[^/]+/, '');
}

/** The token endpoint and the documents follow their own standards. */
function isEnvelope({ path }: Operation): boolean {
  return path.startsWith('/export/') || path.startsWith('/admin/v1/');
}

function judgeEnvelope(
  operation: Operation,
  path: string,
  response: WireResponse,
  mediaType: string,
  body: unknown,
): void {
  if (mediaType !== 'application/json' && response.body.length > 0) return;
  assertContract(operation.method, path, { status: response.status, body });
  if (body === undefined) return;
  assert.equal(
    (body as { traceId?: unknown }).traceId,
    toTraceId(response),
    'body and header name one trace',
  );
}

function parseBody({ body }: WireResponse, mediaType: string): unknown {
  if (body.length === 0) return undefined;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  if (mediaType === 'application/json') return JSON.parse(text);
  if (mediaType === 'application/x-ndjson')
    for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
  return text;
}
