import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../replies/reply.ts';
import { type CommonRequestHeaders, type HeaderLines, readHeaders } from './header-lines.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Principal } from './principal.ts';
import { HUNG_UP, type RequestRecord } from './request-record.ts';
import { toSocketResponse } from './socket-errors.ts';
import { traceIdFrom } from './trace-id.ts';

export type Route = {
  readonly operation?: string;
  readonly method: string;
  readonly path: string;
  /** Served even while too many requests wait for the database, if the token is known. */
  readonly isFromMemory?: boolean;
  /** Rejected under overload even for operators. */
  readonly isHeavy?: boolean;
  readonly takesScenario?: boolean;
  readonly lines?: HeaderLines;
  readonly handle: (exchange: Exchange) => MaybePromise<Reply>;
};

/** The exchange may contain secrets; the record does not. */
export type OnExchangeEnd = (exchange: Exchange, record: RequestRecord) => void;

export type Params = Readonly<Record<string, string | undefined>>;

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: CommonRequestHeaders;
  readonly route: Route;
  readonly params: Params;
  readonly traceId: string;
  /** Undefined if the server does not stamp arrivals. */
  readonly arrivedAtMicros: number | undefined;
  principal: (Pick<Principal, 'clientId'> & { readonly accountId?: string }) | undefined;
  /** Undefined if the body was not read, or is not JSON in UTF-8. */
  requestText: string | undefined;
  /** Undefined for pages, streams and empty bodies. */
  responseText: string | Buffer | undefined;
  extraLines: HeaderLines = [];
  errorCode: string | undefined;
  responseBytes: number | undefined;
  readonly #startedAtMs = performance.now();

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { route, params }: { readonly route: Route; readonly params: Params },
    toTraceId: ((request: IncomingMessage) => string) | undefined,
    arrivedAtMicros?: number,
  ) {
    this.arrivedAtMicros = arrivedAtMicros;
    this.request = request;
    this.response = response;
    this.headers = readHeaders(request.rawHeaders);
    this.route = route;
    this.params = params;
    this.traceId = toTraceId?.(request) ?? traceIdFrom(this.headers.traceparent);
  }

  get url(): string {
    return this.request.url ?? '';
  }

  readonly onHangUp = (callback: () => void): void => void this.response.once('close', callback);

  record(): RequestRecord {
    const { response } = this;
    return {
      method: this.request.method ?? '',
      route: this.route.path,
      status: response.writableFinished ? response.statusCode : HUNG_UP,
      durationMs: performance.now() - this.#startedAtMs,
      traceId: this.traceId,
      clientId: this.principal?.clientId,
      code: this.errorCode,
      responseBytes: this.responseBytes,
      ...toSocketResponse(response),
    };
  }
}
