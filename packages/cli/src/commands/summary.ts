import type { DailyBooks } from '@keyport/contract/accounts/books';
import type { Summary } from '@keyport/contract/operators/summary';
import type { Command } from 'commander';
import { addOperationCommand } from '../operations/operation-command.ts';
import { alignedColumns, formatTable } from '../output.ts';

const COLUMNS = ['orders', 'units', 'turnover', 'refunds', 'rejections', 'stockOuts'] as const;

export function addSummaryCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'summary',
    operation: 'getSummary',
    example: 'keyport summary --bucket day --from 2026-11-01 --to 2026-11-30',
    format: async (data) => formatForPeople(data as Summary),
  });
}

export function addAttentionCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'attention',
    operation: 'getAttention',
    example: 'keyport attention',
  });
}

export function addDailyBooksCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'daily-books',
    operation: 'getDailyBooks',
    example: 'keyport daily-books --from 2026-11-01 --to 2026-11-30',
    format: async (data) => {
      const { days, currency } = data as DailyBooks;
      const names = Object.keys(days[0] ?? {}) as (keyof DailyBooks['days'][number])[];
      return `In ${currency}, by UTC days:\n\n${formatTable(days, alignedColumns(names, days))}`;
    },
  });
}

function formatForPeople({ buckets, totals, currency }: Summary): string {
  const rows = [...buckets, { from: 'total', ...totals }];
  const table = formatTable(rows, alignedColumns(['from', ...COLUMNS], rows));
  const codes = totals.rejectionsByCode.map(({ code, count }) => `\n${code}: ${count}`).join('');
  return `In ${currency}, by UTC times:\n\n${table}${codes === '' ? '' : `\n\nRejections:${codes}`}`;
}
