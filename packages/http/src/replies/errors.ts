/**
 * Anything but an ApiError is a fault of the service: the caller gets a fixed message, and the log gets the details.
 * R2, A25.
 */
import type { ErrorEnvelope } from '@keyport/contract/envelope';
import { type ErrorSpec, errorDocPath, errorSpec } from '@keyport/contract/errors';
import { ApiError } from './api-error.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export type ErrorContext = {
  readonly traceId: string;
  readonly publicUrl: string;
  readonly authorization: string | undefined;
};

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

/** Also stored for a rejected order. Keeps only declared members of `data`. */
export function buildErrorBody(error: ApiError, publicUrl: string): Pick<ErrorEnvelope, 'error'> {
  const spec: ErrorSpec = errorSpec(error.code);
  const data = declaredData(spec, error.data ?? {});
  return {
    error: {
      code: error.code,
      message: error.message,
      status: spec.status,
      ...(Object.keys(data).length === 0 ? {} : { data }),
      ...(error.errors === undefined
        ? {}
        : {
            errors: error.errors.map(({ code, field, message }) =>
              field === undefined ? { code, message } : { code, field, message },
            ),
          }),
      doc_url: `${publicUrl}${errorDocPath(error.code)}`,
    },
  };
}

function declaredData(spec: ErrorSpec, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const declared = Object.keys(spec.data?.properties ?? {}).filter((name) => data[name] !== undefined);
  return Object.fromEntries(declared.map((name) => [name, data[name]]));
}

export type TransientError = (thrown: unknown) => ApiError | undefined;

export function toApiError(thrown: unknown, transientError?: TransientError): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return transientError?.(thrown) ?? new ApiError('internal-server-error', { cause: thrown });
}

/** Includes rejections that hide a fault, such as an unreachable database. */
export function isWorthAlarm({ code }: ApiError): boolean {
  // The only 5xx that the caller causes.
  return errorSpec(code).status >= 500 && code !== 'not-implemented';
}

/** Names an error only if a token was sent (RFC 6750 section 3). */
function challenge(authorization: string | undefined): string {
  return authorization !== undefined && /^bearer\s/i.test(authorization)
    ? 'Bearer error="invalid_token"'
    : 'Bearer';
}
