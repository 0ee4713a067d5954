/** The trial balance: debits and credits of every ledger account up to a moment. A88. */
import type { TrialBalance } from '@keyport/contract/accounts/books';
import { CURRENCY } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { Database } from '../../db/engines/database.ts';
import { loadNow } from '../../db/timestamps.ts';
import { runTransaction } from '../../db/transaction.ts';
import { listLedgerAccounts } from './trial-balance.sql.ts';

/** It reads every transfer from one snapshot, and blocks no writer. */
const TIMEOUT_MS = 600_000;
const SNAPSHOT = { isSnapshot: true, statementTimeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS };

export async function readTrialBalance(
  database: Database,
  untilMicros: number | undefined,
): Promise<TrialBalance> {
  const { atMicros, records } = await runTransaction(database, SNAPSHOT, async (tx) => {
    const atMicros = untilMicros ?? (await loadNow(tx));
    return { atMicros, records: await listLedgerAccounts(tx, atMicros) };
  });
  const sumOf = (side: 'debits' | 'credits') =>
    records.reduce((sum, record) => sum + BigInt(record[side]), 0n);
  return {
    at: formatDateTime(atMicros),
    currency: CURRENCY,
    accounts: records.map(({ debits, credits, ...record }) => ({
      ...record,
      ...formatTotals(BigInt(debits), BigInt(credits)),
    })),
    totals: formatTotals(sumOf('debits'), sumOf('credits')),
  };
}

function formatTotals(debits: bigint, credits: bigint) {
  return {
    debits: formatMinor(debits),
    credits: formatMinor(credits),
    balance: formatMinor(credits - debits),
  };
}
