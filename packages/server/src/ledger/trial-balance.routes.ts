/** Shows the trial balance: what every ledger account, the house's included, has moved and holds at a moment. A88. */
import type { TrialBalance } from '@keyport/contract/accounts/books';
import { CURRENCY } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { parseTime } from '@keyport/http/validation/query';
import type { Database } from '../db/engines/database.ts';
import { loadNow } from '../db/timestamps.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { listLedgerAccounts } from './trial-balance.sql.ts';

/** It reads everything that was ever booked, from one snapshot, and blocks no writer. */
const TIMEOUT_MS = 600_000;

export function buildTrialBalanceHandlers({
  database,
}: {
  readonly database: Database;
}): Pick<OperationHandlers, 'getTrialBalance'> {
  return {
    async getTrialBalance({ query }) {
      const givenMicros = parseTime('query.at', query.at);
      const { atMicros, records } = await runTransaction(
        database,
        { isSnapshot: true, statementTimeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS },
        async (tx) => {
          const atMicros = givenMicros ?? (await loadNow(tx));
          return { atMicros, records: await listLedgerAccounts(tx, atMicros) };
        },
      );
      const accounts = records.map(({ debits, credits, ...record }) => ({
        ...record,
        ...formatTotals({ debits: BigInt(debits), credits: BigInt(credits) }),
      }));
      const totals = {
        debits: records.reduce((sum, { debits }) => sum + BigInt(debits), 0n),
        credits: records.reduce((sum, { credits }) => sum + BigInt(credits), 0n),
      };
      const data: TrialBalance = {
        at: formatDateTime(atMicros),
        currency: CURRENCY,
        accounts,
        totals: formatTotals(totals),
      };
      return { status: 200, data };
    },
  };
}

function formatTotals({ debits, credits }: { debits: bigint; credits: bigint }) {
  return {
    debits: formatMinor(debits),
    credits: formatMinor(credits),
    balance: formatMinor(credits - debits),
  };
}
