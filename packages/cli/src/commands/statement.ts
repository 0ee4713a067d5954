import type { StatementLine, StatementSummary } from '@keyport/contract/accounts/statements';
import type { CursorMeta, PageMeta } from '@keyport/contract/envelope';
import { formatJson, formatTree } from '@keyport/sdk-source/commands/output';
import { type Command, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { writeTarget } from '../files.ts';
import { formatTable, memberColumns } from '../output.ts';
import { addUrlOption, connect } from '../service/connection.ts';
import { endOf, startOf } from '../time-range.ts';

const COLUMNS = 'number createdAt kind amount balance orderId reference reason';

type Options = {
  readonly json?: true;
  readonly csv?: true;
  readonly url?: string;
  readonly from?: string;
  readonly to?: string;
  readonly page?: string;
  readonly itemsPerPage?: string;
  readonly output?: string;
};

export function addStatementCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'statement',
    summary: 'Show the bookings that changed the balance of an account',
    example: 'keyport statement ACCOUNT_ID --from 2026-10-01 --to 2026-10-31 --csv --output october.csv',
  });
  addUrlOption(command)
    .argument('<accountId>')
    .option('--from <time>', 'start: a date-time with a zone, or a day (UTC)')
    .option('--to <time>', 'inclusive end: a date-time with a zone, or a day (UTC)')
    .addOption(new Option('--csv', 'the whole range as CSV').conflicts(['json', 'page', 'itemsPerPage']))
    .option('--page <number>', 'page number, starting at 1')
    .option('--items-per-page <number>', 'lines per page: 10, 20, 50 or 100')
    .option('--output <file>', 'the file to write, instead of standard output')
    .action(async (accountId: string, options: Options) => {
      const { json, csv, url, from, to, page, itemsPerPage, output } = options;
      const parts = {
        params: { accountId },
        query: { createdAtFrom: from && startOf(from), createdAtTo: to && endOf(to), page, itemsPerPage },
      };
      const client = await connect(url);
      if (csv) return writeTarget(output, await client.download('getStatement', parts, 'text/csv'));
      const { body } = await client.call('getStatement', parts);
      const text = json ? formatJson(body) : formatForPeople(body);
      await writeTarget(output, [`${text}\n`]);
    });
}

function formatForPeople(body: {
  readonly data?: readonly StatementLine[] | undefined;
  readonly meta?: PageMeta | CursorMeta;
  readonly summary?: StatementSummary;
}): string {
  const { data = [], summary } = body;
  const meta = body.meta !== undefined && 'page' in body.meta ? body.meta : undefined;
  const more = meta?.hasNext ? `; --page ${meta.page + 1} shows more` : '';
  return [
    formatTree(summary),
    '',
    formatTable(data, memberColumns(COLUMNS)),
    `${meta?.totalResults ?? 0} in all, page ${meta?.page ?? 1}${more}`,
  ].join('\n');
}
