import { deepEqual, equal, fail } from 'node:assert/strict';
import type { LedgerAccountKind, TransferKind } from '@keyport/core/ledger';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { sql } from '../db/sql.ts';
import { runTransaction } from '../db/transaction.ts';
import { loadHouseAccounts } from './house-accounts.sql.ts';
import { bookTransfers } from './transfers.sql.ts';

const ACCOUNTS = ['0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111', '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d222'];

test('transfers are numbered and summed per account, and their times never go backwards', async (t) => {
  const database = await testDatabase(t);
  const { db } = database;
  for (const id of ACCOUNTS) {
    await sql`INSERT INTO account (id, name) VALUES (${id}, 'Shop')`.execute(db);
    await sql`INSERT INTO ledger_account (kind, account_id) VALUES ('prepaid', ${id})`.execute(db);
  }
  const [one = '', other = ''] = ACCOUNTS;
  const book = (
    accountId: string,
    kind: TransferKind,
    sides: [LedgerAccountKind, LedgerAccountKind],
    amount: number,
    after: number | null,
    at: string,
  ) =>
    runTransaction(database, {}, async (tx) => {
      const [from, to] = sides;
      const transfer = { kind, from, to, amountMinor: amount, prepaidBalanceAfterMinor: after };
      await bookTransfers(tx, accountId, [transfer], await loadHouseAccounts(tx), {
        atMicros: Date.parse(at) * 1000,
      });
    });
  await book(one, 'deposit', ['cash', 'prepaid'], 1000, 1000, '2026-01-02 00:00:01Z');
  await book(other, 'deposit', ['cash', 'prepaid'], 70, 70, '2026-01-01 00:00:00Z');
  await book(one, 'charge', ['prepaid', 'sales'], 300, 700, '2026-01-02 00:00:00Z');
  await book(one, 'charge', ['gateway', 'sales'], 40, null, '2026-01-03 00:00:00Z');
  await book(one, 'refund', ['sales', 'prepaid'], 100, 800, '2026-01-04 00:00:00Z');

  await book(one, 'payout', ['prepaid', 'cash'], 800, 0, '2020-01-01 00:00:00Z').then(
    () => fail('a payout has a reference'),
    (error) => equal(error.constraint, 'ledger_transfer_reference_ck'),
  );
  await book(one, 'charge', ['prepaid', 'sales'], 800, 0, '2020-01-01 00:00:00Z');
  const { rows } = await sql<Record<string, unknown>>`
    SELECT account_id = ${one} AS is_one, line, created_at::text AS at, deposit_sum_minor AS deposits,
      charge_sum_minor AS charges, refund_sum_minor AS refunds, adjustment_sum_minor AS adjustments
    FROM ledger_transfer ORDER BY id`.execute(db);
  deepEqual(
    rows.map((row) => Object.values(row)),
    [
      [true, 1, '2026-01-02 00:00:01+00', 1000, 0, 0, 0],
      [false, 1, '2026-01-01 00:00:00+00', 70, 0, 0, 0],
      [true, 2, '2026-01-02 00:00:01+00', 1000, -300, 0, 0],
      [true, null, '2026-01-03 00:00:00+00', null, null, null, null],
      [true, 3, '2026-01-04 00:00:00+00', 1000, -300, 100, 0],
      [true, 4, '2026-01-04 00:00:00+00', 1000, -1100, 100, 0],
    ],
  );
});
