import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import { type Static, Type } from 'typebox';
import { CURSOR_QUERY, FILE_QUERY } from '../envelope.ts';
import { Currency, DateTime, DateTimeInput, Price, ProductId, SignedAmount, Uuid } from '../formats.ts';
import { flag, sortBy } from '../lists.ts';
import { count, namedObject, nullable, oneOf, strictObject, toMembers, toQuery } from '../schema.ts';

const BUCKETS = ['hour', 'day'] as const;

const TimeOrDay = Type.String({
  maxLength: 64,
  examples: ['2026-11-21T09:30:00Z', '2026-11-21'],
  'x-rule':
    'must be an RFC 3339 date-time with a zone, such as 2026-11-21T09:30:00Z, or a UTC day such as 2026-11-21',
});

export const SummaryQuery = toQuery({
  from: {
    ...TimeOrDay,
    description:
      'RFC 3339 date-time or UTC day. Default: the last 24 hours, or 30 days if `bucket` is `day`, up to `to`.',
  },
  to: { ...TimeOrDay, description: 'RFC 3339 date-time or UTC day, inclusive. Default: now.' },
  bucket: oneOf(BUCKETS, 'UTC hours or UTC days.', { default: 'hour' }),
});

const SUMS = {
  orders: count('Orders that were placed, with any outcome.'),
  ordersByStatus: strictObject(toMembers(ORDER_STATUSES, count('')), {
    description: 'The same orders by current status.',
  }),
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
  stockOuts: count('The number of times that an offer sold its last unit.'),
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
  amount: { ...Price, description: 'The total of the items, in EUR.' },
  oldestAt: nullable(DateTime),
};

const Waiting = strictObject(WAITING);
export type Waiting = Static<typeof Waiting>;

export const Attention = namedObject('Attention', {
  heldOrders: Waiting,
  openPayments: strictObject({
    ...WAITING,
    overdue: count('Payments of orders that expired before the provider responded.'),
  }),
  openClaims: strictObject(
    { count: WAITING.count, oldestAt: WAITING.oldestAt },
    { description: 'Claims that are waiting for a decision.' },
  ),
  openRefunds: strictObject(WAITING, { description: 'Refunds that the provider has not confirmed.' }),
  approvals: strictObject(WAITING, { description: 'Pending writes that the caller may approve.' }),
  stock: strictObject(
    {
      soldOut: count('Offers without units.'),
      low: count('Offers with few units.'),
      unitsMax: count('The most units that count as few: KEYPORT_LOW_STOCK_UNITS.'),
      offers: Type.Array(
        strictObject({
          offerId: Uuid,
          productId: ProductId,
          productName: Type.String(),
          sellerId: Uuid,
          sellerName: Type.String(),
          units: count('Units on sale.'),
          soldAt: { ...DateTime, description: 'When the offer last sold a unit.' },
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
    { description: 'Invariants that were violated in the last periodic check.' },
  ),
});
export type Attention = Static<typeof Attention>;
const REPORT_DIMENSIONS = ['account', 'product', 'seller', 'region'] as const;
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  examples: ['2026-11-21'],
  'x-rule': 'must be a UTC day such as 2026-11-21',
});

export const SalesReportQuery = toQuery({
  by: oneOf(['day', ...REPORT_DIMENSIONS], 'What each row stands for. Default: day.'),
  from: { ...Day, description: 'The first UTC day. Default: the first of the 30 days that end with `to`.' },
  to: { ...Day, description: 'The last UTC day, inclusive. Default: today.' },
  dimension: oneOf(
    REPORT_DIMENSIONS,
    'With `id`: only sales of one account, product, seller or region, by day.',
  ),
  id: Type.String({
    maxLength: 200,
    description: 'The id of the account, product or seller, or the name of the region.',
    'x-rule': 'must be an id or the name of a region, of at most 200 characters',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: 'At most this many rows; rows by day are not limited.',
    'x-rule': 'must be a whole number from 1 to 1000',
  }),
  ...FILE_QUERY,
});

const SALES = {
  orders: count('Orders that were charged.'),
  units: count('Units of these orders.'),
  turnover: { ...Price, description: 'Charges that were booked.' },
  refunds: count('Refunds that were booked.'),
  refunded: { ...Price, description: 'The total of the refunds.' },
  net: { ...SignedAmount, description: 'Turnover less refunds.' },
};

const Sales = strictObject(SALES);
export type Sales = Static<typeof Sales>;
const Before = strictObject(SALES, {
  description: 'The same sums in the previous period.',
});

export const SalesReport = namedObject('SalesReport', {
  by: oneOf(['day', ...REPORT_DIMENSIONS], 'What each row stands for.'),
  from: Day,
  to: Day,
  beforeFrom: { ...Day, description: 'The first day of the previous period.' },
  beforeTo: { ...Day, description: 'The last day of the previous period.' },
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
    { description: 'Days in order, without gaps; other rows by turnover, highest first.' },
  ),
  omitted: count('Rows beyond `limit`.'),
});
export type SalesReport = Static<typeof SalesReport>;
export const INCIDENT_KINDS = ['invariant', 'payment', 'endpoint', 'import', 'node', 'notification'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

const KIND =
  '`invariant`: an invariant is violated. `payment`: the provider did not respond in time. `endpoint`: a webhook endpoint is failing, or the service disabled it. `import`: an import stopped before its end. `node`: a node is no longer seen. `notification`: a mail to an operator cannot be sent.';

export const IncidentsQuery = toQuery({
  kind: oneOf(INCIDENT_KINDS, 'Only incidents of this kind.'),
  open: flag('true: only those that have not ended; false: only ended ones.'),
  from: { ...DateTimeInput, description: 'Only those that had not ended before this time.' },
  to: { ...DateTimeInput, description: 'Only those that began at or before this time.' },
  sort: sortBy(['-beganAt', 'beganAt']),
  ...CURSOR_QUERY,
});

export const Incident = namedObject('Incident', {
  id: Type.String({ examples: ['17'] }),
  kind: oneOf(INCIDENT_KINDS, KIND),
  subject: Type.String({
    description:
      'The id of the invariant, order, endpoint, import or node, or the id of the operator with the channel.',
    examples: ['I22'],
  }),
  title: Type.String({ description: 'The name of the subject at that time.' }),
  accountId: nullable(Uuid),
  beganAt: DateTime,
  endedAt: nullable(DateTime),
});
export type Incident = Static<typeof Incident>;
