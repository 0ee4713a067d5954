/**
 * The prepaid side of the books as an operator sees it: deposits and the statement. Transfers are only ever added.
 * Lock order: the account's row (accounts.sql.ts) is locked before anything here writes. Invariants I1 to I4.
 */
import type { StatementLine } from '@keyport/contract/admin';
import { assert } from '@keyport/core/assert';
import type { Transfer } from '@keyport/core/ledger';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { offsetOf, type Paging } from './action.ts';

export type StatementRecord = {
  id: number;
  createdAtMicros: number;
  kind: StatementLine['kind'];
  /** EUR cents; negative when it left the account. */
  amountMinor: number;
  /** EUR cents, right after this line. */
  balanceMinor: number;
  /** 14 to 16 digits. */
  orderId: string | null;
  reference: string | null;
};

/** The deposit that was booked under this reference. Index: ledger_transfer_deposit_uq. */
export async function findDeposit(
  tx: Transaction<Schema>,
  deposit: { accountId: string; reference: string },
): Promise<StatementRecord | undefined> {
  const { rows } = await sql<StatementRecord>`
    ${selectLines}
    WHERE transfer.kind = 'deposit' AND transfer.account_id = ${deposit.accountId}
      AND transfer.reference = ${deposit.reference}`.execute(tx);
  return rows[0];
}

/**
 * Books a deposit and moves the balance with it; the account's row is locked by the caller. The unique index
 * ledger_transfer_deposit_uq stands behind the caller's search for the same reference.
 */
export async function insertDeposit(
  tx: Transaction<Schema>,
  deposit: { accountId: string; reference: string; transfer: Transfer },
): Promise<StatementRecord> {
  const { accountId, reference, transfer } = deposit;
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
      prepaid_balance_after_minor, reference, created_at)
    SELECT ${transfer.kind}, source.id, target.id, ${transfer.amountMinor}, ${accountId},
      ${transfer.prepaidBalanceAfterMinor}, ${reference}, clock_timestamp()
    FROM ledger_account AS source, ledger_account AS target
    WHERE source.kind = ${transfer.from} AND source.account_id IS NULL
      AND target.kind = ${transfer.to} AND target.account_id = ${accountId}
    RETURNING id`.execute(tx);
  assert(rows.length === 1, 'a deposit has one house account and one prepaid account');
  // The balance before is part of the condition: it must be the one that the transfer was computed from.
  const moved = await sql`
    UPDATE account SET balance_minor = balance_minor + ${transfer.amountMinor}
    WHERE id = ${accountId} AND balance_minor + ${transfer.amountMinor} = ${transfer.prepaidBalanceAfterMinor}`.execute(
    tx,
  );
  assert(moved.numAffectedRows === 1n, 'the balance moves together with its transfer');
  const booked = await findDeposit(tx, { accountId, reference });
  assert(booked !== undefined, 'a deposit that was booked can be read');
  return booked;
}

/**
 * One page of what moved the balance, oldest first. Ids are drawn while the account is locked, so their order is the
 * order of booking. Index: ledger_transfer_account_ix.
 */
export async function listStatement(
  db: Kysely<Schema>,
  accountId: string,
  paging: Paging,
): Promise<StatementRecord[]> {
  const { rows } = await sql<StatementRecord>`
    ${selectLines}
    WHERE transfer.account_id = ${accountId} AND transfer.prepaid_balance_after_minor IS NOT NULL
    ORDER BY transfer.id
    LIMIT ${paging.itemsPerPage} OFFSET ${offsetOf(paging)}`.execute(db);
  return rows;
}

export async function countStatement(db: Kysely<Schema>, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('ledger_transfer')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('prepaid_balance_after_minor', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

const selectLines = sql`
  SELECT transfer.id, transfer.kind, transfer.reference, transfer.order_id::text AS "orderId",
    transfer.prepaid_balance_after_minor AS "balanceMinor",
    CASE target.kind WHEN 'prepaid' THEN transfer.amount_minor ELSE -transfer.amount_minor END AS "amountMinor",
    (extract(epoch FROM transfer.created_at) * 1000000)::bigint AS "createdAtMicros"
  FROM ledger_transfer AS transfer
  JOIN ledger_account AS target ON target.id = transfer.to_ledger_account_id`;
