import type { DailyBooks, TrialBalance } from '@keyport/contract/accounts/books';
import type { Summary } from '@keyport/contract/operators/summary';
import { alignedColumns, formatTable } from '../output.ts';

const COLUMNS = ['orders', 'units', 'turnover', 'refunds', 'rejections', 'stockOuts'] as const;

export function formatDailyBooks({ days, currency }: DailyBooks): string {
  const names = Object.keys(days[0] ?? {}) as (keyof DailyBooks['days'][number])[];
  return `In ${currency}, by UTC days:\n\n${formatTable(days, alignedColumns(names, days))}`;
}

export function formatSummary({ buckets, totals, currency }: Summary): string {
  const rows = [...buckets, { from: 'total', ...totals }];
  const table = formatTable(rows, alignedColumns(['from', ...COLUMNS], rows));
  const codes = totals.rejectionsByCode.map(({ code, count }) => `\n${code}: ${count}`).join('');
  return `In ${currency}, by UTC times:\n\n${table}${codes === '' ? '' : `\n\nRejections:${codes}`}`;
}

export function isBalanced({ totals }: TrialBalance): boolean {
  return totals.debits === totals.credits;
}

export function formatTrialBalance(books: TrialBalance): string {
  const { at, currency, accounts, totals } = books;
  const rows = [...accounts, { kind: 'total', accountId: null, accountName: null, ...totals }].map(
    ({ kind, debits, credits, balance, accountId, accountName }) => ({
      kind,
      Debits: debits,
      Credits: credits,
      Balance: balance,
      reseller: accountId ? `${accountId} ${accountName}` : '',
    }),
  );
  const table = formatTable(rows, {
    Account: ({ kind }) => kind,
    ...alignedColumns(['Debits', 'Credits', 'Balance'], rows),
    Reseller: ({ reseller }) => reseller,
  });
  const verdict = isBalanced(books) ? 'Debits and credits are equal.' : 'Debits and credits are NOT equal.';
  return `At ${at}, in ${currency}:\n\n${table}\n\n${verdict}`;
}
