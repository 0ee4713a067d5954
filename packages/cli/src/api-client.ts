/**
 * Calls the operator interface of a running service. Paths and methods come from the table of operations; the token
 * from the service's own token endpoint. Failures become one or two sentences that say what to do.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CursorMeta, ErrorEnvelope, PageMeta } from '@keyport/contract/envelope';
import {
  OPERATIONS,
  type OperationName,
  type OperationSpec,
  type ResponseMember,
} from '@keyport/contract/operations';
import { type Exchange, openExchange } from './exchange.ts';
import { CommandFailure } from './failure.ts';

export type ApiResponse<Name extends OperationName> = {
  readonly status: number;
  /** True: the stored response of an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
  /** The envelope as it came; empty for a response without a body. */
  readonly body: {
    readonly data?: ResponseMember<Name, 'data'>;
    readonly meta?: PageMeta | CursorMeta;
    readonly summary?: ResponseMember<Name, 'summary'>;
    readonly traceId?: string;
  };
};

export type CallParts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of a write; a new one when absent. */
  readonly idempotencyKey?: string | undefined;
  /** What a command calls a field such as `body.paymentMethod`; absent: as the service does. */
  readonly nameField?: (field: string) => string;
};

/** Of a read, or of a write whose outcome is not known: its Idempotency-Key lets it take effect once. */
const ATTEMPTS_MAX = 5;

/** When the service does not say how long. */
const RETRY_AFTER_MS = 1000;

export type ApiClient = {
  /** Throws CommandFailure for everything but a success. */
  call<Name extends OperationName>(name: Name, parts?: CallParts): Promise<ApiResponse<Name>>;
  /** The response in another form than JSON, of any size. Throws CommandFailure, also when it breaks off. */
  download(name: OperationName, parts: CallParts, accept: string): Promise<AsyncIterable<Uint8Array>>;
  /** For a body of any size whose response comes while it is being sent. Nothing is thrown before its lines are read. */
  exchange(name: OperationName, parts: Omit<CallParts, 'body'>, contentType: string): Exchange;
};

export type Operator = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where they are set, for who has to correct them; of an operator the usual settings. */
  readonly setBy?: string;
};

/** Gets a token; it outlives the one command that it is for. Throws CommandFailure. */
export async function connectClient(baseUrl: string, operator: Operator): Promise<ApiClient> {
  const token = await fetchToken(baseUrl, operator);
  const request = (name: OperationName, parts: CallParts, headers: Record<string, string> = {}) => {
    const { method, path } = OPERATIONS[name];
    return send(baseUrl, buildPath(path, parts), {
      method,
      headers: { ...contentTypeOf(parts), ...parts.headers, ...headers, authorization: `Bearer ${token}` },
      ...bodyOf(parts),
    });
  };
  return {
    async call(name, parts = {}) {
      const send = async (headers: Record<string, string>) => {
        const response = await request(name, parts, headers);
        return { response, text: await response.text() };
      };
      const key = takesKey(name) ? (parts.idempotencyKey ?? randomUUID()) : undefined;
      const mayRetry = key !== undefined || OPERATIONS[name].method === 'GET';
      const { response, text } = await (mayRetry ? sendUntilKnown(send, key) : send({}));
      if (!response.ok) throw new CommandFailure(describeRejection(response, text, parts.nameField));
      const isReplayed = response.headers.has('idempotent-replayed');
      return { status: response.status, isReplayed, body: text === '' ? {} : JSON.parse(text) };
    },
    async download(name, parts, accept) {
      const response = await request(name, parts, { accept });
      if (!response.ok) throw new CommandFailure(describeRejection(response, await response.text()));
      return readWhole(response);
    },
    exchange(name, parts, contentType) {
      const { method, path } = OPERATIONS[name];
      return openExchange(baseUrl + buildPath(path, parts), method, {
        authorization: `Bearer ${token}`,
        'content-type': contentType,
        accept: 'application/x-ndjson',
      });
    },
  };
}

export function takesKey(name: OperationName): boolean {
  const { idempotency }: OperationSpec = OPERATIONS[name];
  return idempotency !== undefined;
}

type Received = { readonly response: Response; readonly text: string };

