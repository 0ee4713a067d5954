/**
 * Calls the operations of a running service through the SDK. Paths and methods come from the table of operations. Failures
 * become one or two sentences that say what to do.
 */
import { randomUUID } from 'node:crypto';
import type { CursorMeta, PageMeta } from '@keyport/contract/envelope';
import {
  OPERATIONS,
  type OperationName,
  type OperationSpec,
  type ResponseMember,
} from '@keyport/contract/operations';
import { Keyport, KeyportConnectionError, KeyportError } from '@keyport/sdk-source';
import { type Exchange, ExchangeBroken, openExchange } from './exchange.ts';
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
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of a write; a new one when absent. */
  readonly idempotencyKey?: string | undefined;
  /** What the sandbox is to do. */
  readonly scenario?: string | undefined;
  /** What a command calls a field such as `body.paymentMethod`; absent: as the service does. */
  readonly nameField?: (field: string) => string;
};

/** For reads, and for writes whose outcome is unknown: their Idempotency-Key makes them take effect once. */
const RETRIES_MAX = 4;

/** Verifying the whole database can take minutes. */
const TIMEOUT_MS = 20 * 60_000;

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

/** A token is fetched with the first call, and again when it expires. */
export function connectClient(baseUrl: string, operator: Operator): ApiClient {
  const { clientId, clientSecret } = operator;
  const connection = watchConnection(baseUrl);
  const { fetch, signal } = connection;
  const keyport = new Keyport({
    ...{ baseUrl, clientId, clientSecret, fetch },
    ...{ maxRetries: RETRIES_MAX, timeoutMs: TIMEOUT_MS },
  });
  const explain = (error: unknown, parts: Pick<CallParts, 'nameField'> = {}) =>
    failureOf(error, { baseUrl, operator, ...parts });
  return {
    async call(name, parts = {}) {
      const { query, body, scenario } = parts;
      const { method, path, responses }: OperationSpec = OPERATIONS[name];
      const mayBeEmpty = Object.values(responses).includes(null);
      const idempotencyKey = parts.idempotencyKey ?? (takesKey(name) ? randomUUID() : undefined);
      const input = {
        method,
        path: fillPath(path, parts),
        query: query && plainNames(query),
        body,
        mayBeEmpty,
      };
      const { data, response } = await keyport
        .request<ApiResponse<typeof name>['body']>(input, { idempotencyKey, scenario, signal })
        .withResponse()
        .catch((error: unknown) => {
          throw withKey(error, explain(error, parts), idempotencyKey);
        });
      return {
        status: response.status,
        isReplayed: response.headers.has('idempotent-replayed'),
        body: data,
      };
    },
    async download(name, parts, accept) {
      const path = pathWithQuery(name, parts);
      const response = await keyport.fetch(path, { headers: { accept }, signal }).catch((error: unknown) => {
        throw explain(error);
      });
      return readWhole(response);
    },
    exchange(name, parts, contentType) {
      const { method } = OPERATIONS[name];
      const headers = { 'content-type': contentType, accept: 'application/x-ndjson' };
      return openExchange((init) => {
        const either = AbortSignal.any([init.signal, signal]);
        const sent = keyport.fetch(pathWithQuery(name, parts), { ...init, method, headers, signal: either });
        return sent.catch((error: unknown) => {
          if (error instanceof KeyportError && error.code !== UNKNOWN_CLIENT) throw error;
          if (codeOf(error) === undefined || error instanceof CommandFailure) throw explain(error);
          throw new ExchangeBroken(`the service at ${baseUrl} does not answer`, { cause: error });
        });
      });
    },
  };
}

export function takesKey(name: OperationName): boolean {
  const { idempotency }: OperationSpec = OPERATIONS[name];
  return idempotency !== undefined;
}

/** Adds how to retry, when the service or a proxy may have failed after the commit, or is still working on the write. */
function withKey(error: unknown, failure: Error, idempotencyKey: string | undefined): Error {
  const isUnknown =
    error instanceof KeyportConnectionError ||
    (error instanceof KeyportError && (error.status >= 500 || error.code === 'idempotency-key-processing'));
  if (idempotencyKey === undefined || !isUnknown) return failure;
  return new CommandFailure(
    `${failure.message}\nWhether the command took effect is not known. ` +
      `Run it again with --idempotency-key ${idempotencyKey}: it then takes effect once`,
    { cause: error },
  );
}

