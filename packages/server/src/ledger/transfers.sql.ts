/** The statement's end is in the account's row, which the caller locks (I5). */
import { assert } from '@keyport/core/assert';
import { balanceEvents, type NewEvent } from '@keyport/core/events';
import {
  continueStatement,
  type LedgerAccountKind,
  prepaidChange,
  type StatementEnd,
  TRANSFER_KINDS,
  type Transfer,
  type TransferKind,
} from '@keyport/core/ledger';
import { prepareStatement } from '../db/engines/prepared.ts';
import { declareColumns } from '../db/row-columns.ts';
import { firstRow, onlyRow } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros, microsText, toTimestamp } from '../db/timestamps.ts';
import type { HouseAccounts } from './house-accounts.sql.ts';

const SUMS = TRANSFER_KINDS.map((kind) => `${kind}_sum_minor`).join(', ');

export const STATEMENT_END = `statement_line, ${microsText('statement_at')} AS statement_at,
  ${TRANSFER_KINDS.map((kind) => `${kind}_sum_minor::text`).join(', ')}`;

export type StatementEndRow = { statement_line: number; statement_at: number } & Record<
  `${TransferKind}_sum_minor`,
  string
>;

export function viewStatementEnd(row: StatementEndRow): StatementEnd {
  return {
    line: row.statement_line,
    atMicros: row.statement_at,
    sumsMinor: {
      deposit: BigInt(row.deposit_sum_minor),
      charge: BigInt(row.charge_sum_minor),
      refund: BigInt(row.refund_sum_minor),
      adjustment: BigInt(row.adjustment_sum_minor),
      payout: BigInt(row.payout_sum_minor),
    },
  };
}

export function endColumns<Row>(toEnd: (row: Row) => StatementEnd | null) {
  const sum = (kind: TransferKind) => ['bigint', (row: Row) => toEnd(row)?.sumsMinor[kind] ?? null] as const;
  return {
    line: ['bigint', (row: Row) => toEnd(row)?.line ?? null],
    deposit_sum: sum('deposit'),
    charge_sum: sum('charge'),
    refund_sum: sum('refund'),
    adjustment_sum: sum('adjustment'),
    payout_sum: sum('payout'),
  } as const;
}

/** Converts exactly, in SQL. */
const toTime = (micros: string) => `to_timestamp(0) + ${micros} * interval '1 microsecond'`;

/** Reads the columns of `endColumns`, and `at`, from rows named `changed`. */
export const CONTINUE_ACCOUNT = `statement_line = changed.line, statement_at = ${toTime('changed.at')},
  ${TRANSFER_KINDS.map((kind) => `${kind}_sum_minor = changed.${kind}_sum`).join(', ')}`;

export type NewTransfer = {
  readonly kind: string;
  readonly fromLedgerAccountId: number;
  readonly toLedgerAccountId: number;
  readonly amountMinor: number;
  readonly accountId: string;
  readonly prepaidBalanceAfterMinor: number | null;
  readonly orderId: string | null;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly atMicros: number;
  /** Null if no side is a prepaid balance. */
  readonly end: StatementEnd | null;
};

export const TRANSFERS = declareColumns<NewTransfer>({
  kind: ['text', (transfer) => transfer.kind],
  from_id: ['bigint', (transfer) => transfer.fromLedgerAccountId],
  to_id: ['bigint', (transfer) => transfer.toLedgerAccountId],
  amount: ['bigint', (transfer) => transfer.amountMinor],
  account_id: ['uuid', (transfer) => transfer.accountId],
  balance_after: ['bigint', (transfer) => transfer.prepaidBalanceAfterMinor],
  order_id: ['bigint', (transfer) => transfer.orderId],
  reference: ['text', (transfer) => transfer.reference],
  reason: ['text', (transfer) => transfer.reason],
  at: ['bigint', (transfer) => transfer.atMicros],
  ...endColumns<NewTransfer>((transfer) => transfer.end),
});

export function insertTransfersText(first: number): string {
  return `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
      prepaid_balance_after_minor, order_id, reference, reason, created_at, line, ${SUMS})
    SELECT kind, from_id, to_id, amount, account_id, balance_after, order_id, reference, reason, ${toTime('at')}, line,
      ${TRANSFER_KINDS.map((kind) => `${kind}_sum`).join(', ')}
    FROM ${TRANSFERS.unnest(first, 'transfer')}`;
}

