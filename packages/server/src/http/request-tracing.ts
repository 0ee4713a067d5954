/** What the server has to know of tracing: where a request begins and ends. tracing/tracing.ts does it. */
import type { IncomingMessage } from 'node:http';
import type { OnAnswered } from './answered.ts';

export type RequestTracing = {
  /** Everything that is done for the request is done inside `go`. */
  begin(request: IncomingMessage, go: () => void): void;
  /** 32 hexadecimal digits, of a request that has begun. */
  traceIdOf(request: IncomingMessage): string;
  readonly onAnswered: OnAnswered;
};
