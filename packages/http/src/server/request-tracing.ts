/** What the server needs of tracing: where a request begins and ends. Implemented in tracing/tracing.ts. */
import type { IncomingMessage } from 'node:http';
import type { OnRequestEnd } from './request-record.ts';

export type RequestTracing = {
  /** Everything that is done for the request is done inside `serve`. */
  begin(request: IncomingMessage, serve: () => void): void;
  /** 32 hexadecimal digits, of a request that has begun. */
  traceIdOf(request: IncomingMessage): string;
  readonly onRequestEnd: OnRequestEnd;
};
