import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
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
    description: 'RFC 3339 date-time or UTC day. Default: 24 hours or 30 days until `to`.',
  }),
  to: Type.Optional({
    ...TimeOrDay,
    description: 'RFC 3339 date-time or UTC day, included. Default: now.',
  }),
  bucket: Type.Optional(oneOf(BUCKETS, 'UTC hours or UTC days.', { default: 'hour' })),
});

const SUMS = {
  orders: count('Orders that were placed, with any outcome.'),
  ordersByStatus: strictObject(
    Object.fromEntries(ORDER_STATUSES.map((status) => [status, count('')])) as Record<
      (typeof ORDER_STATUSES)[number],
      ReturnType<typeof count>
    >,
    { description: 'The same orders by current status.' },
  ),
  heldAmount: { ...Price, description: 'The total of the held orders.' },
  units: count('Paid units of these orders.'),
  unitsRefunded: count('Refunded units of these orders.'),
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
  from: { ...DateTime, description: 'The start of the first bucket.' },
  to: { ...DateTime, description: 'The last moment of the last bucket.' },
  currency: Currency,
  totals: SummarySums,
  buckets: Type.Array(strictObject({ from: DateTime, ...SUMS }), {
    description: 'Oldest first, without gaps.',
  }),
});
export type Summary = Static<typeof Summary>;

const WAITING = {
  count: count('The number of items.'),
  amount: { ...Price, description: 'Their total, EUR.' },
  oldestAt: nullable(DateTime),
};

const Waiting = strictObject(WAITING);
export type Waiting = Static<typeof Waiting>;

export const Attention = namedObject('Attention', {
  heldOrders: Waiting,
  openPayments: strictObject({
    ...WAITING,
    overdue: count('For orders that expired before the provider responded.'),
  }),
  openClaims: strictObject(
    { count: WAITING.count, oldestAt: WAITING.oldestAt },
    { description: 'Claims that wait for a decision.' },
  ),
  openRefunds: strictObject(WAITING, { description: 'Refunds that the provider has not confirmed.' }),
  approvals: strictObject(WAITING, {
    description: 'Pending writes that the caller may approve.',
  }),
  assigned: strictObject(
    {
      heldOrders: count('Held orders.'),
      claims: count('Open claims.'),
      approvals: count('Pending approvals.'),
    },
    { description: 'What is assigned to the caller.' },
  ),
  stock: strictObject(
    {
      soldOut: count('Offers without units.'),
      low: count('Offers with few units.'),
      unitsMax: count('The limit for few units: KEYPORT_LOW_STOCK_UNITS.'),
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
    { description: 'Active offers that sold in the last 7 days; at most the 5,000 most recent.' },
  ),
  endpoints: strictObject({
    failing: count('Enabled webhook endpoints whose recent attempts have all failed.'),
    disabled: count('Endpoints that the service disabled because they kept failing or were gone.'),
    items: Type.Array(
      strictObject({
        id: Type.String(),
        accountId: Uuid,
        accountName: Type.String(),
        url: Type.String(),
        failingSince: nullable(DateTime),
        disabledReason: nullable(Type.String()),
      }),
      { description: 'At most 20, the longest failing first.' },
    ),
  }),
  invariants: Type.Array(
    strictObject({
      id: Type.String({ examples: ['I3'] }),
      title: Type.String(),
      broken: count('Rows that violate it.'),
      brokenSince: nullable(DateTime),
    }),
    { description: 'Violated invariants in the last periodic check.' },
  ),
});
export type Attention = Static<typeof Attention>;
