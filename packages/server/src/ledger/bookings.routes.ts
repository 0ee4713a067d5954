import { toMinor } from '@keyport/core/money';
import type { OperationHandlers } from '../operations/operation.ts';
import { type BookingDeps, bookMoney } from './book-money.ts';

export function buildBookingHandlers(deps: BookingDeps) {
  return {
    createDeposit(request) {
      const { amount, reference } = request.body;
      const booking = { kind: 'deposit', changeMinor: toMinor(amount), reference, reason: null } as const;
      return (tx) => bookMoney(tx, { ...request, ...request.params, booking }, deps);
    },
    createAdjustment(request) {
      const { direction, amount, reference, reason } = request.body;
      const changeMinor = direction === 'credit' ? toMinor(amount) : -toMinor(amount);
      const booking = { kind: 'adjustment', changeMinor, reference, reason } as const;
      return (tx) => bookMoney(tx, { ...request, ...request.params, booking }, deps);
    },
    createPayout(request) {
      const { amount, reference } = request.body;
      const booking = { kind: 'payout', changeMinor: -toMinor(amount), reference, reason: null } as const;
      return (tx) => bookMoney(tx, { ...request, ...request.params, booking }, deps);
    },
  } satisfies Partial<OperationHandlers>;
}
