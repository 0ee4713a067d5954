/** A transfer moves a positive amount (EUR cents) between two ledger accounts and never changes. I43. */
import { assert } from './assert.ts';

export const TRANSFER_KINDS = ['deposit', 'charge', 'refund', 'adjustment', 'payout'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

export const LEDGER_ACCOUNT_KINDS = ['prepaid', 'cash', 'sales', 'gateway', 'adjustments'] as const;
export type LedgerAccountKind = (typeof LEDGER_ACCOUNT_KINDS)[number];

/** `cash` is money at the bank; `gateway` is what payment providers owe. */
export type HouseAccountKind = Exclude<LedgerAccountKind, 'prepaid'>;

export type Transfer = {
  readonly kind: TransferKind;
  readonly from: LedgerAccountKind;
  readonly to: LedgerAccountKind;
  readonly amountMinor: number;
  /** Null if the transfer does not change the balance. */
  readonly prepaidBalanceAfterMinor: number | null;
};

type Movement = Omit<Transfer, 'prepaidBalanceAfterMinor'>;

/** The change in the balance; null if there is none. */
export function prepaidChange({ from, to, amountMinor }: Movement): number | null {
  if (to === 'prepaid') return amountMinor;
  return from === 'prepaid' ? -amountMinor : null;
}

export type StatementEnd = {
  readonly line: number;
  readonly atMicros: number;
  /** EUR cents, positive if they entered the account. Sums grow without bound (A7). */
  readonly sumsMinor: Readonly<Record<TransferKind, bigint>>;
};

export function continueStatement(
  end: StatementEnd,
  next: { readonly kind: TransferKind; readonly changeMinor: number; readonly nowMicros: number },
): StatementEnd {
  const { kind, changeMinor, nowMicros } = next;
  return {
    line: end.line + 1,
    atMicros: Math.max(end.atMicros, nowMicros),
    sumsMinor: { ...end.sumsMinor, [kind]: end.sumsMinor[kind] + BigInt(changeMinor) },
  };
}

export type PaymentMethod = 'balance' | 'gateway';

function toPayer(paymentMethod: PaymentMethod): LedgerAccountKind {
  return paymentMethod === 'balance' ? 'prepaid' : 'gateway';
}

/** `balanceMinor` is the balance before the transfer. */
function toTransfer(movement: Movement, balanceMinor: number): Transfer {
  const change = prepaidChange(movement);
  return { ...movement, prepaidBalanceAfterMinor: change === null ? null : balanceMinor + change };
}

export function chargeTransfer(
  paymentMethod: PaymentMethod,
  amountMinor: number,
  balanceMinor: number,
): Transfer {
  assert(paymentMethod === 'gateway' || balanceMinor >= amountMinor, 'a charge never overdraws the balance');
  return toTransfer({ kind: 'charge', from: toPayer(paymentMethod), to: 'sales', amountMinor }, balanceMinor);
}

export function refundTransfer(
  paymentMethod: PaymentMethod,
  amountMinor: number,
  balanceMinor: number,
): Transfer {
  return toTransfer({ kind: 'refund', from: 'sales', to: toPayer(paymentMethod), amountMinor }, balanceMinor);
}

export function depositTransfer(amountMinor: number, balanceMinor: number): Transfer {
  return toTransfer({ kind: 'deposit', from: 'cash', to: 'prepaid', amountMinor }, balanceMinor);
}

export function payoutTransfer(amountMinor: number, balanceMinor: number): Transfer {
  assert(balanceMinor >= amountMinor, 'a payout never overdraws the balance');
  return toTransfer({ kind: 'payout', from: 'prepaid', to: 'cash', amountMinor }, balanceMinor);
}

/** Credits the balance if above 0, debits it if below. */
export function adjustmentTransfer(changeMinor: number, balanceMinor: number): Transfer {
  assert(balanceMinor + changeMinor >= 0, 'an adjustment never overdraws the balance');
  const amountMinor = Math.abs(changeMinor);
  const sides =
    changeMinor > 0
      ? ({ from: 'adjustments', to: 'prepaid' } as const)
      : ({ from: 'prepaid', to: 'adjustments' } as const);
  return toTransfer({ kind: 'adjustment', ...sides, amountMinor }, balanceMinor);
}