const INSERT_TRANSFERS = prepareStatement<never>('insert_transfers', insertTransfersText(1));

type BookedAccount = {
  readonly id: string;
  readonly ledgerAccountId: number;
  readonly statementEnd: StatementEnd;
};

export function continueBooks(
  account: BookedAccount,
  transfers: readonly Transfer[],
  houseAccounts: HouseAccounts,
  about: Partial<Pick<NewTransfer, 'orderId' | 'reference' | 'reason'>> & { readonly nowMicros: number },
): { readonly rows: NewTransfer[]; readonly statementEnd: StatementEnd } {
  const { nowMicros, ...named } = about;
  let { statementEnd } = account;
  const toId = (side: LedgerAccountKind) =>
    side === 'prepaid' ? account.ledgerAccountId : houseAccounts[side];
  const rows = transfers.map((transfer): NewTransfer => {
    const { kind, from, to, amountMinor, prepaidBalanceAfterMinor } = transfer;
    const changeMinor = prepaidChange(transfer);
    if (changeMinor !== null)
      statementEnd = continueStatement(statementEnd, { kind, changeMinor, nowMicros });
    return {
      kind,
      fromLedgerAccountId: toId(from),
      toLedgerAccountId: toId(to),
      amountMinor,
      accountId: account.id,
      prepaidBalanceAfterMinor,
      orderId: null,
      reference: null,
      reason: null,
      ...named,
      atMicros: changeMinor === null ? nowMicros : statementEnd.atMicros,
      end: changeMinor === null ? null : statementEnd,
    };
  });
  return { rows, statementEnd };
}

/** The account must be locked. Throws if its balance is not the expected one. The caller logs the events. */
export async function bookTransfers(
  tx: Tx,
  accountId: string,
  transfers: readonly Transfer[],
  houseAccounts: HouseAccounts,
  about: Partial<Pick<NewTransfer, 'orderId' | 'reference' | 'reason'>> & { readonly atMicros?: number },
): Promise<NewEvent[]> {
  if (transfers.length === 0) return [];
  const { atMicros, ...named } = about;
  const account = await loadBookedAccount(tx, accountId);
  const { rows, statementEnd } = continueBooks(account, transfers, houseAccounts, {
    ...named,
    nowMicros: atMicros ?? account.nowMicros,
  });
  await INSERT_TRANSFERS.execute(tx, TRANSFERS.arrays(rows));
  const change = transfers.reduce((sum, transfer) => sum + (prepaidChange(transfer) ?? 0), 0);
  const last = transfers.findLast((transfer) => transfer.prepaidBalanceAfterMinor !== null);
  if (last === undefined) return [];
  const { sumsMinor } = statementEnd;
  const balance = await firstRow<{ before: number; after: number; threshold: number | null }>(tx)`
    UPDATE account SET balance_minor = balance_minor + ${change}, statement_line = ${statementEnd.line},
      statement_at = ${toTimestamp(statementEnd.atMicros)}, deposit_sum_minor = ${sumsMinor.deposit},
      charge_sum_minor = ${sumsMinor.charge}, refund_sum_minor = ${sumsMinor.refund},
      adjustment_sum_minor = ${sumsMinor.adjustment}, payout_sum_minor = ${sumsMinor.payout}
    WHERE id = ${accountId}::uuid AND balance_minor + ${change} = ${last.prepaidBalanceAfterMinor}
    RETURNING balance_minor - ${change} AS before, balance_minor AS after,
    balance_low_threshold_minor AS threshold`;
  assert(balance !== undefined, 'the balance changes together with its transfers');
  return balanceEvents(accountId, balance.threshold, {
    beforeMinor: balance.before,
    afterMinor: balance.after,
  });
}

async function loadBookedAccount(
  tx: Tx,
  accountId: string,
): Promise<BookedAccount & { readonly nowMicros: number }> {
  const row = await onlyRow<StatementEndRow & { ledger_account_id: number; now: number }>(tx)`
    SELECT ${sql.raw(STATEMENT_END)}, ledger_account.id AS ledger_account_id, ${deriveMicros('clock_timestamp()')} AS now
    FROM account JOIN ledger_account ON ledger_account.account_id = account.id AND ledger_account.kind = 'prepaid'
    WHERE account.id = ${accountId}::uuid`;
  return {
    id: accountId,
    ledgerAccountId: row.ledger_account_id,
    statementEnd: viewStatementEnd(row),
    nowMicros: row.now,
  };
}
