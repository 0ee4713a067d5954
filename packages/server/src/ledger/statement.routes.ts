import { buildMeta } from '@keyport/contract/envelope';
import { requireFound } from '@keyport/http/replies/api-error';
import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import { toPaging } from '@keyport/http/validation/paging';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../db/engines/database.ts';
import { readListPage, toOrder } from '../operations/list-page.ts';
import type { OperationHandlers, OperationRequest } from '../operations/operation.ts';
import {
  csvOfAll,
  findStatement,
  readLines,
  readOwnStatement,
  statementsPage,
  toCsv,
  toSummary,
} from './read-statement.ts';
import { OWN_CSV_FORM } from './statement-lines.ts';

export type StatementDeps = {
  readonly database: Database;
  readonly accountsList: (
    query: OperationRequest<'listStatements'>['query'],
    order: { readonly by: 'createdAt' | 'name'; readonly isDescending: boolean },
  ) => Parameters<typeof csvOfAll>[1];
};

export function buildStatementHandlers({ database, accountsList }: StatementDeps) {
  return {
    async getOwnStatement({ query, headers, principal: { accountId } }) {
      const { fromMicros, toMicros } = parseTimeRange(query, 'from', 'to');
      // The upper bound is exclusive, and times are whole microseconds.
      const bounds = { fromMicros, toMicros: toMicros === undefined ? undefined : toMicros - 1 };
      if (prefers('text/csv', headers.accept)) {
        const range = requireFound(await findStatement(database, accountId, bounds), 'account');
        return csvReply('statement', toCsv(database, range, OWN_CSV_FORM));
      }
      return { status: 200, ...(await readOwnStatement(database, accountId, { bounds, query })) };
    },

    async getStatement({ params, query, headers }) {
      const bounds = parseTimeRange(query, 'createdAtFrom', 'createdAtTo');
      const range = requireFound(await findStatement(database, params.accountId, bounds), 'account');
      if (prefers('text/csv', headers.accept))
        return csvReply(`statement-${range.accountId}`, toCsv(database, range));
      const paging = toPaging(query);
      const totalResults = range.last - range.first + 1;
      return {
        status: 200,
        data: await readLines(database, range, { paging, isNewestFirst: query.sort === 'DESC' }),
        meta: buildMeta({ ...paging, totalResults }),
        summary: toSummary(range),
      };
    },

    async listStatements({ query, headers }) {
      const bounds = parseTimeRange(query, 'from', 'to');
      if (prefers('text/csv', headers.accept)) {
        // Sorted by creation, because an account may be renamed while the file is written.
        const list = accountsList(query, toOrder('createdAt'));
        return csvReply('statements', csvOfAll(database, list, bounds));
      }
      const list = accountsList(query, toOrder('name'));
      const { rows, meta } = await readListPage(database, { ...statementsPage(bounds), query, list });
      const data = rows.map(({ accountId, accountName, ...range }) => ({
        accountId,
        accountName,
        ...toSummary(range),
      }));
      return { status: 200, data, meta };
    },
  } satisfies Partial<OperationHandlers>;
}
