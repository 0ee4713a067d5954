/** The record of a request that has ended, for the log, the metrics and the traces. */
import type { IncomingMessage } from 'node:http';

export type RequestRecord = {
  /** `(none)` for bytes that are not HTTP. */
  readonly method: string;
  /** The path as the contract writes it, parameters in braces; never the URL itself. `(none)` as above. */
  readonly route: string;
  /** HUNG_UP: the connection ended before the whole response was sent. */
  readonly status: number;
  readonly durationMs: number;
  readonly traceId: string;
  /** Undefined: the caller was not authenticated. */
  readonly clientId: string | undefined;
  /** The error code. */
  readonly code: string | undefined;
  /** The wait that an error requested before a retry, milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Size of the body as sent; undefined: a stream, or none. */
  readonly responseBytes: number | undefined;
};

/** The caller hung up: no status of HTTP, but proxies log it as this. */
export const HUNG_UP = 499;

export const NONE = '(none)';

/** `message` is the request; undefined for bytes that are not HTTP. */
export type OnRequestEnd = (record: RequestRecord, message: IncomingMessage | undefined) => void;

/** The tracing of requests, implemented in the server's tracing/tracing.ts. */
export type RequestTracing = {
  /** Everything that is done for the request is done inside `serve`. */
  begin(request: IncomingMessage, serve: () => void): void;
  /** 32 hexadecimal digits, of a request that has begun. */
  traceIdOf(request: IncomingMessage): string;
  readonly onRequestEnd: OnRequestEnd;
};
