import { assert } from '@keyport/core/assert';
import type { NewEvent } from '@keyport/core/events';
import type { Transfer, TransferKind } from '@keyport/core/ledger';
import { firstRow, onlyValue } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { loadHouseAccounts } from './house-accounts.sql.ts';
import { type LineRecord, selectLines } from './statement.sql.ts';
import { bookTransfers } from './transfers.sql.ts';

export type BookingKind = Extract<TransferKind, 'deposit' | 'adjustment' | 'payout'>;

/** Unique (A61). */
export type BookingReference = {
  readonly accountId: string;
  readonly kind: BookingKind;
  readonly reference: string;
};

export type LockedBalance = {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly balanceMinor: number;
};

/** Placing an order takes the same lock. Must precede any write. */
export function lockBalance(tx: Tx, accountId: string): Promise<LockedBalance | undefined> {
  // NO KEY, so that clients and transfers can still be added.
  return firstRow<LockedBalance>(tx)`
    SELECT id, status, balance_minor AS "balanceMinor" FROM account
    WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
}

/** Index: ledger_transfer_reference_uq. */
export function findBooking(
  tx: Tx,
  { accountId, kind, reference }: BookingReference,
): Promise<LineRecord | undefined> {
  // The kind is a literal, because the index covers only some kinds.
  return firstRow<LineRecord>(tx)`
    ${selectLines}
    WHERE transfer.account_id = ${accountId} AND transfer.reference = ${reference}
      AND transfer.kind = ${sql.constant(kind)}`;
}

/** The account must be locked. The caller logs the events last. */
export async function insertBooking(
  tx: Tx,
  booking: BookingReference & { readonly reason: string | null; readonly transfer: Transfer },
): Promise<{ readonly booked: LineRecord; readonly events: readonly NewEvent[] }> {
  const { accountId, reference, reason, transfer } = booking;
  const about = { reference, reason };
  const events = await bookTransfers(tx, accountId, [transfer], await loadHouseAccounts(tx), about);
  const booked = await findBooking(tx, booking);
  assert(booked !== undefined, 'the booking was written');
  return { booked, events };
}

const APPROVED_AS = {
  deposit: 'createDeposit',
  adjustment: 'createAdjustment',
  payout: 'createPayout',
} as const;

/** Unapproved bookings of the last 24 hours in either direction, in EUR cents. */
export function sumRecent(tx: Tx, accountId: string, kind: BookingKind): Promise<number> {
  return onlyValue<{ sum: number }>(tx)`
    SELECT least(coalesce(sum(amount_minor), 0), ${Number.MAX_SAFE_INTEGER})::bigint AS sum FROM ledger_transfer
    WHERE account_id = ${accountId}::uuid AND kind = ${sql.constant(kind)}
      AND created_at > statement_timestamp() - interval '24 hours'
      AND reference NOT IN (SELECT reference FROM approval WHERE account_id = ${accountId}::uuid
        AND operation = ${APPROVED_AS[kind]} AND status = 'approved' AND reference IS NOT NULL)`;
}
