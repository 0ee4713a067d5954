/** Orders and account must be the reseller's own; any offer can be changed. A335, A336. */
import { randomBytes } from 'node:crypto';
import type { ChangedOffer, OfferChange } from '@keyport/contract/catalogue/offer-changes';
import type { Claim } from '@keyport/contract/orders/claims';
import type { Order } from '@keyport/contract/orders/orders';
import type { Acting } from '../audit/action.ts';
import type { BookingDeps } from '../ledger/book-money.ts';
import type { OperationRequest, SandboxHandlers, WriteWork } from '../operations/operation.ts';
import {
  type AdvanceOrderDeps,
  type AdvanceReservationDeps,
  advanceOrder,
  advanceOwnReservation,
} from './advance-order.ts';
import { onOwnOrder } from './own-order.ts';
import { type SettleOrderDeps, settleOrder } from './settle-order.ts';
import { updateAccount } from './update-account.ts';

type Action<Name extends keyof SandboxHandlers> = (
  request: Pick<OperationRequest<Name>, 'params' | 'body' | 'traceId'> & {
    readonly principal: { readonly clientId: string };
  },
) => WriteWork<Order>;

export type SandboxOperationDeps = AdvanceOrderDeps &
  AdvanceReservationDeps &
  SettleOrderDeps &
  BookingDeps & {
    readonly actions: {
      readonly hold: Action<'holdSandboxOrder'>;
      readonly release: Action<'releaseSandboxOrder'>;
      readonly cancel: Action<'cancelSandboxOrder'>;
      readonly refund: Action<'refundSandboxOrder'>;
      readonly decideClaim: (
        request: Pick<OperationRequest<'decideSandboxClaim'>, 'params' | 'body' | 'principal' | 'traceId'>,
      ) => WriteWork<Claim>;
    };
    readonly readStates: () => Promise<void>;
    readonly changeOffer: (acting: Acting, change: OfferChange) => WriteWork<ChangedOffer>;
  };

type SandboxOperations = Omit<SandboxHandlers, 'getCheckup' | 'getClientCheckup'>;

export function buildSandboxOperations(deps: SandboxOperationDeps): SandboxOperations {
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
  };
}

function inventKeys(count: number) {
  const newCode = () => `SANDBOX-${randomBytes(10).toString('hex').toUpperCase()}`;
  return Array.from({ length: count }, () => ({ code: newCode() }));
}
