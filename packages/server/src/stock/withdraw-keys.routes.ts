import { invalidField } from '@keyport/http/replies/api-error';
import type { OperationHandlers } from '../operations/operation.ts';
import { type WithdrawKeysDeps, withdrawalProblem, withdrawKeys } from './withdraw-keys.ts';

export function buildWithdrawKeysHandlers(deps: WithdrawKeysDeps) {
  return {
    withdrawKeys(request) {
      const problem = withdrawalProblem(request.body, 'body');
      if (problem !== undefined) throw invalidField(...problem);
      const offerId = request.params.offerId.toLowerCase();
      return (tx) => withdrawKeys(tx, { ...request, offerId }, deps);
    },
  } satisfies Partial<OperationHandlers>;
}
