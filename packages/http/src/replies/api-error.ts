/** R2. */
import type { SubError } from '@keyport/contract/envelope';
import { type ErrorCode, errorSpec } from '@keyport/contract/errors';

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly errors: readonly SubError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    options: {
      message?: string | undefined;
      data?: Readonly<Record<string, unknown>> | undefined;
      errors?: readonly SubError[] | undefined;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? errorSpec(code).message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.data = options.data;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

export function invalidField(field: string, message: string, headers: Record<string, string> = {}): ApiError {
  return new ApiError('validation-error', {
    message: `${field} ${message}.`,
    headers,
    errors: [{ code: 'validation-error', field, message: `${field} ${message}.` }],
  });
}

export function conflict(message: string, data?: Record<string, unknown>): ApiError {
  return new ApiError('conflict', { message, data });
}

export function requireFound<Thing>(found: Thing | undefined, thing: string): Thing {
  if (found === undefined) throw notFound(thing);
  return found;
}

export function notFound(thing: string): ApiError {
  return new ApiError('not-found', { message: `There is no ${thing} with this id.` });
}
