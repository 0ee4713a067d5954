/**
 * Turns whatever was thrown into the error response: the only place that knows statuses, headers and body of a
 * failure. What is not an ApiError is a fault of ours: the caller gets a fixed sentence, the log gets everything. R2, A25.
 */
import { errorSpec } from '@keyport/contract/errors';
import { ApiError } from './api-error.ts';
import { buildErrorBody } from './error-body.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export type ErrorContext = {
  readonly traceId: string;
  readonly publicUrl: string;
  /** The Authorization header as it came. */
  readonly authorization: string | undefined;
};

/** Without the headers that every answer has. */
export type ErrorResponse = {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function buildErrorResponse(error: ApiError, context: ErrorContext): ErrorResponse {
  const { status } = errorSpec(error.code);
  const { traceId, publicUrl } = context;
  return {
    status,
    code: error.code,
    headers: {
      'content-type': JSON_TYPE,
      ...(status === 401 ? { 'www-authenticate': challenge(context.authorization) } : {}),
      ...error.headers,
    },
    body: JSON.stringify({ traceId, ...buildErrorBody(error, publicUrl) }),
  };
}

/** The service's own errors for faults that may be gone in a second; undefined for all others. */
export type TransientError = (thrown: unknown) => ApiError | undefined;

/** Converts anything thrown; `cause` keeps it for the log. */
export function toApiError(thrown: unknown, transientError?: TransientError): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return transientError?.(thrown) ?? new ApiError('internal-server-error', { cause: thrown });
}

/** True for what must be looked into: faults of ours, and rejections that hide one (a lost database). */
export function isWorthAlarm({ code }: ApiError): boolean {
  // The only 5xx that the caller causes.
  return errorSpec(code).status >= 500 && code !== 'not-implemented';
}

/** How long the caller is asked to wait before a retry; undefined: not at all. */
export function retryAfterMsOf({ data, headers }: ApiError): number | undefined {
  const exact = data?.['retryAfterMs'];
  if (typeof exact === 'number') return exact;
  const seconds = headers['retry-after'];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** RFC 6750 section 3: a code only when a token was sent. */
function challenge(authorization: string | undefined): string {
  return authorization !== undefined && /^bearer\s/i.test(authorization)
    ? 'Bearer error="invalid_token"'
    : 'Bearer';
}
