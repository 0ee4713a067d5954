/** Books deposits, each reference once, and shows the statement of an account. Decisions section 9. */
import type { StatementLine } from '@keyport/contract/admin';
import { buildMeta } from '@keyport/contract/envelope';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { depositTransfer } from '@keyport/core/ledger';
import { formatMinor, parseMinor } from '@keyport/core/money';
import { insertAudit } from '../db/audit.sql.ts';
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { ApiError } from '../http/api-error.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { accountNotFound } from './accounts.routes.ts';
import { type AccountRecord, findAccount, lockAccount } from './accounts.sql.ts';
import { auditRecord, pagingOf } from './action.ts';
import {
  countStatement,
  findDeposit,
  insertDeposit,
  listStatement,
  type StatementRecord,
} from './books.sql.ts';

export type DepositDeps = {
  readonly database: Database;
  /** Called after commit: the balance of the account is another one. */
  readonly onAccountChanged: (accountId: string) => void;
};

export function buildDepositHandlers({
  database,
  onAccountChanged,
}: DepositDeps): Pick<OperationHandlers, 'createDeposit' | 'getStatement'> {
  return {
    async createDeposit(request) {
      const { accountId } = request.params;
      const { reference, amount } = request.body;
      const amountMinor = must(parseMinor(amount), 'the schema lets amounts only pass');
      const { line, isNew } = await runTransaction(database, {}, async (tx) => {
        // The lock comes first: of several twins the first one books, the others then find its deposit.
        const account = await lockAccount(tx, accountId);
        if (account === undefined) throw accountNotFound();
        const earlier = await findDeposit(tx, { accountId, reference });
        if (earlier !== undefined) return { line: sameDeposit(earlier, amountMinor), isNew: false };
        refuseImpossibleDeposit(account, amountMinor);
        const transfer = depositTransfer(amountMinor, account.balanceMinor);
        const booked = await insertDeposit(tx, { accountId, reference, transfer });
        const data = { amount: formatMinor(amountMinor), reference, transferId: String(booked.id) };
        await insertAudit(tx, auditRecord(request, 'deposit.create', { accountId, data }));
        return { line: booked, isNew: true };
      });
      if (isNew) onAccountChanged(accountId);
      return { status: isNew ? 201 : 200, data: formatLine(line) };
    },

    async getStatement({ params, query }) {
      const paging = pagingOf(query);
      const account = await findAccount(database.kysely, params.accountId);
      if (account === undefined) throw accountNotFound();
      const lines = await listStatement(database.kysely, account.id, paging);
      const totalResults = await countStatement(database.kysely, account.id);
      return { status: 200, data: lines.map(formatLine), meta: buildMeta({ ...paging, totalResults }) };
    },
  };
}

/** The earlier deposit, when the repeated request means the same. Throws conflict. */
function sameDeposit(earlier: StatementRecord, amountMinor: number): StatementRecord {
  if (earlier.amountMinor === amountMinor) return earlier;
  const amount = formatMinor(earlier.amountMinor);
  throw new ApiError('conflict', {
    message: `This reference was booked with ${amount} EUR already. Use another reference for another deposit.`,
    data: { amount },
  });
}

/** Throws conflict: for a closed account, and for a balance beyond what is counted exactly. */
function refuseImpossibleDeposit(account: AccountRecord, amountMinor: number): void {
  if (account.status === 'closed') {
    throw new ApiError('conflict', { message: 'The account is closed; it takes no deposits.' });
  }
  if (account.balanceMinor > Number.MAX_SAFE_INTEGER - amountMinor) {
    throw new ApiError('conflict', {
      message: `The balance would exceed ${formatMinor(Number.MAX_SAFE_INTEGER)} EUR. Deposit less.`,
    });
  }
}

function formatLine(record: StatementRecord): StatementLine {
  return {
    id: String(record.id),
    createdAt: formatDateTime(record.createdAtMicros),
    kind: record.kind,
    amount: formatMinor(record.amountMinor),
    balance: formatMinor(record.balanceMinor),
    ...(record.orderId === null ? {} : { orderId: record.orderId }),
    ...(record.reference === null ? {} : { reference: record.reference }),
  };
}
