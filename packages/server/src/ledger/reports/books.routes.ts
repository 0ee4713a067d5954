import { columnsRecord, listColumns, rowRecord } from '@keyport/contract/list-csv';
import { OPERATIONS } from '@keyport/contract/operations';
import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import { parseTime } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import { type OperationHandlers, replyOk } from '../../operations/operation.ts';
import { readDailyBooks, readSellerSales, readTrialBalance } from './read-books.ts';

export function buildBooksHandlers({ database }: { readonly database: Database }) {
  return {
    async getDailyBooks({ query, headers }) {
      const data = await readDailyBooks(database, query);
      if (!prefers('text/csv', headers.accept)) return { status: 200, data };
      return toCsv(`books-${data.from}-${data.to}`, 'getDailyBooks', data.days);
    },
    async getSellerSales({ query, headers }) {
      const data = await readSellerSales(database, query);
      if (!prefers('text/csv', headers.accept)) return { status: 200, data };
      return toCsv(`sellers-${data.from}-${data.to}`, 'getSellerSales', data.sellers);
    },
    getTrialBalance: ({ query }) => replyOk(readTrialBalance(database, parseTime('query.at', query.at))),
  } satisfies Partial<OperationHandlers>;
}

function toCsv(name: string, operation: 'getDailyBooks' | 'getSellerSales', rows: readonly unknown[]) {
  const columns = listColumns(OPERATIONS[operation]);
  return csvReply(name, [columnsRecord(columns), ...rows.map((row) => rowRecord(columns, row))]);
}
