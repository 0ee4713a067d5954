import type { LedgerAccountKind, Transfer } from '@keyport/core/ledger';
import { formatMinor } from '@keyport/core/money';
import type { WriteEffect } from './operation.ts';

export const NO_EFFECT: WriteEffect['preview'] = {
  amount: formatMinor(0),
  bookings: [],
  balance: null,
  order: null,
  units: { returned: 0, withdrawn: 0, kept: 0, delivered: 0, added: 0 },
  stock: [],
};

const OF_RESELLER: ReadonlySet<LedgerAccountKind> = new Set(['prepaid', 'gateway']);

export function moneyEffect(transfers: readonly Transfer[], balanceMinor: number) {
  const bookings = transfers.map(({ kind, from, to, amountMinor }) => ({
    kind,
    from,
    to,
    amount: formatMinor(amountMinor),
  }));
  const resellerMinor = transfers.reduce(
    (sum, { to, amountMinor }) => sum + (OF_RESELLER.has(to) ? amountMinor : -amountMinor),
    0,
  );
  const afterMinor = transfers.findLast(
    ({ prepaidBalanceAfterMinor }) => prepaidBalanceAfterMinor !== null,
  )?.prepaidBalanceAfterMinor;
  const balance =
    typeof afterMinor === 'number'
      ? { before: formatMinor(balanceMinor), after: formatMinor(afterMinor) }
      : null;
  return { amount: formatMinor(resellerMinor), bookings, balance };
}
