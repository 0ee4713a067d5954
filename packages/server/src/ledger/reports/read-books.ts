import type { DailyBooks, SellerSales, TrialBalance } from '@keyport/contract/accounts/books';
import { CURRENCY } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { loadNow } from '../../db/timestamps.ts';
import { runTransaction } from '../../db/transaction.ts';
import { type DayRow, type Days, listLedgerAccounts, loadDailyBooks, loadSellerSales } from './books.sql.ts';
import { BUCKET_MICROS, readSumRange } from './sum-range.ts';

const DAY_AMOUNTS = [
  'deposits',
  'charges',
  'gatewayCharges',
  'refunds',
  'gatewayRefunds',
  'adjustments',
  'payouts',
] as const satisfies readonly (keyof DayRow)[];

type Query = { readonly from?: string; readonly to?: string };

export async function readDailyBooks(database: Database, query: Query): Promise<DailyBooks> {
  const { days, rows } = await load(database, query, loadDailyBooks);
  return { ...showDays(days), days: showDailyBooks(days, rows) };
}

export async function readSellerSales(database: Database, query: Query): Promise<SellerSales> {
  const { days, rows } = await load(database, query, loadSellerSales);
  const sellers = rows.map(({ chargedMinor, refundedMinor, ...seller }) => ({
    ...seller,
    turnover: formatMinor(BigInt(chargedMinor)),
    refunds: formatMinor(BigInt(refundedMinor)),
    net: formatMinor(BigInt(chargedMinor) - BigInt(refundedMinor)),
  }));
  return { ...showDays(days), sellers };
}

function load<Row>(database: Database, query: Query, read: (tx: Tx, days: Days) => Promise<Row[]>) {
  return runTransaction(database, { isSnapshot: true }, async (tx) => {
    const days = readSumRange({ ...query, bucket: 'day' }, await loadNow(tx));
    return { days, rows: await read(tx, days) };
  });
}

function toDay(micros: number): string {
  return formatDateTime(micros).slice(0, 10);
}

function showDays({ fromMicros, beforeMicros }: Days) {
  return { currency: CURRENCY, from: toDay(fromMicros), to: toDay(beforeMicros - 1) };
}

function showDailyBooks({ fromMicros, beforeMicros }: Days, rows: readonly DayRow[]): DailyBooks['days'] {
  const byDay = new Map(rows.map((row) => [row.dayMicros, row]));
  let balance = BigInt(byDay.get(null)?.prepaidChange ?? 0);
  const days: DailyBooks['days'] = [];
  for (let micros = fromMicros; micros < beforeMicros; micros += BUCKET_MICROS.day) {
    const booked = byDay.get(micros);
    balance += BigInt(booked?.prepaidChange ?? 0);
    const amounts = DAY_AMOUNTS.map((name) => [name, formatMinor(BigInt(booked?.[name] ?? 0))]);
    const day = Object.fromEntries(amounts) as Record<(typeof DAY_AMOUNTS)[number], string>;
    days.push({ date: toDay(micros), ...day, prepaidBalance: formatMinor(balance) });
  }
  return days;
}

/** Reads every transfer, but blocks no writer (A88). */
const TIMEOUT_MS = 600_000;
const SNAPSHOT = { isSnapshot: true, statementTimeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS };

export async function readTrialBalance(
  database: Database,
  untilMicros: number | undefined,
): Promise<TrialBalance> {
  const { atMicros, records } = await runTransaction(database, SNAPSHOT, async (tx) => {
    const atMicros = untilMicros ?? (await loadNow(tx));
    return { atMicros, records: await listLedgerAccounts(tx, atMicros) };
  });
  const computeSum = (side: 'debits' | 'credits') =>
    records.reduce((sum, record) => sum + BigInt(record[side]), 0n);
  return {
    at: formatDateTime(atMicros),
    currency: CURRENCY,
    accounts: records.map(({ debits, credits, ...record }) => ({
      ...record,
      ...formatTotals(BigInt(debits), BigInt(credits)),
    })),
    totals: formatTotals(computeSum('debits'), computeSum('credits')),
  };
}

function formatTotals(debits: bigint, credits: bigint) {
  return {
    debits: formatMinor(debits),
    credits: formatMinor(credits),
    balance: formatMinor(credits - debits),
  };
}
