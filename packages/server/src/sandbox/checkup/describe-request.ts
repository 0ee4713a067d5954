/** The description contains nothing that may be secret: no body, no token, no unverified values from the URL. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@keyport/contract/errors';
import { OPERATION_LIST, type OperationName } from '@keyport/contract/operations';
import type { CreateOrderBody } from '@keyport/contract/orders/orders';
import { isOrderId, parseIdempotencyKey } from '@keyport/core/ids';
import { HUNG_UP, type RequestRecord } from '@keyport/http/server/request-record';
import type { SandboxDeps } from '../deps.ts';
import { parseScenario } from '../scenario.ts';
import { type ClientRequest, shortHash } from './client-request.ts';

export type RawRequest = {
  readonly record: RequestRecord;
  readonly operation: OperationName | 'token';
  readonly endedAtMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly socket: Socket;
  readonly body: CreateOrderBody | undefined;
};

const REQUEST_LENGTH_MAX = 500;
const RESERVATION_ID = /rsv_[0-9a-f]{32}/;

/** If a response has one of these codes, the values in the URL were not verified as ids. */
const UNPROVEN_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'validation-error',
  'not-found',
  'unauthorized',
  'forbidden',
  'uri-too-long',
  'headers-too-large',
  'payload-too-large',
  'request-timeout',
  'too-many-requests',
  'internal-server-error',
  'service-unavailable',
]);

export function describeRequest(raw: RawRequest, fingerprint: SandboxDeps['fingerprint']): ClientRequest {
  const { record, operation, endedAtMs, headers, body } = raw;
  const { status, code, traceId, retryAfterMs, durationMs, method } = record;
  const scenario = scenarioOf(headers, operation);
  const address = decoded(raw.url);
  const isShown = status < 400 || (scenario === undefined && code !== undefined && !UNPROVEN_CODES.has(code));
  const request = `${method} ${isShown ? address : withoutValues(address, record.route)}`;
  const bodyBytes = Number(headers['content-length'] ?? 0);
  return {
    operation,
    startedAtMs: endedAtMs - durationMs,
    endedAtMs,
    request: request.slice(0, REQUEST_LENGTH_MAX),
    ...(isShown ? {} : { address: shortHash(`${method} ${address}`) }),
    status: status === HUNG_UP ? null : status,
    code,
    traceId,
    scenario,
    key: parseIdempotencyKey(String(headers['idempotency-key'] ?? '')),
    token: operation === 'token' ? undefined : hashToken(headers),
    connection: connectionOf(raw),
    retryAfterMs,
    ...(bodyBytes > 0 && { bodyBytes }),
    ...(body !== undefined && { payload: fingerprint(body), wanted: wantedOf(body) }),
    ...(operation === 'orderReservation' && { wanted: address.match(RESERVATION_ID) ?? [] }),
  };
}

export function hashToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : shortHash(authorization);
}

function wantedOf({ items }: CreateOrderBody): string[] {
  return items.flatMap(({ auto, manual }) => auto?.productId ?? manual?.offerId.toLowerCase() ?? []);
}

const NODE = randomBytes(6).toString('base64url');
const connections = new WeakMap<Socket, string>();
let connectionCount = 0;

/** A522. */
function connectionOf({ socket, headers }: RawRequest): string | undefined {
  if (headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined) return undefined;
  if (headers['via'] !== undefined) return undefined;
  const known = connections.get(socket);
  if (known !== undefined) return known;
  connectionCount += 1;
  const name = `${NODE}-${connectionCount}`;
  connections.set(socket, name);
  return name;
}

/** Undefined for a rejected scenario, because it may contain anything. */
function scenarioOf(headers: IncomingHttpHeaders, name: ClientRequest['operation']): string | undefined {
  const header = headers['keyport-scenario'];
  const operation = OPERATION_LIST.find((one) => one.name === name);
  if (header === undefined || operation === undefined) return undefined;
  try {
    parseScenario(String(header), operation);
    return String(header);
  } catch {
    return undefined;
  }
}

/** The values may contain a product key. */
function withoutValues(address: string, route: string): string {
  const [path = ''] = address.split('?');
  const segments = path.split('/');
  // Product ids also have the form of order ids.
  const isKnown = route
    .split('/')
    .every((segment, index) => segment === segments[index] || isOrderId(segments[index] ?? ''));
  return isKnown ? path : route;
}

function decoded(url: string): string {
  return url.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%5b', '[').replaceAll('%5d', ']');
}
