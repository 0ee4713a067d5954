/**
 * Books transfers. Each line of a statement continues the one before it: number, time that does not go back, and sums by kind
 * are computed here, behind the lock of the account's row, which the caller holds (I5). Index: ledger_transfer_line_uq.
 */
import type { Transfer } from '@keyport/core/ledger';
import type { Transaction } from 'kysely';
import type { HouseAccounts } from './house-accounts.sql.ts';
import { prepareStatement } from './prepared.ts';
import { declareColumns } from './row-columns.ts';
import type { Schema } from './schema.ts';

export type NewTransfer = {
  readonly kind: string;
  readonly fromLedgerAccountId: number;
  readonly toLedgerAccountId: number;
  readonly amountMinor: number;
  readonly accountId: string;
  /** Of the account's balance, by how much it moves; null when neither side is a prepaid balance. */
  readonly prepaidChangeMinor: number | null;
  readonly prepaidBalanceAfterMinor: number | null;
  readonly orderId: string | null;
  readonly reference: string | null;
  readonly reason: string | null;
};

/** The row of a transfer that the core decided. */
export function transferRow(
  { kind, from, to, amountMinor, prepaidBalanceAfterMinor }: Transfer,
  account: { readonly id: string; readonly ledgerAccountId: number },
  houseAccounts: HouseAccounts,
  about: Partial<Pick<NewTransfer, 'orderId' | 'reference' | 'reason'>>,
): NewTransfer {
  return {
    kind,
    fromLedgerAccountId: from === 'prepaid' ? account.ledgerAccountId : houseAccounts[from],
    toLedgerAccountId: to === 'prepaid' ? account.ledgerAccountId : houseAccounts[to],
    amountMinor,
    accountId: account.id,
    prepaidChangeMinor: to === 'prepaid' ? amountMinor : from === 'prepaid' ? -amountMinor : null,
    prepaidBalanceAfterMinor,
    orderId: null,
    reference: null,
    reason: null,
    ...about,
  };
}

export const TRANSFERS = declareColumns<NewTransfer>({
  kind: ['word', (transfer) => transfer.kind],
  from_id: ['bigint', (transfer) => transfer.fromLedgerAccountId],
  to_id: ['bigint', (transfer) => transfer.toLedgerAccountId],
  amount: ['bigint', (transfer) => transfer.amountMinor],
  account_id: ['uuid', (transfer) => transfer.accountId],
  change: ['bigint', (transfer) => transfer.prepaidChangeMinor],
  balance_after: ['bigint', (transfer) => transfer.prepaidBalanceAfterMinor],
  order_id: ['bigint', (transfer) => transfer.orderId],
  reference: ['text', (transfer) => transfer.reference],
  reason: ['text', (transfer) => transfer.reason],
});

const KINDS = ['deposit', 'charge', 'refund', 'adjustment', 'payout'];

/** The INSERT of rows whose parameters begin at `$first`; `now`: when they are booked. */
export function insertTransfersText(first: number, now: string): string {
  const sums = KINDS.map(
    (kind) => `CASE WHEN change IS NOT NULL THEN coalesce(last.${kind}_sum_minor, 0)
        + coalesce(sum(change) FILTER (WHERE kind = '${kind}') OVER statement, 0) END`,
  );
  return `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
      prepaid_balance_after_minor, order_id, reference, reason, created_at, line,
      ${KINDS.map((kind) => `${kind}_sum_minor`).join(', ')})
    SELECT kind, from_id, to_id, amount, transfer.account_id, balance_after, order_id, reference, reason,
      greatest(${now}, last.created_at),
      CASE WHEN change IS NOT NULL THEN coalesce(last.line, 0) + row_number() OVER statement END,
      ${sums.join(',\n      ')}
    FROM ${TRANSFERS.unnestInOrder(first, 'transfer')}
    LEFT JOIN LATERAL (
      SELECT line, created_at, ${KINDS.map((kind) => `${kind}_sum_minor`).join(', ')}
      FROM ledger_transfer AS before
      WHERE before.account_id = transfer.account_id AND line IS NOT NULL
      ORDER BY line DESC LIMIT 1
    ) AS last ON change IS NOT NULL
    WINDOW statement AS (PARTITION BY transfer.account_id, change IS NULL ORDER BY place ROWS UNBOUNDED PRECEDING)
    ORDER BY place`;
}

const INSERT_TRANSFERS = prepareStatement<never>(
  'insert_transfers',
  insertTransfersText(1, `coalesce($${TRANSFERS.count + 1}::timestamptz, clock_timestamp())`),
);

/** Books the transfers in their order; `at`: when, unless now. */
export async function insertTransfers(
  tx: Transaction<Schema>,
  transfers: readonly NewTransfer[],
  at: Date | null = null,
): Promise<void> {
  await INSERT_TRANSFERS.execute(tx, [...TRANSFERS.arrays(transfers), at]);
}
