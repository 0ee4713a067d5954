/** What a client and a call can be told. */

/** Of a client of the service. */
export interface KeyportOptions {
  /** Where the service is, such as `https://export.example.com`. It may have a path. */
  readonly baseUrl: string;
  /** The OAuth client. Its token is fetched when it is needed and shared by all calls. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Instead of the client: called for each request, and once more when the token is rejected. */
  readonly accessToken?: (() => string | Promise<string>) | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Deadline of a call in milliseconds, retries included. 60,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** How many times a request is retried at most. Unless given, the deadline alone ends the retries. */
  readonly maxRetries?: number | undefined;
  /**
   * Called before each request is sent, retries and token requests included. Hooks only watch: what they throw is logged and
   * changes nothing.
   */
  readonly onRequest?: ((request: SentRequest) => unknown) | undefined;
  /** Called when the response of a request has begun, or when none came. */
  readonly onResponse?: ((response: ReceivedResponse) => unknown) | undefined;
}

/** A request as `onRequest` gets it: without the token, the secret and a body. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** A copy of the headers, without `Authorization`. */
  readonly headers: Headers;
  /** 1, and one more for each retry of a call. */
  readonly attempt: number;
}

/** A response as `onResponse` gets it: without its body, which may have keys or a token. */
export interface ReceivedResponse {
  /** As `onRequest` saw it. */
  readonly request: SentRequest;
  /** Undefined: no response came. */
  readonly status: number | undefined;
  /** A copy of the headers of the response; empty when none came. */
  readonly headers: Headers;
  /** From sending the request to the first byte of the response. */
  readonly durationMs: number;
  /** Why no response came. */
  readonly error: unknown;
}

/** Of one call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call in milliseconds, retries included. */
  readonly timeoutMs?: number | undefined;
  /** Of a write: a UUID of your own, stored before you send. Retrying with the same key takes effect once. */
  readonly idempotencyKey?: string | undefined;
  /** Of an operator's write: the ETag of its preview. It then happens only in the state that the preview showed. */
  readonly ifMatch?: string | undefined;
  /** Sandbox only: what is to happen to the first request, such as `lost-answer`. Retries go without it. */
  readonly scenario?: string | undefined;
}

const CALL_OPTIONS: readonly string[] = ['signal', 'timeoutMs', 'idempotencyKey', 'ifMatch', 'scenario'];

/** Lists take options among their filters too. */
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