/** Sends a read, or a write with its key, until its outcome is known. Throws CommandFailure when it stays unknown. */
async function sendUntilKnown(
  send: (headers: Record<string, string>) => Promise<Received>,
  idempotencyKey: string | undefined,
): Promise<Received> {
  const headers = idempotencyKey === undefined ? undefined : { 'idempotency-key': idempotencyKey };
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send({ ...headers }).catch(asError);
    const isLost = outcome instanceof Error;
    if (!isLost && !isUndecided(outcome)) return outcome;
    // Nothing was sent yet, and there is no service to retry with.
    if (attempt === 1 && outcome instanceof NoResponse && !outcome.wasSent) throw outcome;
    if (attempt === ATTEMPTS_MAX) {
      const reason = isLost ? outcome.message : describeRejection(outcome.response, outcome.text);
      if (idempotencyKey === undefined) throw new CommandFailure(reason);
      throw new CommandFailure(
        `${reason}\nWhether the command took effect is not known. ` +
          `Run it again with --idempotency-key ${idempotencyKey}: it then takes effect once`,
      );
    }
    await sleep(isLost ? RETRY_AFTER_MS : retryAfterMs(outcome.response));
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function retryAfterMs({ headers }: Response): number {
  return Number(headers.get('retry-after')) * 1000 || RETRY_AFTER_MS;
}

/** The service or a proxy before it failed, maybe after the write was committed, or the service is still at it. */
function isUndecided({ response: { status }, text }: Received): boolean {
  return status >= 500 || (status === 409 && text.includes('"idempotency-key-processing"'));
}

/** The connection was not made, or was lost before there was a response. */
class NoResponse extends CommandFailure {
  readonly wasSent: boolean;
  constructor(message: string, options: { readonly wasSent: boolean; readonly cause: unknown }) {
    super(message, options);
    this.wasSent = options.wasSent;
  }
}

/** The request may have arrived. */
const CONNECTION_LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

async function* readWhole({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw new CommandFailure('the answer broke off before its end; try again', { cause });
  }
}

const OPERATOR_SETTINGS = 'KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET';

async function fetchToken(baseUrl: string, operator: Operator): Promise<string> {
  const { clientId, clientSecret, setBy = OPERATOR_SETTINGS } = operator;
  const response = await send(baseUrl, '/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const text = await response.text();
  if (response.status === 401) {
    throw new CommandFailure(
      `the service at ${baseUrl} does not know the client ${clientId} with this secret. ` +
        `Set ${setBy} to those of a client of that service`,
    );
  }
  const token = parseObject(text)?.['access_token'];
  if (!response.ok || typeof token !== 'string') throw new CommandFailure(describeRejection(response, text));
  return token;
}

async function send(baseUrl: string, path: string, init: RequestInit): Promise<Response> {
  try {
    // A redirect would take the token or the secret elsewhere.
    return await fetch(baseUrl + path, { ...init, redirect: 'error' });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const { code } = { code: undefined, ...(cause instanceof Error ? cause : {}) };
    const reason = code ?? (cause instanceof Error ? cause.message : String(cause));
    const wasSent = CONNECTION_LOST.has(String(code));
    const message = wasSent
      ? `the connection to the service at ${baseUrl} was lost before it answered (${String(reason)})`
      : `the service at ${baseUrl} does not answer (${String(reason)}). ` +
        'Start it with `keyport serve`, or say where it is with --url or KEYPORT_URL';
    throw new NoResponse(message, { cause: error, wasSent });
  }
}

function buildPath(pattern: string, { params = {}, query = {} }: CallParts): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

function contentTypeOf({ body }: CallParts): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function bodyOf({ body }: CallParts): RequestInit {
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** The error of the envelope: its code and message, one line per field, the trace id to quote. */
export function describeRejection(
  { status, url }: Pick<Response, 'status' | 'url'>,
  text: string,
  nameField = (field: string) => field,
): string {
  const envelope: Partial<ErrorEnvelope> | undefined = parseObject(text);
  const { error, traceId } = { error: undefined, traceId: undefined, ...envelope };
  if (typeof error !== 'object') {
    return `${url} answered ${status} with something that is not Keyport's. Check --url or KEYPORT_URL`;
  }
  // A single field's message is the error's own too.
  const fields = (error.errors ?? []).filter(({ message }) => message !== error.message);
  return [
    `${error.message} (${error.code})`,
    ...fields.map(({ message }) => `  ${message}`),
    `  trace id ${traceId ?? '-'}`,
  ]
    .join('\n')
    .replace(FIELD, nameField);
}

const FIELD = /\b(?:body|query|path|headers)\.[\w-]+(?:\.\w+|\[\d+\])*/g;

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
