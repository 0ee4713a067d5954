/** What the log, the metrics and the traces record of every request once it has ended. */
import type { IncomingMessage } from 'node:http';

export type RequestRecord = {
  /** `(none)` of what never became a request, such as bytes that are not HTTP. */
  readonly method: string;
  /** The path as the contract writes it, parameters in braces; never the URL itself. `(none)` as above. */
  readonly route: string;
  /** HUNG_UP: the connection ended before the whole answer was sent. */
  readonly status: number;
  readonly durationMs: number;
  readonly traceId: string;
  /** Undefined: the caller was not authenticated. */
  readonly clientId: string | undefined;
  /** Of an answer that is an error. */
  readonly code: string | undefined;
  /** How long the caller was asked to wait before a retry, milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Of the body as it was sent; undefined: a stream, or none. */
  readonly responseBytes: number | undefined;
};

/** The caller hung up: no status of HTTP, but proxies log it as this. */
export const HUNG_UP = 499;

export const NONE = '(none)';

/** `message` is the request itself; undefined of what never became one. */
export type OnRequestEnd = (record: RequestRecord, message: IncomingMessage | undefined) => void;
