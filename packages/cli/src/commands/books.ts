import type { TrialBalance } from '@keyport/contract/accounts/books';
import { formatJson } from '@keyport/sdk-source/commands/output';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { alignedColumns, formatTable } from '../output.ts';
import { addUrlOption, connect } from '../service/connection.ts';
import { endOf } from '../time-range.ts';

export function addBooksCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'books',
    summary: 'Show the totals of every ledger account; exit with 1 if they do not add up to zero',
    example: 'keyport books --at 2026-10-31',
  });
  addUrlOption(command)
    .option('--at <time>', 'a date-time with a zone, or the end of a day (UTC); now by default')
    .action(async ({ json, url, at }: { json?: true; url?: string; at?: string }) => {
      const client = await connect(url);
      const { body } = await client.call('getTrialBalance', { query: { at: at && endOf(at) } });
      if (body.data === undefined) return;
      if (!isBalanced(body.data)) process.exitCode = 1;
      console.log(json ? formatJson(body) : formatForPeople(body.data));
    });
}

function isBalanced({ totals }: TrialBalance): boolean {
  return totals.debits === totals.credits;
}

function formatForPeople(books: TrialBalance): string {
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
