import { ApiError } from '@keyport/http/replies/api-error';
import { isLockTimeout, isOutOfResources, isOutOfTransactionIds, isUnreachable } from '../db/errors.ts';
import { CommitOutcomeUnknown } from '../db/transaction.ts';
import { isSequenceBehind } from '../sequences.sql.ts';

/** The next check of the database repairs sequences. */
const UNTIL_MENDED_S = '10';

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
