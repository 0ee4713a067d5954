import { assert } from '@keyport/core/assert';
import type { NewEvent } from '@keyport/core/events';
import type { Transfer, TransferKind } from '@keyport/core/ledger';
import { sql } from 'kysely';
import type { Tx } from '../db/schema.ts';
import { loadHouseAccounts } from './house-accounts.sql.ts';
import { type LineRecord, selectLines } from './statement.sql.ts';
import { bookTransfers } from './transfers.sql.ts';

export type BookingKind = Extract<TransferKind, 'deposit' | 'adjustment' | 'payout'>;

/** A reference is used once per account and kind (A61, A85). */
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

/** The same lock that placing an order takes. Must come before any write. */
export async function lockBalance(tx: Tx, accountId: string): Promise<LockedBalance | undefined> {
  // NO KEY, so that clients and transfers can still be added.
  const { rows } = await sql<LockedBalance>`
    SELECT id, status, balance_minor AS "balanceMinor" FROM account
    WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`.execute(tx);
  return rows[0];
}

/** Indexes: ledger_transfer_deposit_uq, ledger_transfer_reference_uq. */
export async function findBooking(
  tx: Tx,
  { accountId, kind, reference }: BookingReference,
): Promise<LineRecord | undefined> {
  // A literal kind, because each index covers only some kinds.
  const { rows } = await sql<LineRecord>`
    ${selectLines}
    WHERE transfer.account_id = ${accountId} AND transfer.reference = ${reference}
      AND transfer.kind = ${sql.lit(kind)}`.execute(tx);
  return rows[0];
}

/** The account must be locked. The caller logs the events last. */
export async function insertBooking(
  tx: Tx,
  booking: BookingReference & { readonly reason: string | null; readonly transfer: Transfer },
): Promise<{ readonly booked: LineRecord; readonly events: readonly NewEvent[] }> {
  const { accountId, reference, reason, transfer } = booking;
  const events = await bookTransfers(tx, accountId, [transfer], await loadHouseAccounts(tx), {
    reference,
    reason,
  });
  const booked = await findBooking(tx, booking);
  assert(booked !== undefined, 'the booking was written');
  return { booked, events };
}

const APPROVED_AS = {
  deposit: 'createDeposit',
  adjustment: 'createAdjustment',
  payout: 'createPayout',
} as const;

/** Unapproved bookings in 24 hours, in either direction, in EUR cents. Index: approval_account_ix. */
export async function sumRecent(tx: Tx, accountId: string, kind: BookingKind): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    SELECT least(coalesce(sum(amount_minor), 0), ${Number.MAX_SAFE_INTEGER})::bigint AS sum FROM ledger_transfer
    WHERE account_id = ${accountId}::uuid AND kind = ${sql.lit(kind)}
      AND created_at > statement_timestamp() - interval '24 hours'
      AND reference NOT IN (SELECT reference FROM approval WHERE account_id = ${accountId}::uuid
        AND operation = ${APPROVED_AS[kind]} AND status = 'approved' AND reference IS NOT NULL)`.execute(tx);
  return rows[0]?.sum ?? 0;
}
