/** Resellers change their own orders and account, and any offer. A335. */
import { randomBytes } from 'node:crypto';
import { replyOk, replyWith, type SandboxHandlers } from '../operations/operation.ts';
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
    advanceSandboxOrder: (request) => replyOk(advanceOrder(deps, request)),
    advanceSandboxReservation: (request) => replyOk(advanceOwnReservation(deps, request)),
    decideSandboxClaim: actions.decideClaim,
    updateSandboxAccount: (request) => replyWith(200, (tx) => updateAccount(tx, request, deps), readStates),
    updateSandboxOffer: (request) => {
      const { addKeys, ...change } = request.body;
      const keys = addKeys === undefined ? {} : { addKeys: inventKeys(addKeys) };
      return changeOffer(request, { ...request.params, ...change, ...keys });
    },
    getCheckup: ({ principal: { clientId, accountId }, query }) =>
      replyOk(
        query.clientId === undefined
          ? runCheckup(deps, { clientId, accountId, since: query.since })
          : runCheckupOfClient(deps, { clientId: query.clientId, accountId, since: query.since }),
      ),
    getClientCheckup: ({ params: { clientId }, query: { since } }) =>
      replyOk(runCheckupOfClient(deps, { clientId, accountId: undefined, since })),
  };
}

function inventKeys(count: number) {
  const newCode = () => `SANDBOX-${randomBytes(10).toString('hex').toUpperCase()}`;
  return Array.from({ length: count }, () => ({ code: newCode() }));
}
