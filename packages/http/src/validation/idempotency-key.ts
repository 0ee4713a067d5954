/** A37, A40, A41. */
import { parseIdempotencyKey } from '@keyport/core/ids';
import { ApiError, invalidField } from '../replies/api-error.ts';

export const REPLAYED_HEADERS = { 'idempotent-replayed': 'true' };

export function readIdempotencyKey(header: string): string {
  const key = parseIdempotencyKey(header);
  if (key !== undefined) return key;
  throw invalidField(
    'headers.idempotency-key',
    'must be a UUID, not nil, and new for every request that is not a retry',
  );
}

export function keyInProcess(retryAfterMs: number): ApiError {
  return new ApiError('idempotency-key-processing', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
    data: { retryAfterMs, retryable: true },
  });
}

export function replayStatus(status: number): number {
  return status === 201 ? 200 : status;
}
