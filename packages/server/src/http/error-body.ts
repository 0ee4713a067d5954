/** The body of every error response, made from an ApiError. Pure: also what is stored of a refused order (A39). */
import type { ErrorEnvelope } from '@keyport/contract/envelope';
import { errorDocPath, errorSpec } from '@keyport/contract/errors';
import type { ApiError } from './api-error.ts';

export function buildErrorBody(error: ApiError, publicUrl: string): Pick<ErrorEnvelope, 'error'> {
  return {
    error: {
      code: error.code,
      message: error.message,
      status: errorSpec(error.code).status,
      ...(error.data === undefined ? {} : { data: { ...error.data } }),
      ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
      doc_url: `${publicUrl}${errorDocPath(error.code)}`,
    },
  };
}
