/** A582. */
import type { DayOfSpend } from '@keyport/contract/accounts/accounts';
import { CURRENCY } from '@keyport/contract/formats';
import { columnsRecord, listColumns, rowRecord } from '@keyport/contract/list-csv';
import { OPERATIONS } from '@keyport/contract/operations';
import type { ReportDimension, Sales, SalesReport } from '@keyport/contract/operators/summary';
import { MICROS_PER_DAY } from '@keyport/core/date-time';
import { normalizeUuid } from '@keyport/core/ids';
import { formatMinor } from '@keyport/core/money';
import { invalidField } from '@keyport/http/replies/api-error';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { loadNow } from '../db/timestamps.ts';
import { runTransaction } from '../db/transaction.ts';
import { readSumRange, type SumRange } from '../ledger/reports/sum-range.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { loadSold, type SoldPart, type SoldRow } from './sales.sql.ts';

type Query = OperationRequest<'getSalesReport'>['query'];
const LIMIT_DEFAULT = 100;
const NOTHING = { orders: 0, units: 0, refunds: 0, chargedMinor: '0', refundedMinor: '0' };

/** `isWhole`: returns all rows. */
export function readSalesReport(database: Database, query: Query, isWhole: boolean): Promise<SalesReport> {
  return runTransaction(database, { isSnapshot: true }, async (tx) => {
    const range = readSumRange({ ...query, bucket: 'day' }, await loadNow(tx));
    return report(tx, query, range, isWhole ? Number.POSITIVE_INFINITY : (query.limit ?? LIMIT_DEFAULT));
  });
}

const SPEND_DAYS = 30;

/** The days of an account on which something was booked. */
export function readOwnSpend(database: Database, accountId: string): Promise<DayOfSpend[]> {
  return runTransaction(database, { isSnapshot: true }, async (tx) => {
    const today = Math.floor((await loadNow(tx)) / MICROS_PER_DAY) * MICROS_PER_DAY;
    const fromMicros = today - (SPEND_DAYS - 1) * MICROS_PER_DAY;
    const range = { fromMicros, beforeMicros: today + MICROS_PER_DAY };
    const rows = await loadSold(tx, { dimension: 'account', id: accountId, ...range }, 'day');
    return rows
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ key: date, orders, units, chargedMinor, refundedMinor }) => ({
        date,
        orders,
        units,
        charged: formatMinor(BigInt(chargedMinor)),
        refunded: formatMinor(BigInt(refundedMinor)),
      }));
  });
}

async function report(tx: Tx, query: Query, range: SumRange, limit: number): Promise<SalesReport> {
  const { by = 'day' } = query;
  const { fromMicros, beforeMicros } = range;
  const period = { ...toReportFilter(query, by), fromMicros, beforeMicros };
  const earlier = { ...period, ...toEarlierRange(range) };
  const loadBy = by === 'day' ? 'day' : 'id';
  const [now, then] = [await loadSold(tx, period, loadBy), await loadSold(tx, earlier, loadBy)];
  const all = by === 'day' ? days(range, earlier, now, then) : listRows(now, then);
  const rows = by === 'day' ? all : all.slice(0, limit);
  return {
    by,
    from: toDay(fromMicros),
    to: toDay(beforeMicros - 1),
    beforeFrom: toDay(earlier.fromMicros),
    beforeTo: toDay(earlier.beforeMicros - 1),
    currency: CURRENCY,
    totals: show(sum(now)),
    before: show(sum(then)),
    rows: rows.map(({ key, name, before, ...row }) => ({ key, name, ...show(row), before: show(before) })),
    omitted: all.length - rows.length,
  };
}

type Days = Pick<SumRange, 'fromMicros' | 'beforeMicros'>;