/** Nothing was sent: there is no service, or not yet again. */
export class NoService extends CommandFailure {}

/** The request may have arrived. */
const CONNECTION_LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Retries are for a service that was there before: one that does not answer at all is reported at once. */
function watchConnection(baseUrl: string): { readonly fetch: typeof fetch; readonly signal: AbortSignal } {
  const controller = new AbortController();
  let isReached = false;
  const watched: typeof fetch = async (...request) => {
    try {
      const response = await fetch(...request);
      isReached = true;
      return response;
    } catch (error) {
      const isFailure = error instanceof TypeError && !CONNECTION_LOST.has(codeOf(error) ?? '');
      if (!isReached && isFailure) {
        const reason = codeOf(error) ?? (error.cause instanceof Error ? error.cause.message : error.message);
        controller.abort(
          new NoService(
            `the service at ${baseUrl} does not answer (${reason}). ` +
              'Start it with `keyport serve`, or say where it is with --url or KEYPORT_URL',
            { cause: error },
          ),
        );
      }
      throw error;
    }
  };
  return { fetch: watched, signal: controller.signal };
}

/** The code of a failed connection, wherever in the chain of causes it is. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

async function* readWhole({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw new CommandFailure('the answer broke off before its end; try again', { cause });
  }
}

/** How the token endpoint rejects credentials. */
const UNKNOWN_CLIENT = 'invalid_client';

const OPERATOR_SETTINGS = 'KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET';

type Context = Pick<CallParts, 'nameField'> & { readonly baseUrl: string; readonly operator: Operator };

/** What the SDK threw, in the words of a command. */
function failureOf(error: unknown, { baseUrl, operator, nameField }: Context): Error {
  if (error instanceof KeyportError && error.code === UNKNOWN_CLIENT) {
    return new CommandFailure(
      `the service at ${baseUrl} does not know the client ${operator.clientId} with this secret. ` +
        `Set ${operator.setBy ?? OPERATOR_SETTINGS} to those of a client of that service`,
      { cause: error },
    );
  }
  if (error instanceof KeyportError)
    return new CommandFailure(describeRejection(error, nameField), { cause: error });
  if (!(error instanceof KeyportConnectionError))
    return error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error);
  if (code === undefined)
    return new CommandFailure(error.message.replace('Check baseUrl', 'Check --url or KEYPORT_URL'), {
      cause: error,
    });
  return new CommandFailure(
    `the connection to the service at ${baseUrl} was lost before it answered (${code})`,
    { cause: error },
  );
}

function fillPath(pattern: string, { params = {} }: CallParts): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function pathWithQuery(name: OperationName, parts: CallParts): string {
  const path = fillPath(OPERATIONS[name].path, parts);
  const search = new URLSearchParams(
    Object.entries(parts.query ?? {}).flatMap(([member, values]) =>
      [values].flat().map((value) => [member, value]),
    ),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The SDK adds the brackets to the name of a list. */
function plainNames(query: NonNullable<CallParts['query']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, values]) => [
      typeof values === 'string' ? name : name.replace(/\[\]$/, ''),
      values,
    ]),
  );
}

type Rejection = Pick<KeyportError, 'message' | 'code' | 'traceId'> & {
  readonly errors?: readonly { readonly message: string }[] | null | undefined;
};

/** Its code and message, one line per field, the trace id to quote. */
export function describeRejection(
  { message, code, errors, traceId }: Rejection,
  nameField = (field: string) => field,
): string {
  // A single field's message is the error's own too.
  const fields = (errors ?? []).filter((field) => field.message !== message);
  return [
    `${message} (${code})`,
    ...fields.map((field) => `  ${field.message}`),
    `  trace id ${traceId ?? '-'}`,
  ]
    .join('\n')
    .replace(FIELD, nameField);
}

const FIELD = /\b(?:body|query|path|headers)\.[\w-]+(?:\.\w+|\[\d+\])*/g;
