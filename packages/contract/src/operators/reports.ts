import { type Static, Type } from 'typebox';
import {
  Currency,
  count,
  namedObject,
  nullable,
  oneOf,
  Price,
  SignedAmount,
  strictObject,
} from '../formats.ts';

const REPORT_DIMENSIONS = ['account', 'product', 'seller', 'region'] as const;
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  examples: ['2026-11-21'],
  'x-rule': 'must be a UTC day such as 2026-11-21',
});

export const SalesReportQuery = Type.Object({
  by: Type.Optional(oneOf(['day', ...REPORT_DIMENSIONS], 'What a row is. Default: day.')),
  from: Type.Optional({ ...Day, description: 'The first UTC day. Default: 30 days until `to`.' }),
  to: Type.Optional({ ...Day, description: 'The last UTC day, included. Default: today.' }),
  of: Type.Optional(
    oneOf(REPORT_DIMENSIONS, 'With `thing`: only sales of one account, product, seller or region, by day.'),
  ),
  thing: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Its id, or the name of the region.',
      'x-rule': 'must be an id or the name of a region, of at most 200 characters',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 100,
      description: 'At most this many rows, unless they are days.',
      'x-rule': 'must be a whole number from 1 to 1000',
    }),
  ),
});

const SALES = {
  orders: count('Orders that were charged.'),
  units: count('Units of these orders.'),
  turnover: { ...Price, description: 'Charges that were booked.' },
  refunds: count('Refunds that were booked.'),
  refunded: { ...Price, description: 'Their total.' },
  net: { ...SignedAmount, description: 'Turnover less refunds.' },
};

const Sales = strictObject(SALES);
export type Sales = Static<typeof Sales>;

const Before = strictObject(SALES, { description: 'The same in the period of the same length before.' });

export const SalesReport = namedObject('SalesReport', {
  by: oneOf(['day', ...REPORT_DIMENSIONS], 'What a row is.'),
  from: Day,
  to: Day,
  beforeFrom: { ...Day, description: 'The first day of the period before.' },
  currency: Currency,
  totals: Sales,
  before: Before,
  rows: Type.Array(
    strictObject({
      key: Type.String({ description: 'A day, an id or a region; empty: the products have no region.' }),
      name: nullable(Type.String()),
      ...SALES,
      before: Before,
    }),
    { description: 'Days in their order, without gaps; others by turnover, the highest first.' },
  ),
  omitted: count('Rows beyond `limit`.'),
});
export type SalesReport = Static<typeof SalesReport>;
