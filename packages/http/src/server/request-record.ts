import type { IncomingMessage } from 'node:http';

export type RequestRecord = {
  /** `(none)` for bytes that are not HTTP. */
  readonly method: string;
  /** The contract's path, never the URL; `(none)` as above. */
  readonly route: string;
  /** HUNG_UP: the connection ended before the whole response was sent. */
  readonly status: number;
  readonly durationMs: number;
  readonly traceId: string;
  readonly clientId: string | undefined;
  readonly code: string | undefined;
  readonly responseBytes: number | undefined;
};

/** HTTP does not define it, but proxies log it. */
export const HUNG_UP = 499;

export const NONE = '(none)';

export type OnRequestEnd = (record: RequestRecord, message: IncomingMessage | undefined) => void;

export type RequestTracing = {
  begin(request: IncomingMessage, serve: () => void): void;
  toTraceId(request: IncomingMessage): string;
  readonly onRequestEnd: OnRequestEnd;
};
