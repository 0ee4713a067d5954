/** Orders and account must be the reseller's own; any offer can be changed. A335, A336. */
import { randomBytes } from 'node:crypto';
import type { SandboxHandlers } from '../operations/operation.ts';
import { advanceOrder, advanceOwnReservation } from './advance-order.ts';
import type { SandboxDeps } from './deps.ts';
import { onOwnOrder } from './own-order.ts';
import { settleOrder } from './settle-order.ts';
import { updateAccount } from './update-account.ts';

export function buildSandboxOperations(deps: SandboxDeps) {
  const { actions, readStates, changeOffer } = deps;
  return {
    holdSandboxOrder: (request) => onOwnOrder(request, actions.hold(request)),
    releaseSandboxOrder: (request) => onOwnOrder(request, actions.release(request)),
    cancelSandboxOrder: (request) => onOwnOrder(request, actions.cancel(request)),
    refundSandboxOrder: (request) => onOwnOrder(request, actions.refund(request)),
    settleSandboxOrder: (request) => onOwnOrder(request, (tx) => settleOrder(tx, request, deps)),
    advanceSandboxOrder: async (request) => ({ status: 200, data: await advanceOrder(deps, request) }),
    advanceSandboxReservation: async (request) => ({
      status: 200,
      data: await advanceOwnReservation(deps, request),
    }),
    decideSandboxClaim: actions.decideClaim,
    updateSandboxAccount: (request) => async (tx) => ({
      status: 200,
      data: await updateAccount(tx, request, deps),
      onCommitted: readStates,
    }),
    updateSandboxOffer: (request) => {
      const { addKeys, ...change } = request.body;
      const keys = addKeys === undefined ? {} : { addKeys: inventKeys(addKeys) };
      return changeOffer(request, { ...request.params, ...change, ...keys });
    },
  } satisfies Partial<SandboxHandlers>;
}

function inventKeys(count: number) {
  const newCode = () => `SANDBOX-${randomBytes(10).toString('hex').toUpperCase()}`;
  return Array.from({ length: count }, () => ({ code: newCode() }));
}
