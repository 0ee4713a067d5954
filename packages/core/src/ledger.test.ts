import { deepEqual, equal, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  adjustmentTransfer,
  chargeTransfer,
  continueStatement,
  depositTransfer,
  type PaymentMethod,
  payoutTransfer,
  prepaidChange,
  refundTransfer,
  type StatementEnd,
  TRANSFER_KINDS,
  type Transfer,
  type TransferKind,
} from './ledger.ts';

test('every transfer has two sides, and the resulting balance if one of them is the balance', () => {
  const rows: [transfer: Transfer, expected: string][] = [
    [chargeTransfer('balance', 30, 100), 'charge prepaid→sales 30, balance 70'],
    [chargeTransfer('gateway', 30, 100), 'charge gateway→sales 30, balance null'],
    [refundTransfer('balance', 30, 100), 'refund sales→prepaid 30, balance 130'],
    [refundTransfer('gateway', 30, 100), 'refund sales→gateway 30, balance null'],
    [depositTransfer(30, 100), 'deposit cash→prepaid 30, balance 130'],
    [payoutTransfer(30, 100), 'payout prepaid→cash 30, balance 70'],
    [adjustmentTransfer(30, 100), 'adjustment adjustments→prepaid 30, balance 130'],
    [adjustmentTransfer(-30, 100), 'adjustment prepaid→adjustments 30, balance 70'],
  ];
  for (const [transfer, expected] of rows) {
    const { kind, from, to, amountMinor, prepaidBalanceAfterMinor } = transfer;
    equal(`${kind} ${from}→${to} ${amountMinor}, balance ${prepaidBalanceAfterMinor}`, expected);
    const change = prepaidChange(transfer);
    equal(change, prepaidBalanceAfterMinor === null ? null : prepaidBalanceAfterMinor - 100, expected);
  }
});

test('a charge may take the whole balance; one cent more throws', () => {
  equal(chargeTransfer('balance', 100, 100).prepaidBalanceAfterMinor, 0);
  throws(() => chargeTransfer('balance', 101, 100), /never overdraws/);
});

test('a payout and a debit may take the whole balance; one cent more throws', () => {
  equal(payoutTransfer(100, 100).prepaidBalanceAfterMinor, 0);
  throws(() => payoutTransfer(101, 100), /never overdraws/);
  equal(adjustmentTransfer(-100, 100).prepaidBalanceAfterMinor, 0);
  throws(() => adjustmentTransfer(-101, 100), /never overdraws/);
});

test('a gateway charge ignores the balance', () => {
  equal(chargeTransfer('gateway', 101, 0).prepaidBalanceAfterMinor, null);
});

test('a refund reverses the charge and restores the balance', () => {
  const method = fc.constantFrom<PaymentMethod>('balance', 'gateway');
  const amount = fc.integer({ min: 1, max: 1_000_000_000_000 });
  fc.assert(
    fc.property(method, amount, fc.nat(), (paymentMethod, amountMinor, restMinor) => {
      const charge = chargeTransfer(paymentMethod, amountMinor, amountMinor + restMinor);
      const refund = refundTransfer(paymentMethod, amountMinor, charge.prepaidBalanceAfterMinor ?? 0);
      deepEqual([refund.from, refund.to, refund.amountMinor], [charge.to, charge.from, charge.amountMinor]);
      const isPrepaid = paymentMethod === 'balance';
      equal(charge.prepaidBalanceAfterMinor, isPrepaid ? restMinor : null);
      equal(refund.prepaidBalanceAfterMinor, isPrepaid ? amountMinor + restMinor : null);
    }),
  );
});

const NO_SUMS = Object.fromEntries(TRANSFER_KINDS.map((kind) => [kind, 0n])) as Record<TransferKind, bigint>;

const nextLine = fc.record({
  kind: fc.constantFrom(...TRANSFER_KINDS),
  changeMinor: fc.maxSafeInteger(),
  nowMicros: fc.nat(),
});

test('lines of a statement are numbered without gaps, their times never go back, and each kind has its own sum', () => {
  fc.assert(
    fc.property(fc.array(nextLine), (lines) => {
      let end: StatementEnd = { line: 0, atMicros: 0, sumsMinor: NO_SUMS };
      for (const line of lines) end = continueStatement(end, line);
      equal(end.line, lines.length);
      equal(end.atMicros, Math.max(0, ...lines.map(({ nowMicros }) => nowMicros)));
      for (const kind of TRANSFER_KINDS) {
        const ofKind = lines.filter((line) => line.kind === kind);
        equal(
          end.sumsMinor[kind],
          ofKind.reduce((sum, { changeMinor }) => sum + BigInt(changeMinor), 0n),
        );
      }
    }),
  );
});
