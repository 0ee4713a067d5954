import type { ErrorCode, ErrorDataByCode, SubError } from '../generated/reseller-contract.ts';

/** The codes of the current contract. */
export type KnownErrorCode = keyof ErrorDataByCode;

/** The values of `error.data`. Codes added later may have members that have no type here. */
export type ErrorData = ErrorDataByCode[KnownErrorCode] | Readonly<Record<string, unknown>> | undefined;

/** An error with a known code, as narrowed by `error.is(code)`. */
export interface KeyportErrorOf<Code extends KnownErrorCode> extends KeyportError {
  readonly code: Code;
  readonly data: ErrorDataByCode[Code];
}

/** The parts of a {@link KeyportError}. */
export interface KeyportErrorParts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly data?: unknown;
  readonly errors?: readonly SubError[] | null | undefined;
  readonly traceId?: string | undefined;
  readonly docUrl?: string | undefined;
  readonly response?: Response | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The service returned an error. Base decisions on its `code`.
 *
 * @example
 * ```ts
 * try {
 *   await keyport.orders.create({ manual: { offerId, quantity: 1, maxPrice: '15.00' } });
 * } catch (error) {
 *   if (error instanceof KeyportError && error.is('max-price-exceeded')) console.log(error.data.offerPrice);
 *   else throw error;
 * }
 * ```
 */
export class KeyportError extends Error {
  /** Always `KeyportError`. */
  override readonly name: string = 'KeyportError';
  /** The HTTP status. */
  readonly status: number;
  /** The machine-readable reason. */
  readonly code: ErrorCode;
  /** Facts about the error. `is` narrows their type by the code. */
  readonly data: ErrorData;
  /** The faults in each field of the request; empty if the error is not about fields. */
  readonly errors: readonly SubError[];
  /** Quote it when you need help. */
  readonly traceId: string | undefined;
  /** A page that explains what to do. */
  readonly docUrl: string | undefined;
  /** The response, for its headers. Its body has already been read. */
  readonly response: Response | undefined;
  /** The Idempotency-Key, if the request was a write. */
  readonly idempotencyKey: string | undefined;

  constructor(parts: KeyportErrorParts) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.data = parts.data as ErrorData;
    this.errors = parts.errors ?? [];
    this.traceId = parts.traceId;
    this.docUrl = parts.docUrl;
    // Not enumerable, so that a logged error does not show the socket.
    this.response = parts.response;
    Object.defineProperty(this, 'response', { enumerable: false });
    this.idempotencyKey = parts.idempotencyKey;
  }

  /** True if the error has this code; `data` then has its type. */
  is<Known extends KnownErrorCode>(code: Known): this is KeyportErrorOf<Known> {
    return this.code === code;
  }
}

/**
 * No usable response arrived: the connection failed or was interrupted, or the response is not Keyport's. A
 * write may have taken effect: retry it with its `idempotencyKey`, and it takes effect once.
 */
export class KeyportConnectionError extends Error {
  /** The name of the class. */
  override readonly name: string = 'KeyportConnectionError';
  /** The Idempotency-Key, if the request was a write. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { cause?: unknown; idempotencyKey?: string | undefined } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.idempotencyKey = options.idempotencyKey;
  }
}

/**
 * The deadline of the call (`timeoutMs`) passed. As with every {@link KeyportConnectionError}, a write may
 * have taken effect.
 */
export class KeyportTimeoutError extends KeyportConnectionError {
  /** Always `KeyportTimeoutError`. */
  override readonly name: string = 'KeyportTimeoutError';
}
