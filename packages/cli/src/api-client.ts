/**
 * Calls the operator interface of a running service. Paths and methods come from the table of operations; the token
 * from the service's own token endpoint. Failures become one or two sentences that say what to do.
 */
import type { ErrorEnvelope, PageMeta } from '@keyport/contract/envelope';
import { OPERATIONS, type OperationName } from '@keyport/contract/operations';
import type { Static, TSchema } from 'typebox';
import { type Exchange, openExchange } from './exchange.ts';
import { CommandFailure } from './failure.ts';

export type OperatorOperation = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['audience'] extends 'operator' ? Name : never;
}[OperationName];

type Responses<Name extends OperatorOperation> = (typeof OPERATIONS)[Name]['responses'];

type DataOf<Schema> = Schema extends TSchema
  ? Static<Schema> extends { data: infer Data }
    ? Data
    : undefined
  : undefined;

export type Answer<Name extends OperatorOperation> = {
  readonly status: number;
  /** The envelope as it came; empty for an answer without a body. */
  readonly body: {
    readonly data?: DataOf<Responses<Name>[keyof Responses<Name>]>;
    readonly meta?: PageMeta;
    readonly summary?: SummaryOf<Responses<Name>[keyof Responses<Name>]>;
    readonly traceId?: string;
  };
};

type SummaryOf<Schema> = Schema extends TSchema
  ? Static<Schema> extends { summary: infer Summary }
    ? Summary
    : never
  : never;

export type CallParts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
};

export type ApiClient = {
  /** Throws CommandFailure for everything but a success. */
  call<Name extends OperatorOperation>(name: Name, parts?: CallParts): Promise<Answer<Name>>;
  /** The answer in another form than JSON, of any size. Throws CommandFailure, also when it breaks off. */
  download(name: OperatorOperation, parts: CallParts, accept: string): Promise<AsyncIterable<Uint8Array>>;
  /** For a body of any size whose answer comes meanwhile. Nothing is thrown before its lines are read. */
  exchange(name: OperatorOperation, parts: Omit<CallParts, 'body'>, contentType: string): Exchange;
};

export type Operator = { readonly clientId: string; readonly clientSecret: string };

/** Gets a token; it outlives the one command that it is for. Throws CommandFailure. */
export async function connectClient(baseUrl: string, operator: Operator): Promise<ApiClient> {
  const token = await fetchToken(baseUrl, operator);
  const request = (name: OperatorOperation, parts: CallParts, headers: Record<string, string> = {}) => {
    const { method, path } = OPERATIONS[name];
    return send(baseUrl, buildPath(path, parts), {
      method,
      headers: { ...contentTypeOf(parts), ...headers, authorization: `Bearer ${token}` },
      ...bodyOf(parts),
    });
  };
  return {
    async call(name, parts = {}) {
      const response = await request(name, parts);
      const text = await response.text();
      if (!response.ok) throw new CommandFailure(describeRefusal(response, text));
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
    },
    async download(name, parts, accept) {
      const response = await request(name, parts, { accept });
      if (!response.ok) throw new CommandFailure(describeRefusal(response, await response.text()));
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

async function* readWhole({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw new CommandFailure('the answer broke off before its end; try again', { cause });
  }
}

async function fetchToken(baseUrl: string, { clientId, clientSecret }: Operator): Promise<string> {
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
      `the service at ${baseUrl} does not know the operator ${clientId} with this secret. ` +
        'Set KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET to those of an operator of that service',
    );
  }
  const token = parseObject(text)?.['access_token'];
  if (!response.ok || typeof token !== 'string') throw new CommandFailure(describeRefusal(response, text));
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
    throw new CommandFailure(
      `the service at ${baseUrl} does not answer (${String(reason)}). ` +
        'Start it with `keyport serve`, or say where it is with --url or KEYPORT_URL',
      { cause: error },
    );
  }
}

function buildPath(pattern: string, { params = {}, query = {} }: CallParts): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query);
  return search.size === 0 ? path : `${path}?${search}`;
}

function contentTypeOf({ body }: CallParts): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function bodyOf({ body }: CallParts): RequestInit {
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** The error of the envelope: its code and message, one line per field, the trace id to quote. */
export function describeRefusal({ status, url }: Pick<Response, 'status' | 'url'>, text: string): string {
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
  ].join('\n');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
