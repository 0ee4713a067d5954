/** What the SDK throws. Every error says what happened and, where a request may have taken effect, how to find out. */
import type { ErrorCode, ErrorDataByCode, SubError } from './generated/reseller-contract.ts';

/** The codes that the contract has today. */
export type KnownErrorCode = keyof ErrorDataByCode;

/** The values of `error.data`. New codes may bring members that no type here has. */
export type ErrorData = ErrorDataByCode[KnownErrorCode] | Readonly<Record<string, unknown>> | undefined;

/** An error whose code is known, as `error.is(code)` narrows it. */
export interface KeyportErrorOf<Code extends KnownErrorCode> extends KeyportError {
  readonly code: Code;
  readonly data: ErrorDataByCode[Code];
}

/** What a {@link KeyportError} is made of. */
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
 * The service answered with an error. Decide by its `code`.
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
  /** What went wrong, for programs. */
  readonly code: ErrorCode;
  /** Facts that help to act. `is` narrows them by the code. */
  readonly data: ErrorData;
  /** What is wrong with which field of the request; empty when the error is not about fields. */
  readonly errors: readonly SubError[];
  /** To quote when you ask for help. */
  readonly traceId: string | undefined;
  /** A page that says what to do. */
  readonly docUrl: string | undefined;
  /** The response, for its headers. Its body has been read. */
  readonly response: Response | undefined;
  /** Of a write: the key that it was sent with. */
  readonly idempotencyKey: string | undefined;

  constructor(parts: KeyportErrorParts) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.data = parts.data as ErrorData;
    this.errors = parts.errors ?? [];
    this.traceId = parts.traceId;
    this.docUrl = parts.docUrl;
    // Not enumerable: a logged error shows what happened, not the socket that it came from.
    this.response = parts.response;
    Object.defineProperty(this, 'response', { enumerable: false });
    this.idempotencyKey = parts.idempotencyKey;
  }

  /** Whether the error has this code; `data` then has its type. */
  is<Known extends KnownErrorCode>(code: Known): this is KeyportErrorOf<Known> {
    return this.code === code;
  }
}

/**
 * No usable answer came: the connection failed, broke off, or brought something that is not Keyport's. A write may have taken
 * effect: send it again with its `idempotencyKey`, and it takes effect once.
 */
export class KeyportConnectionError extends Error {
  /** The name of the class. */
  override readonly name: string = 'KeyportConnectionError';
  /** Of a write: the key that it was sent with. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { cause?: unknown; idempotencyKey?: string | undefined } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** The deadline of the call (`timeoutMs`) passed. As with every {@link KeyportConnectionError}, a write may have taken effect. */
export class KeyportTimeoutError extends KeyportConnectionError {
  /** Always `KeyportTimeoutError`. */
  override readonly name: string = 'KeyportTimeoutError';
}
