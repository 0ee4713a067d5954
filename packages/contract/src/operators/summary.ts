/** What operators see of the business as a whole: sums over time, and what needs somebody. */

import { ORDER_STATUSES } from '@keyport/core/order-status';
import { type Static, Type } from 'typebox';
import {
  Currency,
  count,
  DateTime,
  namedObject,
  nullable,
  oneOf,
  Price,
  ProductId,
  strictObject,
  Uuid,
} from '../formats.ts';

const BUCKETS = ['hour', 'day'] as const;

const TimeOrDay = Type.String({
  maxLength: 64,
  examples: ['2026-11-21T09:30:00Z', '2026-11-21'],
  'x-rule':
    'must be an RFC 3339 date-time with a zone, such as 2026-11-21T09:30:00Z, or a UTC day such as 2026-11-21',
});

export const SummaryQuery = Type.Object({
  from: Type.Optional({
    ...TimeOrDay,
    description:
      'RFC 3339 date-time or UTC day. Left out: 24 hours or 30 days, the last of which holds `to`.',
  }),
  to: Type.Optional({
    ...TimeOrDay,
    description: 'RFC 3339 date-time or UTC day, included. Left out: now.',
  }),
  bucket: Type.Optional(oneOf(BUCKETS, 'UTC hours or UTC days.', { default: 'hour' })),
});

const SUMS = {
  orders: count('Orders that were placed, whatever became of them.'),
  ordersByStatus: strictObject(
    Object.fromEntries(ORDER_STATUSES.map((status) => [status, count('')])) as Record<
      (typeof ORDER_STATUSES)[number],
      ReturnType<typeof count>
    >,
    { description: 'The same orders by the status that they have now.' },
  ),
  heldAmount: { ...Price, description: 'Total prices of those that are held.' },
  units: count('Units of these orders that are paid.'),
  unitsRefunded: count('Units of these orders that were refunded.'),
  turnover: { ...Price, description: 'Charges that were booked.' },
  refunds: { ...Price, description: 'Refunds that were booked.' },
  rejections: count('Requests to create an order that were rejected at checkout.'),
  rejectionsByCode: Type.Array(
    strictObject({
      code: Type.String({ examples: ['offer-not-available'] }),
      count: Type.Integer({ minimum: 1 }),
    }),
    { description: 'The most frequent code first.' },
  ),
  stockOuts: count('How often an offer sold its last unit.'),
};

const SummarySums = strictObject(SUMS);

export type SummarySums = Static<typeof SummarySums>;

export const Summary = namedObject('Summary', {
  bucket: oneOf(BUCKETS, 'UTC hours or UTC days.'),
  from: { ...DateTime, description: 'The beginning of the first bucket.' },
  to: { ...DateTime, description: 'The last moment of the last bucket.' },
  currency: Currency,
  totals: SummarySums,
  buckets: Type.Array(strictObject({ from: DateTime, ...SUMS }), {
    description: 'Oldest first, without gaps.',
  }),
});

export type Summary = Static<typeof Summary>;

const WAITING = {
  count: count('How many.'),
  amount: { ...Price, description: 'What they add up to, EUR.' },
  oldestAt: nullable(DateTime),
};

const Waiting = strictObject(WAITING);

export type Waiting = Static<typeof Waiting>;

export const Attention = namedObject('Attention', {
  heldOrders: Waiting,
  openPayments: strictObject({
    ...WAITING,
    overdue: count('Of orders that were given up before the provider had answered.'),
  }),
  openRefunds: strictObject(WAITING, { description: 'Those that the provider has not confirmed.' }),
  approvals: strictObject(WAITING, {
    description: 'Writes that wait for a second person, of those that the caller may approve.',
  }),
  stock: strictObject(
    {
      soldOut: count('Offers without any unit.'),
      low: count('Offers with few units.'),
      unitsMax: count('How many are few: KEYPORT_LOW_STOCK_UNITS.'),
      offers: Type.Array(
        strictObject({
          offerId: Uuid,
          productId: ProductId,
          productName: Type.String(),
          sellerId: Uuid,
          sellerName: Type.String(),
          units: count('On sale.'),
          soldAt: { ...DateTime, description: 'When it last sold.' },
        }),
        { description: 'At most 20, those with the fewest units first.' },
      ),
    },
    { description: 'Active offers that sold in the last 7 days; at most the 5,000 that sold last.' },
  ),
  endpoints: strictObject({
    failing: count('Enabled webhook endpoints all of whose attempts have failed since a time.'),
    disabled: count('Those that the service disabled because they kept failing or were gone.'),
    items: Type.Array(
      strictObject({
        id: Type.String(),
        accountId: Uuid,
        accountName: Type.String(),
        url: Type.String(),
        failingSince: nullable(DateTime),
        disabledReason: nullable(Type.String()),
      }),
      { description: 'At most 20, those that have failed for longest first.' },
    ),
  }),
  invariants: Type.Array(
    strictObject({
      id: Type.String({ examples: ['I3'] }),
      title: Type.String(),
      broken: count('Broken rows.'),
      brokenSince: nullable(DateTime),
    }),
    { description: 'Those that the last periodic check found broken.' },
  ),
});

export type Attention = Static<typeof Attention>;
