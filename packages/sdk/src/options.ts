/** Options of a client. */
export interface KeyportOptions {
  /** The service's URL, such as `https://export.example.com`. It may have a path. */
  readonly baseUrl: string;
  /** The OAuth client. All calls share its token, fetched when needed. */
  readonly clientId?: string | undefined;
  /** A function is called for each token request, so it can return a secret that was rotated elsewhere. */
  readonly clientSecret?: string | (() => string | Promise<string>) | undefined;
  /** Returns the token; replaces the client. Called for each request, and again if the token is rejected. */
  readonly accessToken?: (() => string | Promise<string>) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Deadline of a call in milliseconds, including retries. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum retries of a request. Default: only the deadline limits them. */
  readonly maxRetries?: number | undefined;
  /**
   * Called before each request, including retries and token requests. Errors of hooks are logged and have no
   * effect.
   */
  readonly onRequest?: ((request: SentRequest) => unknown) | undefined;
  /** Called when the response starts, or when there is none. */
  readonly onResponse?: ((response: ReceivedResponse) => unknown) | undefined;
}

/** A request without the token, the secret and the body. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** A copy, without `Authorization`. */
  readonly headers: Headers;
  /** Counts the attempts of a call from 1. */
  readonly attempt: number;
}

/** A response without its body, which may contain keys or a token. */
export interface ReceivedResponse {
  /** The request, as for `onRequest`. */
  readonly request: SentRequest;
  /** Undefined without a response. */
  readonly status: number | undefined;
  /** A copy; empty without a response. */
  readonly headers: Headers;
  /** Milliseconds from sending to the first byte of the response. */
  readonly durationMs: number;
  /** Why there was no response. */
  readonly error: unknown;
}

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call in milliseconds, including retries. */
  readonly timeoutMs?: number | undefined;
  /** A write's UUID, stored before sending. All calls with it take effect once. */
  readonly idempotencyKey?: string | undefined;
  /** The ETag of the preview of an operator's write, which then happens only in that state. */
  readonly ifMatch?: string | undefined;
  /** Sandbox only: forces the outcome of the first request, such as `lost-answer`. Retries omit it. */
  readonly scenario?: string | undefined;
}

const CALL_OPTIONS: readonly string[] = ['signal', 'timeoutMs', 'idempotencyKey', 'ifMatch', 'scenario'];

/** Lists accept options among their filters. */
export function splitOptions<Filters extends object>(
  filters: Filters,
  options: CallOptions,
): { query: Record<string, unknown>; options: CallOptions } {
  const entries = Object.entries(filters);
  const isOption = ([name]: [string, unknown]) => CALL_OPTIONS.includes(name);
  return {
    query: Object.fromEntries(entries.filter((entry) => !isOption(entry))),
    options: { ...Object.fromEntries(entries.filter(isOption)), ...options },
  };
}
