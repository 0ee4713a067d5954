import type { ErrorCode, ErrorDataByCode, SubError } from '../generated/reseller-contract.ts';

/** Codes of the current contract. */
export type KnownErrorCode = keyof ErrorDataByCode;

/** Values of `error.data`. Later codes may have other members. */
export type ErrorData = ErrorDataByCode[KnownErrorCode] | Readonly<Record<string, unknown>> | undefined;

export interface KeyportErrorOf<Code extends KnownErrorCode> extends KeyportError {
  readonly code: Code;
  readonly data: ErrorDataByCode[Code];
}

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
  /** Facts about the error. `is` narrows their type. */
  readonly data: ErrorData;
  /** Faults in fields of the request; empty for other errors. */
  readonly errors: readonly SubError[];
  /** Quote it when you need help. */
  readonly traceId: string | undefined;
  /** Explains what to do. */
  readonly docUrl: string | undefined;
  /** The response, for its headers; its body has been read. */
  readonly response: Response | undefined;
  /** Set for a write. */
  readonly idempotencyKey: string | undefined;

  constructor(parts: KeyportErrorParts) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.data = parts.data as ErrorData;
    this.errors = parts.errors ?? [];
    this.traceId = parts.traceId;
    this.docUrl = parts.docUrl;
    // Not enumerable, so a logged error does not show the socket.
    this.response = parts.response;
    Object.defineProperty(this, 'response', { enumerable: false });
    this.idempotencyKey = parts.idempotencyKey;
  }

  /** Narrows `data` to the type of this code. */
  is<Known extends KnownErrorCode>(code: Known): this is KeyportErrorOf<Known> {
    return this.code === code;
  }
}

/**
 * No usable response: the connection failed or was interrupted, or the response is not Keyport's. A write may
 * have taken effect: retry it with its `idempotencyKey`, and it takes effect once.
 */
export class KeyportConnectionError extends Error {
  /** The name of the class. */
  override readonly name: string = 'KeyportConnectionError';
  /** Set for a write. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { cause?: unknown; idempotencyKey?: string | undefined } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.idempotencyKey = options.idempotencyKey;
  }
}

/**
 * The call's deadline (`timeoutMs`) passed. A write may have taken effect, as with every {@link
 * KeyportConnectionError}.
 */
export class KeyportTimeoutError extends KeyportConnectionError {
  /** Always `KeyportTimeoutError`. */
  override readonly name: string = 'KeyportTimeoutError';
}

/** Nothing was ordered or reserved, and the same key returns the same response: drop a stored key. */
export const FINAL_REJECTIONS: readonly string[] = [
  'cart-validation-error',
  'offer-not-available',
  'max-price-exceeded',
  'product-excluded',
  'insufficient-funds',
  'payment-went-wrong',
  'payment-not-configured',
];
