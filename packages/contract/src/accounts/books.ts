import { LEDGER_ACCOUNT_KINDS } from '@keyport/core/ledger';
import { type Static, Type } from 'typebox';
import { FILE_QUERY } from '../envelope.ts';
import { CalendarDate, Currency, DateTime, DateTimeInput, Price, SignedAmount, Uuid } from '../formats.ts';
import { count, namedObject, nullable, oneOf, strictObject, toQuery } from '../schema.ts';

export const TrialBalanceQuery = toQuery({ at: DateTimeInput });

const TOTALS = {
  debits: { ...Price, description: 'The sum of all debits.' },
  credits: { ...Price, description: 'The sum of all credits.' },
  balance: { ...SignedAmount, description: 'Credits less debits.' },
};
export const TrialBalance = namedObject('TrialBalance', {
  at: DateTime,
  currency: Currency,
  accounts: Type.Array(
    strictObject({
      kind: oneOf(
        LEDGER_ACCOUNT_KINDS,
        "A prepaid account belongs to a reseller; the others are the house's own.",
      ),
      accountId: nullable(Uuid),
      accountName: nullable(Type.String()),
      ...TOTALS,
    }),
  ),
  totals: strictObject(TOTALS, { description: 'Debits and credits are equal, so the balance is 0.00.' }),
});
export type TrialBalance = Static<typeof TrialBalance>;

export const DaysQuery = toQuery({
  from: {
    ...CalendarDate,
    description: 'UTC day, inclusive. Default: the first of the 30 days that end with `to`.',
  },
  to: { ...CalendarDate, description: 'UTC day, inclusive. Default: today.' },
  ...FILE_QUERY,
});

const DAYS = { currency: Currency, from: CalendarDate, to: CalendarDate };

export const DailyBooks = namedObject('DailyBooks', {
  ...DAYS,
  days: Type.Array(
    strictObject({
      date: CalendarDate,
      deposits: Price,
      charges: { ...Price, description: 'By any payment method.' },
      gatewayCharges: {
        ...Price,
        description: 'The part of the charges that was paid through the payment provider.',
      },
      refunds: Price,
      gatewayRefunds: {
        ...Price,
        description: 'The part of the refunds that went through the payment provider.',
      },
      adjustments: { ...SignedAmount, description: 'Negative if adjustments reduced the balances overall.' },
      payouts: Price,
      prepaidBalance: {
        ...SignedAmount,
        description: 'The sum of all prepaid balances at the end of the day.',
      },
    }),
    { description: 'Oldest first, without gaps.' },
  ),
});
export type DailyBooks = Static<typeof DailyBooks>;

export const SellerSales = namedObject('SellerSales', {
  ...DAYS,
  sellers: Type.Array(
    strictObject({
      sellerId: Uuid,
      sellerName: Type.String(),
      orders: count('Orders that were charged.'),
      turnover: { ...Price, description: 'Charges that were booked.' },
      refunds: { ...Price, description: 'Refunds that were booked.' },
      net: { ...SignedAmount, description: 'Turnover less refunds.' },
    }),
    { description: 'The highest net first.' },
  ),
});
export type SellerSales = Static<typeof SellerSales>;
