/**
 * Shows statements: that of an account as pages of JSON with opening and closing balance and the sums by kind, those of all
 * accounts as a list of these sums; or, of one or of all, every line of the range as CSV, which is streamed and needs no more memory for a
 * year than for a day. R23, A62, A86, A87, A460.
 */
import type { StatementSummary } from '@keyport/contract/accounts/statements';
import type { CsvCell } from '@keyport/contract/csv';
import { buildMeta } from '@keyport/contract/envelope';
import { CURRENCY } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { TRANSFER_KINDS, type TransferKind } from '@keyport/core/ledger';
import { formatMinor } from '@keyport/core/money';
import { requireFound } from '@keyport/http/replies/api-error';
import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import { offsetOf, type Paging, pagingOf } from '@keyport/http/validation/paging';
import { parseTimeRange, type TimeRange } from '@keyport/http/validation/query';
import { accountsList } from '../accounts/accounts.sql.ts';
import type { Database } from '../db/engines/database.ts';
import { findPage, type List } from '../db/keyset.sql.ts';
import { orderOf, readListPage } from '../operations/list-page.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { listLines, loadRange, loadRanges, type StatementRange } from './statement.sql.ts';
import {
  CSV_HEADER,
  CSV_OWNERS_HEADER,
  formatCsvBalance,
  formatCsvLine,
  formatCsvTotal,
  formatLine,
  ownerCells,
} from './statement-lines.ts';

/** Lines that are in memory at a time while a CSV file is written: about 60 kB. */
const CSV_BATCH_LINES = 500;
/** Accounts whose ranges are looked up at once for it. */
const CSV_BATCH_ACCOUNTS = 200;

export function buildStatementHandlers({
  database,
}: {
  readonly database: Database;
}): Pick<OperationHandlers, 'getStatement' | 'listStatements'> {
  return {
    async getStatement({ params, query, headers }) {
      const bounds = parseTimeRange(query, 'createdAtFrom', 'createdAtTo');
      const range = requireFound(await loadRange(database.kysely, params.accountId, bounds), 'account');
      if (prefers('text/csv', headers.accept))
        return csvReply(`statement-${range.accountId}`, csvOf(database, range));
      const paging = pagingOf(query);
      const isNewestFirst = query.sort === 'DESC';
      const lines = await listLines(database.kysely, {
        accountId: range.accountId,
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

    async listStatements({ query, headers }) {
      const bounds = parseTimeRange(query, 'from', 'to');
      if (prefers('text/csv', headers.accept)) {
        // Names may change while the file is written; what accounts come after another never does.
        const list = accountsList(query, orderOf('createdAt'));
        return csvReply('statements', csvOfAll(database, list, bounds));
      }
      const { rows, meta } = await readListPage(database, {
        name: 'statements',
        query,
        list: accountsList(query, orderOf('name')),
        load: (db, positions) => loadRanges(db, positions, bounds),
        idOf: ({ position }) => position,
      });
      const data = rows.map((range) => {
        const { accountId, accountName } = range;
        return { accountId, accountName, ...summaryOf(range) };
      });
      return { status: 200, data, meta };
    },
  };
}

/** The numbers of the lines of a page. */
function pageOf(
  { first, last }: StatementRange,
  paging: Paging,
  isNewestFirst: boolean,
): Pick<StatementRange, 'first' | 'last'> {
  const offset = offsetOf(paging);
  if (isNewestFirst)
    return { first: Math.max(first, last - offset - paging.itemsPerPage + 1), last: last - offset };
  return { first: first + offset, last: Math.min(last, first + offset + paging.itemsPerPage - 1) };
}

function summaryOf({ opening, closing, fromMicros, toMicros }: StatementRange): StatementSummary {
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

async function* csvOf(database: Database, range: StatementRange): AsyncGenerator<string> {
  yield CSV_HEADER;
  yield* csvRecordsOf(database, range, []);
}

/** What all moved and have comes last, so that a file that ends without it is seen to be cut off. */
async function* csvOfAll(database: Database, list: List, bounds: TimeRange): AsyncGenerator<string> {
  yield CSV_OWNERS_HEADER;
  let movedMinor = 0n;
  let closingMinor = 0n;
  let after: readonly string[] | undefined;
  do {
    const { ids, next } = await findPage(database, list, { after, limit: CSV_BATCH_ACCOUNTS });
    const ranges = await loadRanges(database.kysely, ids, bounds);
    for (const range of ranges.toSorted((one, other) => one.position - other.position)) {
      const { opening, closing, first, last } = range;
      if (first > last && closing.balanceMinor === 0) continue;
      movedMinor += BigInt(closing.balanceMinor - opening.balanceMinor);
      closingMinor += BigInt(closing.balanceMinor);
      yield* csvRecordsOf(database, range, ownerCells(range));
    }
    after = next;
  } while (after !== undefined);
  yield formatCsvTotal(movedMinor, closingMinor);
}

/** The closing balance comes last, so that it shows whether the account is there as a whole. */
async function* csvRecordsOf(
  database: Database,
  range: StatementRange,
  owner: readonly CsvCell[],
): AsyncGenerator<string> {
  const { accountId, first, last, opening, closing } = range;
  yield formatCsvBalance('opening', opening.balanceMinor, range.fromMicros, owner);
  for (let next = first; next <= last; next += CSV_BATCH_LINES) {
    const batch = { accountId, first: next, last: Math.min(last, next + CSV_BATCH_LINES - 1) };
    const lines = await listLines(database.kysely, batch);
    yield lines.map((line) => formatCsvLine(line, owner)).join('');
  }
  yield formatCsvBalance('closing', closing.balanceMinor, range.toMicros, owner);
}
