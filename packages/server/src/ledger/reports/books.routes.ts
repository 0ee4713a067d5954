import { type CsvCell, csvRecord } from '@keyport/contract/csv';
import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import { parseTime } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import { type OperationHandlers, replyOk } from '../../operations/operation.ts';
import { DAY_AMOUNTS, readDailyBooks, readSellerSales, readTrialBalance } from './read-books.ts';

const DAY_COLUMNS = ['date', ...DAY_AMOUNTS, 'prepaidBalance'] as const;

const SELLER_COLUMNS = ['sellerId', 'sellerName', 'orders', 'turnover', 'refunds', 'net'] as const;

export function buildBooksHandlers({ database }: { readonly database: Database }) {
  return {
    async getDailyBooks({ query, headers }) {
      const data = await readDailyBooks(database, query);
      if (!prefers('text/csv', headers.accept)) return { status: 200, data };
      return csvOf(`books-${data.from}-${data.to}`, DAY_COLUMNS, data.days);
    },
    async getSellerSales({ query, headers }) {
      const data = await readSellerSales(database, query);
      if (!prefers('text/csv', headers.accept)) return { status: 200, data };
      return csvOf(`sellers-${data.from}-${data.to}`, SELLER_COLUMNS, data.sellers);
    },
    getTrialBalance: ({ query }) => replyOk(readTrialBalance(database, parseTime('query.at', query.at))),
  } satisfies Partial<OperationHandlers>;
}

function csvOf<Column extends string>(
  name: string,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string | number>>[],
) {
  // A spreadsheet must not run a seller's name as a formula.
  const cellOf = (column: Column, text: string): CsvCell =>
    column === 'sellerName' ? { text } : { bare: text };
  const records = rows.map((row) => csvRecord(columns.map((column) => cellOf(column, String(row[column])))));
  return csvReply(name, [csvRecord(columns.map((bare) => ({ bare }))), ...records]);
}
