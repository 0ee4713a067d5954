/** What operators see of the business as a whole: sums over time, and what needs somebody. */
import { ORDER_STATUSES } from '@keyport/core/order-status';
import { type Static, Type } from 'typebox';
import {
  Currency,
  count,
  DateTime,
  DateTimeInput,
  namedObject,
  oneOf,
  Price,
  strictObject,
} from './formats.ts';

const BUCKETS = ['hour', 'day'] as const;

export const SummaryQuery = Type.Object({
  from: Type.Optional({
    ...DateTimeInput,
    description: 'Left out: 24 hours or 30 days, the last of which holds `to`.',
  }),
  to: Type.Optional({ ...DateTimeInput, description: 'Included. Left out: now.' }),
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
