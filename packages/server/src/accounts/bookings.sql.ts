/**
 * What an operator books on a prepaid balance: deposits, adjustments, pay-outs. Transfers are only ever added.
 * Lock order: the account's row (accounts.sql.ts) is locked before anything here writes. Invariants I1 to I4.
 */
import { assert, must } from '@keyport/core/assert';
import type { LedgerAccountKind, Transfer, TransferKind } from '@keyport/core/ledger';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { insertTransfers } from '../db/transfers.sql.ts';
import { type LineRecord, selectLines } from './statement.sql.ts';

export type BookingKind = Extract<TransferKind, 'deposit' | 'adjustment' | 'payout'>;

/** What the booking is known by: a reference is used once per account and kind (A61, A85). */
export type BookingReference = {
  readonly accountId: string;
  readonly kind: BookingKind;
  readonly reference: string;
};

/** What was booked under this reference. Indexes: ledger_transfer_deposit_uq, ledger_transfer_reference_uq. */
export async function findBooking(
  tx: Transaction<Schema>,
  { accountId, kind, reference }: BookingReference,
): Promise<LineRecord | undefined> {
  // The kind is part of the text because each index is for some kinds only.
  const { rows } = await sql<LineRecord>`
    ${selectLines}
    WHERE transfer.account_id = ${accountId} AND transfer.reference = ${reference}
      AND transfer.kind = ${sql.lit(kind)}`.execute(tx);
  return rows[0];
}

/**
 * Books the transfer and moves the balance with it; the account's row is locked by the caller. The unique indexes
 * stand behind the caller's search for the same reference.
 */
export async function insertBooking(
  tx: Transaction<Schema>,
  booking: BookingReference & { readonly reason: string | null; readonly transfer: Transfer },
): Promise<LineRecord> {
  const { accountId, reference, reason, transfer } = booking;
  const { rows: sides } = await sql<{ kind: LedgerAccountKind; id: number }>`
    SELECT kind, id FROM ledger_account
    WHERE kind IN (${transfer.from}, ${transfer.to}) AND coalesce(account_id, ${accountId}) = ${accountId}`.execute(
    tx,
  );
  const idOf = (kind: LedgerAccountKind) =>
    must(
      sides.find((side) => side.kind === kind),
      'a booking has one house account and one prepaid account',
    ).id;
  const changeMinor = transfer.to === 'prepaid' ? transfer.amountMinor : -transfer.amountMinor;
  await insertTransfers(tx, [
    {
      kind: transfer.kind,
      fromLedgerAccountId: idOf(transfer.from),
      toLedgerAccountId: idOf(transfer.to),
      amountMinor: transfer.amountMinor,
      accountId,
      prepaidChangeMinor: changeMinor,
      prepaidBalanceAfterMinor: transfer.prepaidBalanceAfterMinor,
      orderId: null,
      reference,
      reason,
    },
  ]);
  // The balance before is part of the condition: it must be the one that the transfer was computed from.
  const moved = await sql`
    UPDATE account SET balance_minor = balance_minor + ${changeMinor}
    WHERE id = ${accountId} AND balance_minor + ${changeMinor} = ${transfer.prepaidBalanceAfterMinor}`.execute(
    tx,
  );
  assert(moved.numAffectedRows === 1n, 'the balance moves together with its transfer');
  const booked = await findBooking(tx, booking);
  assert(booked !== undefined, 'what was booked can be read');
  return booked;
}
