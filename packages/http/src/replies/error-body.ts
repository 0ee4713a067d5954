/**
 * The body of every error response, made from an ApiError. Pure: also what is stored of a refused order (A39).
 * An allow-list: of error.data only the members that the catalogue declares for the code leave the process, and
 * there is no way at all for privateDebug. R2.
 */
import type { ErrorEnvelope } from '@keyport/contract/envelope';
import { type ErrorSpec, errorDocPath, errorSpec } from '@keyport/contract/errors';
import type { ApiError } from './api-error.ts';

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
