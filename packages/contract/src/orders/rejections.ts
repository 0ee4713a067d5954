/** What operators' lists are asked for, and what only lists show (A274, A410 to A415). */
import type { PlaceOrderRejection } from '@keyport/core/place-order';
import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import {
  count,
  DateTime,
  DateTimeInput,
  namedObject,
  nullable,
  oneOf,
  Price,
  ProductId,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { sortBy } from '../lists.ts';

/** What checkout answers to a request that it rejects. */
const REJECTION_CODES = [
  'cart-validation-error',
  'insufficient-funds',
  'max-price-exceeded',
  'offer-not-available',
  'payment-not-configured',
  'product-excluded',
] as const satisfies readonly PlaceOrderRejection['code'][];

export const RejectionsQuery = Type.Object({
  code: Type.Optional(oneOf(REJECTION_CODES, 'Only rejections with this code.')),
  accountId: Type.Optional(UuidInput),
  dateFrom: Type.Optional(DateTimeInput),
  dateTo: Type.Optional(DateTimeInput),
  sort: sortBy(['-rejectedAt', 'rejectedAt']),
  ...CURSOR_QUERY,
});

export const Rejection = namedObject('OperatorRejection', {
  rejectedAt: DateTime,
  accountId: Uuid,
  accountName: Type.String(),
  idempotencyKey: { ...Uuid, description: "Of the request: finds it in the reseller's own log." },
  productId: nullable(ProductId, {
    description: 'The product that was asked for; null: the offer does not exist.',
  }),
  productName: nullable(Type.String(), { description: 'Null: the product does not exist.' }),
  offerId: nullable(Uuid, { description: 'The offer that was asked for; null: any offer of the product.' }),
  quantity: count('Units that were asked for.'),
  maxPrice: { ...Price, description: 'The most that the reseller would have paid for a unit.' },
  code: Type.String({ examples: ['offer-not-available'] }),
  message: Type.String({ description: 'What the reseller was told.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The facts of the answer, as the page of the code describes them.',
  }),
});

export type Rejection = Static<typeof Rejection>;
