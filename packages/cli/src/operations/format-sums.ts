import type { DailyBooks } from '@keyport/contract/accounts/books';
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
