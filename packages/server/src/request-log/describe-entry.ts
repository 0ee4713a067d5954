/** A703. */
import { createHash, randomUUID } from 'node:crypto';
import { LOGGED_BODY_BYTES_MAX } from '@keyport/contract/accounts/requests';
import { OPERATION_LIST } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { PATH_PARAMETERS } from '@keyport/contract/operations/path-parameters';
import { isOrderId, parseIdempotencyKey } from '@keyport/core/ids';
import type { RequestRecord } from '@keyport/http/server/request-record';
import {
  type Beginning,
  cut,
  hasForm,
  isSecretName,
  type MayShow,
  maskJson,
  maskPath,
  maskQuery,
  maskSecrets,
  membersIn,
  toBeginning,
} from './mask.ts';

/** Must not keep a reference to the socket. */
export type EndedRequest = {
  readonly accountId: string;
  readonly clientId: string;
  readonly operation: string;
  readonly record: RequestRecord;
  readonly arrivedAtMicros: number;
  readonly url: string;
  readonly orderId: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly idempotencyKey: unknown;
  /** The log needs it for the check-up, so it is undefined in live mode. */
  readonly authorization: string | undefined;
  readonly requestBody: Beginning | undefined;
  readonly responseBody: Beginning | undefined;
};

export type Entry = {
  readonly accountId: string;
  readonly id: string;
  readonly atMicros: number;
  readonly clientId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly code: string | null;
  readonly traceId: string;
  readonly durationMs: number;
  readonly idempotencyKey: string | null;
  readonly orderId: string | null;
  readonly address: string;
  readonly userAgent: string | null;
  readonly tokenHash: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
};

type Members = ReadonlyMap<string, readonly object[]>;

type Shape = {
  readonly path: string;
  readonly body: Members;
  readonly query: Members;
  readonly hasSecretBody: boolean;
  readonly hasSecretResponse: boolean;
};

const SHAPES: ReadonlyMap<string, Shape> = new Map(
  OPERATION_LIST.map((operation) => [operation.name, toShape(operation)]),
);

const PATTERNS = Object.fromEntries(
  Object.entries(PATH_PARAMETERS).map(([name, schema]) => [name, toPattern(schema)]),
);

/** Any other segment that is not a parameter may hold a secret. */
const WORDS: ReadonlySet<string> = new Set(OPERATION_LIST.flatMap(({ path }) => path.split('/')));

const USER_AGENT_BYTES_MAX = 200;
const ORDER_ID = /^\{(?:"traceId":"\w+",)?"data":\{"id":"(\d{16})"|"orderId":"(\d{16})"/;

export function loggedBeginning(body: string | Buffer | undefined): Beginning | undefined {
  return body === undefined ? undefined : toBeginning(body, LOGGED_BODY_BYTES_MAX);
}

export function describeEntry(ended: EndedRequest): Entry {
  const { accountId, clientId, operation, record, url, userAgent, idempotencyKey, arrivedAtMicros } = ended;
  const { method, status, code, traceId, durationMs } = record;
  const shape = SHAPES.get(operation);
  const isRejected = status >= 400;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark + 1);
  // People repeat a code in the free text beside it.
  const hasCodes = shape?.hasSecretBody !== false;
  /** A value that does not match its member's schema may be a misplaced code. */
  const mayShow = (members: Members | undefined, isFree: boolean) => (name: string, value: string) =>
    isNoSecret(name) && members?.get(name)?.some((schema) => hasForm(schema, value, isFree)) === true;
  return {
    accountId,
    id: entryId(arrivedAtMicros, randomUUID()),
    atMicros: arrivedAtMicros,
    clientId,
    method,
    path: storable(isRejected ? maskPath(path, shape?.path ?? '', PATTERNS, WORDS) : path, 8192),
    query: storable(
      maskQuery(
        query,
        isRejected
          ? mayShow(shape?.query, false)
          : (name) => isNoSecret(name) && shape?.query.has(name) === true,
      ),
      8192,
    ),
    status,
    code: code ?? null,
    traceId,
    durationMs: Math.round(durationMs),
    idempotencyKey: parseIdempotencyKey(String(idempotencyKey ?? '')) ?? null,
    orderId: toOrderId(ended.orderId, ended.responseBody?.text),
    address: ended.address,
    userAgent: userAgent === undefined ? null : maskSecrets(cut(userAgent, USER_AGENT_BYTES_MAX)),
    tokenHash: ended.authorization === undefined ? null : computeHash(ended.authorization),
    // A valid body has known members only.
    requestBody: maskedBody(
      ended.requestBody,
      isRejected || hasCodes ? mayShow(shape?.body, !hasCodes) : undefined,
    ),
    // A placed order keeps its response; the log does not repeat it.
    responseBody:
      isRejected || operation !== 'createOrder'
        ? maskedBody(
            ended.responseBody,
            isRejected || shape?.hasSecretResponse === false ? undefined : isNoSecret,
          )
        : null,
  };
}

/** The beginning of the hash suffices to tell the tokens of a client apart. */
function computeHash(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64url').slice(0, 16);
}

const isNoSecret = (name: string) => !isSecretName(name);

/** Ids are UUIDs of version 7, whose time has microseconds, so they sort by time. */
export function entryId(atMicros: number, uuid: string): string {
  const milliseconds = Math.floor(atMicros / 1000);
  const time = hex(milliseconds, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(atMicros - milliseconds * 1000, 3)}${uuid.slice(18)}`;
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}

/** Without `mayShow`, every whole value is shown. */
function maskedBody(body: Beginning | undefined, mayShow: MayShow | undefined): string | null {
  if (body === undefined) return null;
  const isShown = mayShow === undefined && !body.isCut;
  return storable(isShown ? body.text : maskJson(body, mayShow ?? (() => true)), LOGGED_BODY_BYTES_MAX);
}

function storable(text: string, bytesMax: number): string {
  return cut(maskSecrets(text), bytesMax);
}

function toOrderId(orderId: string | undefined, responseText = ''): string | null {
  // No order id begins with 0, which the bigint column would drop.
  if (orderId !== undefined) return isOrderId(orderId) && !orderId.startsWith('0') ? orderId : null;
  const found = ORDER_ID.exec(responseText);
  return found?.[1] ?? found?.[2] ?? null;
}

function toShape({ path, body, query, responses }: OperationSpec): Shape {
  const members = membersIn(body);
  return {
    path,
    body: members,
    query: membersIn(query),
    hasSecretBody: [...members.keys()].some(isSecretName),
    hasSecretResponse: [...membersIn(responses).keys()].some(isSecretName),
  };
}

function toPattern(schema: object): RegExp {
  return new RegExp('pattern' in schema ? String(schema.pattern) : '^\\w+$');
}
