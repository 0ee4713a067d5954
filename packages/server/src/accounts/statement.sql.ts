/**
 * Statements: what moved a prepaid balance, in the order of booking. The lines of an account are numbered 1 to n without
 * a gap, their times never go back, and each carries the balance and the sums up to it. So a
 * page, a balance or a sum is found by line numbers, however long the statement is; and since lines never change, what
 * is read in several statements fits together without a transaction. Index of all of them: ledger_transfer_line_uq.
 */
import type { TransferKind } from '@keyport/core/ledger';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { microsOf, timestampOf } from '../db/timestamps.ts';

export type LineRecord = {
  readonly id: number;
  readonly number: number;
  readonly createdAtMicros: number;
  readonly kind: TransferKind;
  /** EUR cents; negative when it left the account. */
  readonly amountMinor: number;
  /** EUR cents, right after this line. */
  readonly balanceMinor: number;
  /** 14 to 16 digits. */
  readonly orderId: string | null;
  readonly reference: string | null;
  readonly reason: string | null;
};

export const selectLines = sql`
  SELECT transfer.id, transfer.line AS number, transfer.kind, transfer.reference, transfer.reason,
    transfer.order_id::text AS "orderId", transfer.prepaid_balance_after_minor AS "balanceMinor",
    CASE target.kind WHEN 'prepaid' THEN transfer.amount_minor ELSE -transfer.amount_minor END AS "amountMinor",
    ${microsOf('transfer.created_at')} AS "createdAtMicros"
  FROM ledger_transfer AS transfer
  JOIN ledger_account AS target ON target.id = transfer.to_ledger_account_id`;

/** Lines `first` to `last` of the account, both included. */
export async function listLines(
  db: Db,
  { accountId, first, last }: { accountId: string; first: number; last: number },
): Promise<LineRecord[]> {
  const { rows } = await sql<LineRecord>`
    ${selectLines}
    WHERE transfer.account_id = ${accountId}::uuid AND transfer.line BETWEEN ${first} AND ${last}
    ORDER BY transfer.line`.execute(db);
  return rows;
}

/** The number of the account's newest line; 0 without one. */
export async function findLastNumber(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ number: number | null }>`
    SELECT max(line) AS number FROM ledger_transfer WHERE account_id = ${accountId}::uuid`.execute(db);
  return rows[0]?.number ?? 0;
}

/**
 * How many of the account's first `lastNumber` lines were booked before the moment: a binary search, since neither
 * numbers nor times ever go back.
 */
export async function countLinesBefore(
  db: Db,
  { accountId, lastNumber, epochMicros }: { accountId: string; lastNumber: number; epochMicros: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH RECURSIVE search (low, high) AS (
      SELECT 0::bigint, ${lastNumber}::bigint
      UNION ALL
      SELECT CASE WHEN middle.created_at < ${timestampOf(epochMicros)} THEN middle.line ELSE low END,
        CASE WHEN middle.created_at < ${timestampOf(epochMicros)} THEN high ELSE middle.line - 1 END
      FROM search
      JOIN ledger_transfer AS middle ON middle.account_id = ${accountId}::uuid AND middle.line = (low + high + 1) / 2
      WHERE low < high
    )
    SELECT low AS count FROM search WHERE low = high`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Balance and sums by kind after a line, EUR cents. Sums may exceed what a number holds exactly. */
export type Totals = { readonly balanceMinor: number } & { readonly [Kind in TransferKind]: bigint };

const NOTHING: Totals = { balanceMinor: 0, deposit: 0n, charge: 0n, refund: 0n, adjustment: 0n, payout: 0n };

/** The totals after line `number`; nothing at all before the first. */
export async function loadTotals(db: Db, accountId: string, number: number): Promise<Totals> {
  if (number === 0) return NOTHING;
  const { rows } = await sql<{ balanceMinor: number } & Record<TransferKind, string>>`
    SELECT prepaid_balance_after_minor AS "balanceMinor", deposit_sum_minor::text AS deposit,
      charge_sum_minor::text AS charge, refund_sum_minor::text AS refund,
      adjustment_sum_minor::text AS adjustment, payout_sum_minor::text AS payout
    FROM ledger_transfer WHERE account_id = ${accountId}::uuid AND line = ${number}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`account ${accountId} has no line ${number}`);
  return {
    balanceMinor: row.balanceMinor,
    deposit: BigInt(row.deposit),
    charge: BigInt(row.charge),
    refund: BigInt(row.refund),
    adjustment: BigInt(row.adjustment),
    payout: BigInt(row.payout),
  };
}
