/** The responses to faults of the database that may be gone in a second. */
import { ApiError } from '@keyport/http/replies/api-error';
import { isLockTimeout, isOutOfResources, isOutOfTransactionIds, isUnreachable } from '../db/errors.ts';
import { CommitOutcomeUnknown } from '../db/transaction.ts';
import { isSequenceBehind } from '../sequences.sql.ts';

/** The next check of the database repairs sequences; transaction ids and space need an operator. */
const UNTIL_MENDED_S = '10';

/** Undefined for every other error. */
export function transientError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof CommitOutcomeUnknown) {
    return new ApiError('service-unavailable', {
      message:
        'The connection to the database was lost during COMMIT, so it is unknown whether the request was carried out. ' +
        'Retry it with the same Idempotency-Key. If it had none, check what it did before you send it again.',
      cause: thrown,
      headers: { 'retry-after': '1' },
    });
  }
  if (isOutOfTransactionIds(thrown) || isOutOfResources(thrown) || isSequenceBehind(thrown)) {
    return new ApiError('service-unavailable', { cause: thrown, headers: { 'retry-after': UNTIL_MENDED_S } });
  }
  if (!isUnreachable(thrown) && !isLockTimeout(thrown)) return undefined;
  return new ApiError('service-unavailable', { cause: thrown, headers: { 'retry-after': '1' } });
}
