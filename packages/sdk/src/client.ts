/** What the clients of resellers and of operators have in common. */
import type { Call } from './call.ts';
import type { CallOptions, KeyportOptions } from './options.ts';
import { type StreamInit, Transport } from './transport.ts';

/** A request to an operation that has no method here. */
export interface RequestInput {
  readonly method: string;
  /** Such as `/sandbox/v1/checkup`. */
  readonly path: string;
  /** A list is sent as `name[]=…` for each of its values. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The operation responds 204, without a body, when it succeeds. Unless given, DELETE may. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** The whole body of an answer; an answer without a body has no member. */
export interface AnswerBody {
  readonly data?: unknown;
  readonly meta?: unknown;
  readonly traceId?: string;
}

/** What every client has. */
export class BaseClient {
  /** Where the service is. */
  readonly baseUrl: string;
  /** @internal */
  protected readonly transport: Transport;

  constructor(options: KeyportOptions) {
    this.transport = new Transport(options);
    this.baseUrl = this.transport.baseUrl;
  }

  /**
   * Calls any operation, also one that has no method here. A write is retried only with an `idempotencyKey`.
   *
   * @example
   * ```ts
   * const { data } = await keyport.request<{ data: { score: number } }>({ method: 'GET', path: '/sandbox/v1/checkup' });
   * ```
   */
  request<Body = AnswerBody>(input: RequestInput, options: CallOptions = {}): Call<Body> {
    const takesKey = options.idempotencyKey !== undefined;
    const mayBeEmpty = input.mayBeEmpty ?? input.method === 'DELETE';
    return this.transport.envelope(
      { ...input, takesKey, mayBeEmpty },
      options,
    ) as Call<unknown> as Call<Body>;
  }

  /**
   * Like the global `fetch`, for what is too large for a call or is not JSON, such as imports and CSV: with the token, and with a
   * {@link KeyportError} or {@link KeyportConnectionError} for everything but a success. It does not retry and has no deadline.
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
