import type { CallOptions, KeyportOptions } from './options.ts';
import type { Call } from './requests/call.ts';
import { type StreamInit, Transport } from './requests/transport.ts';

/** A request to an operation for which the client has no method. */
export interface RequestInput {
  readonly method: string;
  /** Such as `/sandbox/v1/checkup`. */
  readonly path: string;
  /** A list is sent as `name[]=…` for each value. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A success may have no body (204). Default: true for DELETE. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** The whole body of a response; an empty object if there is none. */
export interface AnswerBody {
  readonly data?: unknown;
  readonly meta?: unknown;
  readonly traceId?: string;
}

/** The methods of every client. */
export class BaseClient {
  /** The URL of the service. */
  readonly baseUrl: string;
  /** @internal */
  protected readonly transport: Transport;

  constructor(options: KeyportOptions) {
    this.transport = new Transport(options);
    this.baseUrl = this.transport.baseUrl;
  }

  /**
   * Calls any operation, even one for which the client has no method. A write is retried only with an
   * `idempotencyKey`.
   *
   * @example
   * ```ts
   * const { data } = await keyport.request<{ data: { score: number } }>({ method: 'GET', path: '/sandbox/v1/checkup' });
   * ```
   */
  request<Body = AnswerBody>(input: RequestInput, options: CallOptions = {}): Call<Body> {
    const takesKey = options.idempotencyKey !== undefined;
    const mayBeEmpty = input.mayBeEmpty ?? input.method === 'DELETE';
    return this.transport.envelope({ ...input, takesKey, mayBeEmpty }, options);
  }

  /**
   * Like the global `fetch`, for large or non-JSON content such as imports and CSV. It sends the token, and throws a
   * {@link KeyportError} or {@link KeyportConnectionError} unless it succeeds. It does not retry and has no deadline.
   *
   * @example
   * ```ts
   * const statement = await admin.fetch(`/admin/v1/accounts/${id}/statement`, { headers: { accept: 'text/csv' } });
   * await statement.body?.pipeTo(file);
   * ```
   */
  fetch(path: string, init?: StreamInit): Promise<Response> {
    return this.transport.fetch(path, init);
  }
}
