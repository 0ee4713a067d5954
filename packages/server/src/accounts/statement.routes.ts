/**
 * Shows the statement of an account: pages of JSON with opening and closing balance and the sums by kind, or the whole
 * range as CSV, which is streamed and needs no more memory for a year than for a day. R23, A62, A86, A87.
 */
import { Readable } from 'node:stream';
import type { StatementSummary } from '@keyport/contract/admin';
import { buildMeta } from '@keyport/contract/envelope';
import { CURRENCY } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { TRANSFER_KINDS, type TransferKind } from '@keyport/core/ledger';
import { formatMinor } from '@keyport/core/money';
import { offsetOf, type Paging, pagingOf } from '../audit/action.ts';
import type { Database } from '../db/database.ts';
import { prefers } from '../http/accept.ts';
import { invalidField, requireFound } from '../http/api-error.ts';
import type { OperationHandlers, OperationRequest } from '../http/operation.ts';
import { parseTime } from '../http/query.ts';
import { findAccount } from './accounts.sql.ts';
import { countLinesBefore, findLastNumber, listLines, loadTotals, type Totals } from './statement.sql.ts';
import { CSV_HEADER, formatCsvBalance, formatCsvLine, formatLine } from './statement-lines.ts';

/** Lines that are in memory at a time while a CSV file is written: about 60 kB. */
const CSV_BATCH_LINES = 500;

type Bounds = { readonly fromMicros: number | undefined; readonly toMicros: number | undefined };

/** Lines `first` to `last` of an account (none when `last` is `first - 1`), with the totals before and after them. */
type Range = Bounds & {
  readonly accountId: string;
  readonly first: number;
  readonly last: number;
  readonly opening: Totals;
  readonly closing: Totals;
};

export function buildStatementHandlers({
  database,
}: {
  readonly database: Database;
}): Pick<OperationHandlers, 'getStatement'> {
  return {
    async getStatement({ params, query, headers }) {
      const bounds = boundsOf(query);
      const account = requireFound(await findAccount(database.kysely, params.accountId), 'account');
      const range = await loadRange(database, account.id, bounds);
      if (prefers('text/csv', headers.accept)) {
        return {
          status: 200,
          stream: Readable.from(csvOf(database, range)),
          contentType: 'text/csv; charset=utf-8; header=present',
          headers: { 'content-disposition': `attachment; filename="statement-${account.id}.csv"` },
        };
      }
      const paging = pagingOf(query);
      const isNewestFirst = query.sort === 'DESC';
      const lines = await listLines(database.kysely, {
        accountId: account.id,
        ...pageOf(range, paging, isNewestFirst),
      });
      const totalResults = range.last - range.first + 1;
      return {
        status: 200,
        data: (isNewestFirst ? lines.toReversed() : lines).map(formatLine),
        meta: buildMeta({ ...paging, totalResults }),
        summary: summaryOf(range),
      };
    },
  };
}

/** The numbers of the lines of a page. */
function pageOf(
  { first, last }: Range,
  paging: Paging,
  isNewestFirst: boolean,
): Pick<Range, 'first' | 'last'> {
  const offset = offsetOf(paging);
  if (isNewestFirst)
    return { first: Math.max(first, last - offset - paging.itemsPerPage + 1), last: last - offset };
  return { first: first + offset, last: Math.min(last, first + offset + paging.itemsPerPage - 1) };
}

function boundsOf(query: OperationRequest<'getStatement'>['query']): Bounds {
  const fromMicros = parseTime('query.createdAtFrom', query.createdAtFrom);
  const toMicros = parseTime('query.createdAtTo', query.createdAtTo);
  if (fromMicros !== undefined && toMicros !== undefined && fromMicros > toMicros) {
    throw invalidField('query.createdAtTo', 'must not be before createdAtFrom');
  }
  return { fromMicros, toMicros };
}

async function loadRange(database: Database, accountId: string, bounds: Bounds): Promise<Range> {
  const db = database.kysely;
  const lastNumber = await findLastNumber(db, accountId);
  const countBefore = (epochMicros: number) => countLinesBefore(db, { accountId, lastNumber, epochMicros });
  const before = bounds.fromMicros === undefined ? 0 : await countBefore(bounds.fromMicros);
  const last = bounds.toMicros === undefined ? lastNumber : await countBefore(bounds.toMicros + 1);
  const opening = await loadTotals(db, accountId, before);
  const closing = await loadTotals(db, accountId, last);
  return { ...bounds, accountId, first: before + 1, last, opening, closing };
}

function summaryOf({ opening, closing, fromMicros, toMicros }: Range): StatementSummary {
  const sum = (kind: TransferKind) => formatMinor(closing[kind] - opening[kind]);
  return {
    currency: CURRENCY,
    createdAtFrom: fromMicros === undefined ? null : formatDateTime(fromMicros),
    createdAtTo: toMicros === undefined ? null : formatDateTime(toMicros),
    openingBalance: formatMinor(opening.balanceMinor),
    closingBalance: formatMinor(closing.balanceMinor),
    sums: Object.fromEntries(TRANSFER_KINDS.map((kind) => [kind, sum(kind)])) as StatementSummary['sums'],
  };
}

/** The closing balance comes last, so that a file that ends without it is seen to be cut off. */
async function* csvOf(database: Database, range: Range): AsyncGenerator<string> {
  const { accountId, first, last, opening, closing } = range;
  yield CSV_HEADER + formatCsvBalance('opening', opening.balanceMinor, range.fromMicros);
  for (let next = first; next <= last; next += CSV_BATCH_LINES) {
    const batch = { accountId, first: next, last: Math.min(last, next + CSV_BATCH_LINES - 1) };
    const lines = await listLines(database.kysely, batch);
    yield lines.map(formatCsvLine).join('');
  }
  yield formatCsvBalance('closing', closing.balanceMinor, range.toMicros);
}
