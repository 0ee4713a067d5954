import type { SubError } from '../generated/reseller-contract.ts';
import type { CallOptions, KeyportOptions } from '../options.ts';
import { decodeText, ForeignError, parseObject } from './body.ts';
import { type Answered, Call, ListCall } from './call.ts';
import { checkedText } from './checked-text.ts';
import { KeyportConnectionError, KeyportError, KeyportTimeoutError } from './errors.ts';
import { observedFetch, type Send } from './observed-fetch.ts';
import { monotonicMs, sleep, within } from './time.ts';
import { cachedToken, type TokenRequest, type TokenSource } from './token.ts';

const TIMEOUT_MS = 60_000;
/** An attempt may use a quarter of the deadline, but not less than this. */
const ATTEMPT_MS_MIN = 5000;
const PAUSE_MS_MIN = 200;
const PAUSE_MS_MAX = 10_000;
/** If more arrive, a proxy keeps failing or baseUrl is wrong. */
const FOREIGN_ERRORS_MAX = 5;

/** The service did not carry out the request. */
const SAFE_STATUSES: readonly number[] = [408, 429];
const NOT_IMPLEMENTED = 501;

/** Paths that must not be part of baseUrl. */
const OWN_PATH =
  /\/+(?:(?:export|admin|sandbox)\/+v1|oauth|docs|console|health|(?:admin\/+)?openapi\.json|\.well-known)\//;

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  /** If the caller provides no Idempotency-Key, one is generated. */
  readonly takesKey?: boolean;
  /** Whether 204 is a success; otherwise a proxy sent it. */
  readonly mayBeEmpty?: boolean;
  /** The deadline in `monotonicMs` of a call with several requests. */
  readonly endsAtMs?: number;
};

export type Envelope = Readonly<Record<string, unknown>>;

/** The options of `fetch`; a streamed body needs `duplex`. */
export type StreamInit = RequestInit & { readonly duplex?: 'half' };

/** Retries reads, and writes with an Idempotency-Key, until the outcome is known. */
export class Transport {
  readonly #baseUrl: string;
  readonly #fetch: Send;
  readonly #token: TokenSource;
  readonly #credentials: TokenRequest | undefined;
  readonly #timeoutMs: number;
  readonly #retriesMax: number;

  constructor(options: KeyportOptions) {
    const { clientId, clientSecret, accessToken, timeoutMs = TIMEOUT_MS, maxRetries } = options;
    this.#baseUrl = checkedBaseUrl(options.baseUrl);
    this.#fetch = observedFetch(options);
    this.#timeoutMs = checkedNumber('timeoutMs', timeoutMs);
    this.#retriesMax =
      maxRetries === undefined ? Number.POSITIVE_INFINITY : checkedNumber('maxRetries', maxRetries);
    if (accessToken !== undefined) this.#token = { get: async () => accessToken() };
    else if (clientId && clientSecret) {
      const url = `${this.#baseUrl}/oauth/token`;
      this.#credentials = {
        url,
        clientId: checkedText('clientId', clientId),
        clientSecret:
          typeof clientSecret === 'string' ? checkedText('clientSecret', clientSecret) : clientSecret,
        fetch: this.#fetch,
      };
      this.#token = cachedToken(this.#credentials);
    } else throw new TypeError('Keyport needs clientId and clientSecret, or accessToken.');
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Uses a new secret of this client, unless `clientSecret` is a function. */
  adoptSecret(next: { readonly clientId: string; readonly clientSecret: string }): void {
    const own = this.#credentials;
    if (own?.clientId === next.clientId && typeof own.clientSecret === 'string')
      own.clientSecret = next.clientSecret;
  }

