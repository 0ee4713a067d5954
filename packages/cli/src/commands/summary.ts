/** `keyport summary`: orders, money and rejections over time. */
import type { Summary } from '@keyport/contract/summary';
import type { Command } from 'commander';
import { addOperationCommand } from '../operation-command.ts';
import { formatTable } from '../output.ts';

const COLUMNS = ['orders', 'units', 'turnover', 'refunds', 'rejections', 'stockOuts'] as const;

export function addSummaryCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'summary',
    operation: 'getSummary',
    example: 'keyport summary --bucket day --from 2026-11-01 --to 2026-11-30',
    format: async (data) => formatForPeople(data as Summary),
  });
}

function formatForPeople({ buckets, totals, currency }: Summary): string {
  const rows = [...buckets, { from: 'total', ...totals }];
  const columns = COLUMNS.map((name) => {
    const width = Math.max(name.length, ...rows.map((row) => String(row[name]).length));
    return {
      title: name.padStart(width),
      text: (row: (typeof rows)[number]) => String(row[name]).padStart(width),
    };
  });
  const table = formatTable([{ title: 'from', text: ({ from }) => from }, ...columns], rows);
  const codes = totals.rejectionsByCode.map(({ code, count }) => `\n${code}: ${count}`).join('');
  return `In ${currency}, by UTC times:\n\n${table}${codes === '' ? '' : `\n\nRejections:${codes}`}`;
}
