/** Orders and account must be the reseller's own; any offer can be changed. A335, A336. */
import { randomBytes } from 'node:crypto';
import type { SandboxHandlers } from '../operations/operation.ts';
import { type CheckupDeps, runCheckup, runCheckupOfClient } from './checkup/run-checkup.ts';
import { advanceOrder, advanceOwnReservation, onOwnOrder, settleOrder } from './own-order.ts';
import { updateAccount } from './update-account.ts';

export function buildSandboxOperations(deps: CheckupDeps): SandboxHandlers {
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
    getCheckup: async ({ principal: { clientId, accountId }, query: { since } }) => ({
      status: 200,
      data: await runCheckup(deps, { clientId, accountId, since }),
    }),
    getClientCheckup: async ({ params: { clientId }, query: { since } }) => ({
      status: 200,
      data: await runCheckupOfClient(deps, { clientId, since }),
    }),
  };
}

function inventKeys(count: number) {
  const newCode = () => `SANDBOX-${randomBytes(10).toString('hex').toUpperCase()}`;
  return Array.from({ length: count }, () => ({ code: newCode() }));
}
