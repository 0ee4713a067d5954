import type { PlaceOrderRejection } from '@keyport/core/orders/place-order';
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
  idempotencyKey: { ...Uuid, description: "The key of the request, for the reseller's own log." },
  productId: nullable(ProductId, { description: 'The requested product; null: the offer does not exist.' }),
  productName: nullable(Type.String(), { description: 'Null: the product does not exist.' }),
  offerId: nullable(Uuid, { description: 'The requested offer; null: any offer of the product.' }),
  quantity: count('Requested units.'),
  reference: Type.Optional(Type.String({ description: "The reseller's own reference." })),
  maxPrice: { ...Price, description: 'The highest unit price that the reseller accepted.' },
  code: Type.String({ examples: ['offer-not-available'] }),
  message: Type.String({ description: 'The message to the reseller.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The facts in the response, as the page of the code describes them.',
  }),
});
export type Rejection = Static<typeof Rejection>;
