import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import { type OperationHandlers, replyOk } from '../operations/operation.ts';
import { type AttentionDeps, readAttention } from './read-attention.ts';
import { csvOfSales, readOwnSpend, readSalesReport } from './read-sales.ts';
import { readSummary } from './read-summary.ts';

export function buildSummaryHandlers(
  deps: AttentionDeps,
): Pick<OperationHandlers, 'getSummary' | 'getAttention' | 'getSalesReport' | 'listOwnSpend'> {
  return {
    getSummary: ({ query }) => replyOk(readSummary(deps.database, query)),
    async getSalesReport({ query, headers }) {
      const isCsv = prefers('text/csv', headers.accept);
      const data = await readSalesReport(deps.database, query, isCsv);
      if (!isCsv) return { status: 200, data };
      return csvReply(`sales-by-${data.by}-${data.from}-${data.to}`, csvOfSales(data));
    },
    listOwnSpend: ({ principal }) => replyOk(readOwnSpend(deps.database, principal.accountId)),
    getAttention: ({ principal }) => replyOk(readAttention(deps, principal)),
  };
}