/** From the first of a month: the same days of the months before. Otherwise: as many days before. */
function toEarlierRange({ fromMicros, beforeMicros }: SumRange): Days {
  const [from, last] = [toDate(fromMicros), toDate(beforeMicros - MICROS_PER_DAY)];
  if (from.day !== 1)
    return { fromMicros: fromMicros - (beforeMicros - fromMicros), beforeMicros: fromMicros };
  const months = (last.year - from.year) * 12 + last.month - from.month + 1;
  const isWhole = toDate(beforeMicros).day === 1;
  const end = toDate(deriveMicros(last.year, last.month - months + 1, 0));
  return {
    fromMicros: deriveMicros(from.year, from.month - months, 1),
    beforeMicros: deriveMicros(end.year, end.month, (isWhole ? end.day : Math.min(last.day, end.day)) + 1),
  };
}

function toDate(micros: number) {
  const date = new Date(micros / 1000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** Months from 0; months and days beyond the year or month continue in the next or previous one. */
function deriveMicros(year: number, month: number, day: number): number {
  return Date.UTC(year, month, day) * 1000;
}

function toReportFilter(
  { dimension, id }: Query,
  by: ReportDimension | 'day',
): Pick<SoldPart, 'dimension' | 'id'> {
  if ((dimension === undefined) !== (id === undefined))
    throw invalidField(
      dimension === undefined ? 'query.dimension' : 'query.id',
      `must be sent together with ${dimension === undefined ? 'id' : 'dimension'}`,
    );
  if (dimension !== undefined && by !== 'day')
    throw invalidField('query.by', 'must be day when dimension and id are sent');
  return {
    dimension: dimension ?? (by === 'day' ? 'all' : by),
    id: id === undefined ? undefined : (normalizeUuid(id) ?? id),
  };
}

type Sums = Omit<SoldRow, 'key' | 'name'>;
type Row = SoldRow & { readonly before: Sums };

function listRows(now: readonly SoldRow[], then: readonly SoldRow[]): Row[] {
  const before = new Map(then.map((row) => [row.key, row]));
  const current = now.map((row) => ({ ...row, before: before.get(row.key) ?? NOTHING }));
  const known = new Set(now.map(({ key }) => key));
  const gone = then.filter(({ key }) => !known.has(key));
  return [...current, ...gone.map((row) => ({ ...row, ...NOTHING, before: row }))];
}

function days(
  { fromMicros, beforeMicros }: SumRange,
  earlier: Days,
  now: readonly SoldRow[],
  then: readonly SoldRow[],
): Row[] {
  const byDay = new Map([...then, ...now].map((row) => [row.key, row]));
  const toRow = (micros: number) =>
    byDay.get(toDay(micros)) ?? { ...NOTHING, key: toDay(micros), name: null };
  const count = (beforeMicros - fromMicros) / MICROS_PER_DAY;
  return Array.from({ length: count }, (_, place) => {
    const micros = fromMicros + place * MICROS_PER_DAY;
    const before = earlier.fromMicros + place * MICROS_PER_DAY;
    return { ...toRow(micros), before: before < earlier.beforeMicros ? toRow(before) : NOTHING };
  });
}

function sum(rows: readonly Sums[]): Sums {
  return rows.reduce(
    (total, row) => ({
      orders: total.orders + row.orders,
      units: total.units + row.units,
      refunds: total.refunds + row.refunds,
      chargedMinor: String(BigInt(total.chargedMinor) + BigInt(row.chargedMinor)),
      refundedMinor: String(BigInt(total.refundedMinor) + BigInt(row.refundedMinor)),
    }),
    NOTHING,
  );
}

function show({ orders, units, refunds, chargedMinor, refundedMinor }: Sums): Sales {
  const [charged, refunded] = [BigInt(chargedMinor), BigInt(refundedMinor)];
  return {
    orders,
    units,
    turnover: formatMinor(charged),
    refunds,
    refunded: formatMinor(refunded),
    net: formatMinor(charged - refunded),
  };
}

function toDay(micros: number): string {
  return new Date(micros / 1000).toISOString().slice(0, 10);
}

/** The first column is named after what the rows stand for. */
export function* csvOfSales({ by, rows }: SalesReport): Generator<string> {
  const columns = listColumns(OPERATIONS.getSalesReport);
  yield columnsRecord(columns).replace(/^key/, by);
  for (const row of rows) yield rowRecord(columns, row);
}