  computeDeadline(options: CallOptions): number {
    return monotonicMs() + checkedNumber('timeoutMs', options.timeoutMs ?? this.#timeoutMs);
  }

  call<T>(request: ApiRequest, options: CallOptions = {}): Call<T> {
    return this.envelope(request, options).map(({ data }) => data as T);
  }

  read<T>(path: string, options?: CallOptions, query?: ApiRequest['query']): Call<T> {
    return this.call({ method: 'GET', path, query }, options);
  }

  readList<T>(path: string, options?: CallOptions, query?: ApiRequest['query']): ListCall<T> {
    return new ListCall(this.read<T[]>(path, options, query).withResponse());
  }

  /** All attempts share one idempotency key. */
  write<T>(method: string, path: string, body: unknown, options: CallOptions | undefined): Call<T> {
    return this.call({ method, path, body, takesKey: true, mayBeEmpty: method === 'DELETE' }, options);
  }

  envelope<Body = Envelope>(request: ApiRequest, options: CallOptions = {}): Call<Body> {
    return new Call(
      this.#sendUntilKnown(request, options) as Promise<Answered<unknown>> as Promise<Answered<Body>>,
    );
  }

  /** Sends once. The caller reads the body of a successful response. */
  async fetch(path: string, init: StreamInit = {}): Promise<Response> {
    const url = this.#urlOf(path);
    const what = `${init.method ?? 'GET'} ${url}`;
    const signal = init.signal ?? new AbortController().signal;
    const send = async (rejectedToken?: string) => {
      const token = await this.#token.get(rejectedToken, signal);
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      const sent = this.#fetch(url, { ...init, headers, redirect: 'manual' });
      const response = await sent.catch((cause: unknown) => {
        throw new KeyportConnectionError(`${what}: no response.`, { cause });
      });
      return { token, response };
    };
    try {
      let { token, response } = await send();
      // A stream cannot be sent twice.
      if (response.status === 401 && init.duplex === undefined) ({ response } = await send(token));
      if (response.ok) return response;
      const bytes = await response.arrayBuffer().catch(() => new ArrayBuffer(0));
      throw deriveError(response, parseObject(decodeText(bytes))) ?? new ForeignError(what, response);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  async #sendUntilKnown(request: ApiRequest, options: CallOptions): Promise<Answered<Envelope>> {
    const { signal, scenario, ifMatch } = options;
    const url = this.#urlOf(request.path, request.query);
    const key = request.takesKey ? (options.idempotencyKey ?? randomUuid()) : undefined;
    const timeoutMs = checkedNumber('timeoutMs', options.timeoutMs ?? this.#timeoutMs) + waitMs(request);
    const endsAtMs = request.endsAtMs ?? monotonicMs() + timeoutMs;
    const attemptMs = Math.max(timeoutMs / 4, ATTEMPT_MS_MIN) + waitMs(request);
    let rejectedToken: string | undefined;
    let hasNewToken = false;
    let foreignErrors = 0;
    for (let retries = 0; ; ) {
      const leftMs = endsAtMs - monotonicMs();
      const late = `${request.method} ${request.path}: no response in time (deadline ${Math.round(timeoutMs)} ms).`;
      const reason = () => new KeyportTimeoutError(late, { idempotencyKey: key });
      const limit = { ms: Math.max(Math.min(attemptMs, leftMs), 0), signal, reason };
      let token: string | undefined;
      const error = await within(limit, async (attemptSignal) => {
        token = await this.#token.get(rejectedToken, attemptSignal);
        attemptSignal.throwIfAborted();
        const forced =
          retries === 0 && !(hasNewToken && scenario?.includes('unauthorized')) ? scenario : undefined;
        return this.#sendOnce(url, request, {
          token,
          key,
          ifMatch,
          scenario: forced,
          signal: attemptSignal,
          attempt: retries + 1,
        });
      }).then(
        (answered) => ({ answered }),
        (thrown: unknown) => ({ thrown }),
      );
      if ('answered' in error) return error.answered;
      const { thrown } = error;
      if (signal?.aborted) throw signal.reason;
      if (needsNewToken(thrown) && !hasNewToken && token !== undefined) {
        rejectedToken = token;
        hasNewToken = true;
        continue;
      }
      if (thrown instanceof ForeignError && !isTemporary(thrown.response)) foreignErrors += 1;
      const isFinal = !isRetried(thrown, request, key) || foreignErrors === FOREIGN_ERRORS_MAX;
      const pauseMs = pauseAfter(thrown, retries);
      if (isFinal || retries >= this.#retriesMax || monotonicMs() + pauseMs >= endsAtMs)
        throw withKey(thrown, key);
      retries += 1;
      await sleep(pauseMs, signal);
    }
  }

  /** Without its leading /, a path could turn baseUrl into another host, which would get the token. */
  #urlOf(path: string, query?: ApiRequest['query']): string {
    if (path.startsWith('/')) return `${this.#baseUrl}${path}${queryString(query)}`;
    throw new TypeError(
      `path must begin with /, such as /export/v1/account, but is ${JSON.stringify(path)}.`,
    );
  }

  async #sendOnce(
    url: string,
    { method, body, mayBeEmpty }: ApiRequest,
    sent: {
      readonly token: string;
      readonly key: string | undefined;
      readonly ifMatch: string | undefined;
      readonly scenario: string | undefined;
      readonly signal: AbortSignal;
      readonly attempt: number;
    },
  ): Promise<Answered<Envelope>> {
    let response: Response;
    let text: string;
    try {
      const init = {
        method,
        headers: {
          authorization: `Bearer ${sent.token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
          ...(sent.ifMatch === undefined ? {} : { 'if-match': sent.ifMatch }),
          ...(sent.scenario === undefined ? {} : { 'keyport-scenario': sent.scenario }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A redirect would send the token elsewhere.
        redirect: 'manual',
        signal: sent.signal,
      } as const;
      response = await this.#fetch(url, init, sent.attempt);
      text = decodeText(await response.arrayBuffer());
    } catch (cause) {
      if (sent.signal.aborted) throw sent.signal.reason;
      throw new KeyportConnectionError(`${method} ${url}: no response.`, { cause });
    }
    const envelope = parseObject(text);
    if (response.status === 204 && mayBeEmpty) return { data: {}, response };
    if (response.status === 204) throw new ForeignError(`${method} ${url}`, response);
    if (response.ok && envelope !== undefined && 'data' in envelope) return { data: envelope, response };
    const error = deriveError(response, envelope);
    if (error !== undefined) throw error;
    if (!response.ok) throw new ForeignError(`${method} ${url}`, response);
    throw new KeyportConnectionError(
      `${method} ${url} returned ${response.status} with a body that is not Keyport's. It may have been damaged on the way.`,
    );
  }
}

/** A part of a client. */
export class Resource {
  /** @internal */
  protected readonly transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/** A client may change itself only with a new token. */
function needsNewToken(thrown: unknown): boolean {
  if (!(thrown instanceof KeyportError)) return false;
  const { reason } = Object(thrown.data) as { readonly reason?: unknown };
  return thrown.status === 401 || (thrown.status === 403 && reason === 'token-too-old');
}

function isRetried(thrown: unknown, { method }: ApiRequest, key: string | undefined): boolean {
  const isRepeatable = key !== undefined || method === 'GET';
  if (thrown instanceof KeyportError) {
    if (thrown.code === 'idempotency-key-processing') return true;
    return isRepeatable ? isTemporary(thrown) : SAFE_STATUSES.includes(thrown.status);
  }
  return thrown instanceof KeyportConnectionError && isRepeatable;
}

function isTemporary({ status }: { readonly status: number }): boolean {
  return SAFE_STATUSES.includes(status) || (status >= 500 && status !== NOT_IMPLEMENTED);
}

/** Adds a random part, so that callers do not retry together. */
function pauseAfter(thrown: unknown, retries: number): number {
  const response =
    thrown instanceof KeyportError || thrown instanceof ForeignError ? thrown.response : undefined;
  const askedMs = retryAfterMs(response?.headers.get('retry-after') ?? '');
  const growingMs = Math.min(PAUSE_MS_MIN * 2 ** retries, PAUSE_MS_MAX);
  if (askedMs === undefined) return growingMs * (0.5 + Math.random() / 2);
  return askedMs + Math.random() * Math.min(growingMs, 1000);
}

function retryAfterMs(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(atMs - Date.now(), 0);
}

function waitMs({ query }: ApiRequest): number {
  return Number(query?.['wait'] ?? 0) * 1000;
}

function withKey(thrown: unknown, idempotencyKey: string | undefined): unknown {
  if (idempotencyKey === undefined || !(thrown instanceof Error)) return thrown;
  if (thrown instanceof KeyportError || thrown instanceof KeyportConnectionError) {
    Object.defineProperty(thrown, 'idempotencyKey', { value: idempotencyKey, enumerable: true });
  }
  return thrown;
}

/** Undefined if it is not an error of the service. */
function deriveError(response: Response, envelope: Envelope | undefined): KeyportError | undefined {
  const error = envelope?.['error'];
  if (response.ok || typeof error !== 'object' || error === null) return undefined;
  const { code, message, data, errors, doc_url: docUrl } = error as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  const traceId = envelope?.['traceId'];
  return new KeyportError({
    status: response.status,
    code,
    message,
    data,
    errors: Array.isArray(errors) ? (errors as SubError[]) : [],
    traceId: typeof traceId === 'string' ? traceId : undefined,
    docUrl: typeof docUrl === 'string' ? docUrl : undefined,
    response,
  });
}

/** `{ productIds: ['1', '2'] }` is `?productIds[]=1&productIds[]=2`. */
function queryString(query: ApiRequest['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value.map((one) => [`${name}[]`, String(one)]) : [[name, String(value)]];
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function checkedBaseUrl(given: string): string {
  const text = checkedText('baseUrl', given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      `baseUrl must be a URL such as https://export.example.com, not ${text === '' ? 'empty' : text}.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('baseUrl must not have credentials. Set clientId and clientSecret.');
  }
  const [own] = OWN_PATH.exec(`${url.pathname}/`) ?? [];
  if (own !== undefined) {
    const base = url.origin + url.pathname.slice(0, `${url.pathname}/`.indexOf(own));
    throw new TypeError(`baseUrl must end before ${own.slice(0, -1)}, which is a path of Keyport: ${base}`);
  }
  return text.replace(/\/+$/, '');
}

function checkedNumber(name: string, value: number): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw new TypeError(`${name} must be 0 or a positive number, not ${String(value)}.`);
}

/** `crypto.randomUUID` is missing on pages without https. */
function randomUuid(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const variant = '89ab'[Number.parseInt(digits[16] ?? '0', 16) % 4];
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
}
