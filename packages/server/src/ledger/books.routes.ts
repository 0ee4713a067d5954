/** Shows the books day by day and what was sold for each seller, as JSON or CSV. A364. */

import type { DailyBooks, SellerSales } from '@keyport/contract/accounts/books';
import { type CsvCell, csvRecord } from '@keyport/contract/csv';
import { CURRENCY } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { loadNow } from '../db/timestamps.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { BUCKET_MICROS, readSumRange } from '../summary/sum-range.ts';
import { type DayRow, type Days, loadDailyBooks, loadSellerSales } from './books.sql.ts';

const DAY_COLUMNS = [
  'date',
  'deposits',
  'charges',
  'gatewayCharges',
  'refunds',
  'gatewayRefunds',
  'adjustments',
  'payouts',
  'prepaidBalance',
] as const;

const SELLER_COLUMNS = ['sellerId', 'sellerName', 'orders', 'turnover', 'refunds', 'net'] as const;

const NO_BOOKING: Omit<DayRow, 'dayMicros'> = {
  deposits: '0',
  charges: '0',
  gatewayCharges: '0',
  refunds: '0',
  gatewayRefunds: '0',
  adjustments: '0',
  payouts: '0',
  prepaidChange: '0',
};

type Query = { readonly from?: string; readonly to?: string };

export function buildDailyBooksHandlers({
  database,
}: {
  readonly database: Database;
}): Pick<OperationHandlers, 'getDailyBooks' | 'getSellerSales'> {
  const load = <Rows>(query: Query, read: (tx: Tx, days: Days) => Promise<Rows>) =>
    runTransaction(database, { isSnapshot: true }, async (tx) => {
      const days = readDays(query, await loadNow(tx));
      return { days, rows: await read(tx, days) };
    });
  return {
    async getDailyBooks({ query, headers }) {
      const { days, rows } = await load(query, loadDailyBooks);
      const data = { ...showDays(days), days: showDailyBooks(days, rows) };
      if (!prefers('text/csv', headers.accept)) return { status: 200, data };
      return csvOf(`books-${data.from}-${data.to}`, DAY_COLUMNS, data.days, () => false);
    },
    async getSellerSales({ query, headers }) {
      const { days, rows } = await load(query, loadSellerSales);
      const sellers = rows.map(({ chargedMinor, refundedMinor, ...seller }) => ({
        ...seller,
        turnover: formatMinor(BigInt(chargedMinor)),
        refunds: formatMinor(BigInt(refundedMinor)),
        net: formatMinor(BigInt(chargedMinor) - BigInt(refundedMinor)),
      }));
      const data: SellerSales = { ...showDays(days), sellers };
      if (!prefers('text/csv', headers.accept)) return { status: 200, data };
      return csvOf(
        `sellers-${data.from}-${data.to}`,
        SELLER_COLUMNS,
        sellers,
        (name) => name === 'sellerName',
      );
    },
  };
}

function readDays(query: Query, nowMicros: number): Days {
  return readSumRange({ ...query, bucket: 'day' }, nowMicros);
}

function dayOf(micros: number): string {
  return formatDateTime(micros).slice(0, 10);
}

function showDays({ fromMicros, beforeMicros }: Days) {
  return { currency: CURRENCY, from: dayOf(fromMicros), to: dayOf(beforeMicros - 1) };
}

/** Every day with the balance that it ended with. */
function showDailyBooks({ fromMicros, beforeMicros }: Days, rows: readonly DayRow[]): DailyBooks['days'] {
  const byDay = new Map(rows.map((row) => [row.dayMicros, row]));
  let balance = BigInt(byDay.get(null)?.prepaidChange ?? 0);
  const days: DailyBooks['days'] = [];
  for (let micros = fromMicros; micros < beforeMicros; micros += BUCKET_MICROS.day) {
    const { prepaidChange, ...booked } = byDay.get(micros) ?? NO_BOOKING;
    balance += BigInt(prepaidChange);
    days.push({
      date: dayOf(micros),
      deposits: formatMinor(BigInt(booked.deposits)),
      charges: formatMinor(BigInt(booked.charges)),
      gatewayCharges: formatMinor(BigInt(booked.gatewayCharges)),
      refunds: formatMinor(BigInt(booked.refunds)),
      gatewayRefunds: formatMinor(BigInt(booked.gatewayRefunds)),
      adjustments: formatMinor(BigInt(booked.adjustments)),
      payouts: formatMinor(BigInt(booked.payouts)),
      prepaidBalance: formatMinor(balance),
    });
  }
  return days;
}

/** `isTyped`: a column holds what was typed, which a spreadsheet must not take for a formula. */
function csvOf<Column extends string>(
  name: string,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string | number>>[],
  isTyped: (column: Column) => boolean,
) {
  const cellsOf = (row: Readonly<Record<Column, string | number>>) =>
    columns.map((column): CsvCell => {
      const text = String(row[column]);
      return isTyped(column) ? { text } : { bare: text };
    });
  const records = [columns.map((bare) => ({ bare })), ...rows.map(cellsOf)].map(csvRecord);
  return csvReply(name, records);
}
