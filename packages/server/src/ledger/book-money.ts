/** Books each reference once per account and kind. R23, A61. */
import type { StatementLine } from '@keyport/contract/accounts/statements';
import { assert } from '@keyport/core/assert';
import { adjustmentTransfer, depositTransfer, payoutTransfer, type Transfer } from '@keyport/core/ledger';
import { formatMinor } from '@keyport/core/money';
import { conflict, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import type { WriteEffect, Written } from '../operations/operation.ts';
import { moneyEffect, NO_EFFECT } from '../operations/write-effect.ts';
import {
  type BookingKind,
  findBooking,
  insertBooking,
  type LockedBalance,
  lockBalance,
  sumRecent,
} from './bookings.sql.ts';
import type { LineRecord } from './statement.sql.ts';
import { formatLine } from './statement-lines.ts';

export type BookingDeps = { readonly onAccountChanged: (accountId: string) => void };

type Booking = {
  readonly kind: BookingKind;
  readonly changeMinor: number;
  readonly reference: string;
  readonly reason: string | null;
};

export async function bookMoney(
  tx: Tx,
  command: Acting & { readonly accountId: string; readonly booking: Booking },
  { onAccountChanged }: BookingDeps,
): Promise<Written<StatementLine>> {
  const { accountId, booking } = command;
  // Under the lock, the first of several concurrent duplicates books; the others find its line.
  const account = requireFound(await lockBalance(tx, accountId), 'account');
  const earlier = await findBooking(tx, { accountId: account.id, ...booking });
  if (earlier !== undefined) {
    const data = formatLine(sameBooking(earlier, booking));
    return { status: 200, data, effect: toEffect(account, booking, undefined) };
  }
  rejectImpossible(account, booking);
  const amountMinor = Math.abs(booking.changeMinor);
  const sumMinor = amountMinor + (await sumRecent(tx, account.id, booking.kind));
  const transfer = toTransfer(booking, account.balanceMinor);
  const { booked, events } = await insertBooking(tx, { accountId: account.id, ...booking, transfer });
  const { kind, reference, reason } = booking;
  const data = {
    amount: formatMinor(booking.changeMinor),
    reference,
    ...(reason === null ? {} : { reason }),
    transferId: String(booked.id),
  };
  await audit(tx, command, `${kind}.create`, { accountId: account.id, data });
  await logChanges(tx, { events });
  const approval = { sumMinor, amountMinor, accountId: account.id, orderId: null };
  return {
    status: 201,
    data: formatLine(booked),
    effect: { ...toEffect(account, booking, transfer), approval },
    onCommitted: () => onAccountChanged(accountId),
  };
}

/** `transfer` is undefined for a repeated booking. */
function toEffect(account: LockedBalance, { kind }: Booking, transfer: Transfer | undefined): WriteEffect {
  const { id, status, balanceMinor } = account;
  const transfers = transfer === undefined ? [] : [transfer];
  return {
    preview: { ...NO_EFFECT, ...moneyEffect(transfers, balanceMinor) },
    state: [kind, id, status, balanceMinor],
  };
}

function toTransfer({ kind, changeMinor }: Booking, balanceMinor: number): Transfer {
  switch (kind) {
    case 'deposit':
      return depositTransfer(changeMinor, balanceMinor);
    case 'adjustment':
      return adjustmentTransfer(changeMinor, balanceMinor);
    case 'payout':
      return payoutTransfer(-changeMinor, balanceMinor);
  }
}

function sameBooking(earlier: LineRecord, { changeMinor, reason }: Booking): LineRecord {
  if (earlier.amountMinor === changeMinor && earlier.reason === reason) return earlier;
  const amount = formatMinor(earlier.amountMinor);
  const isOtherReason = earlier.amountMinor === changeMinor;
  const difference = isOtherReason ? 'a different reason' : `${amount} EUR`;
  throw conflict(
    `This reference was already booked with ${difference}. Use a new reference for a new ${earlier.kind}.`,
    { amount },
  );
}

/** Throws conflict for money into a closed account, and for a balance below zero or above the maximum. */
function rejectImpossible({ status, balanceMinor }: LockedBalance, { changeMinor }: Booking): void {
  assert(changeMinor !== 0, 'the schema accepts only amounts above zero');
  if (status === 'closed' && changeMinor > 0) throw conflict('The account is closed and accepts no money.');
  if (balanceMinor > Number.MAX_SAFE_INTEGER - changeMinor)
    throw conflict(`The balance would exceed ${formatMinor(Number.MAX_SAFE_INTEGER)} EUR. Book less.`);
  if (balanceMinor + changeMinor < 0) {
    const balance = formatMinor(balanceMinor);
    throw conflict(`The account holds ${balance} EUR. Book at most this amount.`, { balance });
  }
}
