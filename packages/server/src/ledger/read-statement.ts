/** R23, A62, A87. */
import type { StatementSummary } from '@keyport/contract/accounts/statements';
import { CURRENCY } from '@keyport/contract/formats';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { TRANSFER_KINDS, type TransferKind } from '@keyport/core/ledger';
import { formatMinor } from '@keyport/core/money';
import { cursorMeta, type ListQuery, wantedPage } from '@keyport/http/validation/list-cursor';
import { computeOffset, type Paging } from '@keyport/http/validation/paging';
import type { TimeRange } from '@keyport/http/validation/query';
import type { Database } from '../db/engines/database.ts';
import { findPage, type List } from '../db/keyset.sql.ts';
import { listLines, loadRange, loadRanges, type StatementRange } from './statement.sql.ts';
import {
  CSV_FORM,
  CSV_OWNERS_HEADER,
  type CsvForm,
  formatCsvBalance,
  formatCsvHeader,
  formatCsvLine,
  formatCsvTotal,
  formatLine,
  formatOwnLine,
  ownerCells,
} from './statement-lines.ts';

/** Keeps about 60 kB in memory. */
const CSV_BATCH_LINES = 500;
const CSV_BATCH_ACCOUNTS = 200;

export function findStatement(database: Database, accountId: string, bounds: TimeRange) {
  return loadRange(database.db, accountId, bounds);
}

/** The cursor stores the last line of the range, so all pages have the same closing balance. A702. */
export async function readOwnStatement(
  { db }: Database,
  accountId: string,
  { bounds, query }: { readonly bounds: TimeRange; readonly query: ListQuery },
) {
  const identity = ['own-statement', accountId, bounds.fromMicros, bounds.toMicros];
  const { after, limit } = wantedPage(query, identity, ['number', 'number']);
  const [shown = 0, end] = after?.map(Number) ?? [];
  const range = must(await loadRange(db, accountId, bounds, end), 'the account of a caller');
  const first = Math.max(range.first, shown + 1);
  const last = Math.min(range.last, first + limit - 1);
  const lines = await listLines(db, { accountId, first, last });
  const next = last < range.last ? [String(last), String(range.last)] : undefined;
  const [opening, closing] = [range.opening, range.closing].map(({ balanceMinor }) =>
    formatMinor(balanceMinor),
  );
  return { data: lines.map(formatOwnLine), meta: { ...cursorMeta(next, identity), opening, closing } };
}

export async function readLines(
  database: Database,
  range: StatementRange,
  { paging, isNewestFirst }: { readonly paging: Paging; readonly isNewestFirst: boolean },
) {
  const { accountId } = range;
  const lines = await listLines(database.db, { accountId, ...toPage(range, paging, isNewestFirst) });
  return (isNewestFirst ? lines.toReversed() : lines).map(formatLine);
}

export function statementsPage(bounds: TimeRange) {
  return {
    name: 'statements',
    load: (db: Database['db'], positions: readonly string[]) => loadRanges(db, positions, bounds),
    toId: ({ position }: StatementRange) => position,
  };
}

function toPage(
  { first, last }: StatementRange,
  paging: Paging,
  isNewestFirst: boolean,
): Pick<StatementRange, 'first' | 'last'> {
  const offset = computeOffset(paging);
  if (isNewestFirst)
    return { first: Math.max(first, last - offset - paging.itemsPerPage + 1), last: last - offset };
  return { first: first + offset, last: Math.min(last, first + offset + paging.itemsPerPage - 1) };
}

export function toSummary({
  opening,
  closing,
  fromMicros,
  toMicros,
}: Omit<StatementRange, 'accountId' | 'accountName'>): StatementSummary {
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

export async function* toCsv(
  database: Database,
  range: StatementRange,
  form: CsvForm = CSV_FORM,
): AsyncGenerator<string> {
  yield formatCsvHeader(form);
  yield* toCsvRecords(database, range, form);
}

/** A file without the total at its end was cut off. */
export async function* csvOfAll(database: Database, list: List, bounds: TimeRange): AsyncGenerator<string> {
  yield CSV_OWNERS_HEADER;
  let movedMinor = 0n;
  let closingMinor = 0n;
  let after: readonly string[] | undefined;
  do {
    const { ids, next } = await findPage(database, list, { after, limit: CSV_BATCH_ACCOUNTS });
    const ranges = await loadRanges(database.db, ids, bounds);
    for (const range of ranges.toSorted((one, other) => one.position - other.position)) {
      const { opening, closing, first, last } = range;
      if (first > last && closing.balanceMinor === 0) continue;
      movedMinor += BigInt(closing.balanceMinor - opening.balanceMinor);
      closingMinor += BigInt(closing.balanceMinor);
      yield* toCsvRecords(database, range, { ...CSV_FORM, owner: ownerCells(range) });
    }
    after = next;
    // This ends the turn even if these accounts had no lines.
    yield '';
  } while (after !== undefined);
  yield formatCsvTotal(movedMinor, closingMinor);
}

/** An account without its closing balance is incomplete. */
async function* toCsvRecords(
  database: Database,
  range: StatementRange,
  form: CsvForm,
): AsyncGenerator<string> {
  const { accountId, first, last, opening, closing } = range;
  yield formatCsvBalance('opening', opening.balanceMinor, range.fromMicros, form);
  for (let next = first; next <= last; next += CSV_BATCH_LINES) {
    const batch = { accountId, first: next, last: Math.min(last, next + CSV_BATCH_LINES - 1) };
    const lines = await listLines(database.db, batch);
    yield lines.map((line) => formatCsvLine(line, form)).join('');
  }
  yield formatCsvBalance('closing', closing.balanceMinor, range.toMicros, form);
}
