import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import type { PlaceOrderRejection } from '@keyport/core/orders/place-order';
import { type Static, Type } from 'typebox';
import { CatalogueOffer, Seller } from '../catalogue/listings.ts';
import { KEY_KINDS, KEY_STATES, KeyCode, KeyId, MaskedCode } from '../catalogue/stock-keys.ts';
import { CURSOR_QUERY, PAGE_OR_CURSOR_QUERY } from '../envelope.ts';
import {
  Currency,
  DateTime,
  DateTimeInput,
  Name,
  OrderId,
  Price,
  ProductId,
  Reason,
  Reference,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { BY_CREATION, flag, search, sortBy, TraceIdInput } from '../lists.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { count, namedObject, nullable, oneOf, strictObject, toQuery } from '../schema.ts';
import { Order, OrderStatus, OrdersQuery, TransactionItem } from './orders.ts';

export const AdminOrder = namedObject('OperatorOrder', { ...Order.properties, accountId: Uuid });
export type AdminOrder = Static<typeof AdminOrder>;

const StatusChange = namedObject('StatusChange', {
  from: nullable(OrderStatus, { description: 'The earlier status; null: the order was new.' }),
  to: OrderStatus,
  at: DateTime,
  actor: Type.String({ description: 'The id of an operator or a client, or the service.' }),
  actorName: Type.Optional(Type.String({ description: 'The current name of the operator or client.' })),
  reason: Type.String(),
});

export const ListedAdminOrder = namedObject('OperatorListedOrder', {
  ...AdminOrder.properties,
  accountName: Type.String(),
  imported: Type.Boolean({
    description:
      'Whether the order was imported from another system, which manages it; every action here then returns 409.',
  }),
  holdReason: nullable(Type.String(), { description: 'Why a held order is held.' }),
  traceId: nullable(Type.String(), {
    description: 'The trace id of the request that placed the order; null: it was imported.',
  }),
  accountHistory: Type.Optional(
    strictObject(
      {
        createdAt: DateTime,
        orders: count('Orders of the account, including this one.'),
        refunded: count('Those that were refunded in full.'),
      },
      { description: 'Only for held orders, and only in lists that use a cursor.' },
    ),
  ),
});

export const AdminOrderWithLog = namedObject('OperatorOrderWithLog', {
  ...ListedAdminOrder.properties,
  statusLog: Type.Array(StatusChange),
  refunds: Type.Array(strictObject({ at: DateTime, amount: Price }), {
    description: 'Refunds booked to the reseller, oldest first.',
  }),
});

export const OrderReason = strictObject({ reason: Reason });
export const OrderActionBody = strictObject({ ...OrderReason.properties, ...DRY_RUN });

/** Imported orders have up to 12 decimals. */
const TotalBound = {
  ...Price,
  'x-rule': 'must be an amount such as 108.00: digits, and a point before the cents',
};

/** Operators continue with a cursor. */
const { after: _after, query: _query, ...HISTORY_QUERY } = OrdersQuery.properties;

export const AdminOrdersQuery = toQuery({
  query: search(
    'An order id or at least 4 of its first or last digits (the last ones: of the latest 20,000 orders), a trace id, the id of an account, product, offer or seller, or words from the reference or from the name of the account, product or seller.',
  ),
  ...HISTORY_QUERY,
  sort: oneOf(
    ['DESC', 'ASC', '-total', 'total'],
    'DESC: newest first (default); ASC: oldest first; -total and total: by currency and total price, if at most 10,000 orders match the other filters.',
  ),
  status: oneOf(ORDER_STATUSES, 'Only orders with this status.'),
  accountId: UuidInput,
  productId: ProductId,
  offerId: UuidInput,
  sellerId: UuidInput,
  imported: flag('false: leaves out imported orders.'),
  refunded: flag('true: only orders with refunded units; false: only orders without them.'),
  region: { ...Name, description: 'Only orders of products of this region.' },
  currency: {
    ...Currency,
    description: 'Only orders in this currency.',
    'x-rule': 'must be the three capital letters of a currency, such as EUR',
  },
  referencePart: {
    ...Reference,
    description:
      'Only orders whose reference contains words that start with these words; case does not matter.',
  },
  totalFrom: {
    ...TotalBound,
    description: 'Only orders with at least this total price, in their currencies: add `currency`.',
  },
  totalTo: {
    ...TotalBound,
    description: 'Only orders with at most this total price, in their currencies: add `currency`.',
  },
  traceId: {
    ...TraceIdInput,
    description: 'Only orders that a request with this trace id changed, or whose keys it read.',
  },
  ...PAGE_OR_CURSOR_QUERY,
});

const KEY = {
  id: KeyId,
  state: oneOf(KEY_STATES, 'The current state.'),
  maskedCode: MaskedCode,
  readAt: nullable(DateTime, { description: 'When the reseller first read it.' }),
  refundedAt: nullable(DateTime),
  replacedAt: nullable(DateTime, { description: 'When another key replaced it in the order.' }),
  replacedBy: nullable(KeyId, { description: 'The key that replaced it.' }),
};

const REFUNDED_AS = ['kept', 'returned', 'withdrawn'] as const;

export const OrderKeyState = namedObject('OperatorOrderKey', {
  ...KEY,
  itemId: Type.String(),
  refundedAs: nullable(
    oneOf(
      REFUNDED_AS,
      'A refunded key stayed with the order (kept), or left it and was returned to stock or withdrawn.',
    ),
  ),
});
export type OrderKeyState = Static<typeof OrderKeyState>;

export const ReplaceKeyBody = strictObject({
  reason: Reason,
  keyId: Type.Optional(KeyId),
  code: Type.Optional({ ...KeyCode, description: 'The code of the key to replace, instead of its id.' }),
  ...DRY_RUN,
});
export type ReplaceKeyBody = Static<typeof ReplaceKeyBody>;

export const ReplacedKey = namedObject('OperatorReplacedKey', {
  ...AdminOrder.properties,
  replacedKeyId: { ...KeyId, description: 'The key that left the order; it is never sold again.' },
  newKeyId: { ...KeyId, description: 'The key that replaced it.' },
});

export const FindKeyBody = strictObject({ code: KeyCode });
const { units: _counted, ...OFFER } = CatalogueOffer.properties;

export const FoundKey = namedObject('OperatorFoundKey', {
  key: strictObject({ ...KEY, kind: oneOf(KEY_KINDS, 'The kind of code.') }),
  order: nullable(AdminOrder, {
    description: 'The order that has the key, or had it before the key was withdrawn.',
  }),
  item: nullable(TransactionItem),
  product: strictObject({ id: ProductId, name: Type.String() }),
  offer: strictObject(OFFER),
  seller: Seller,
});

const PAYMENT_KINDS = ['charge', 'refund'] as const;

export const PaymentsQuery = toQuery({
  query: search(
    "The id of a payment, order or account, the provider's reference, or words from the account name.",
  ),
  kind: oneOf(PAYMENT_KINDS, 'Only charges, or only refunds.'),
  accountId: UuidInput,
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});

export const PaymentId = Type.String({
  pattern: '^(charge|refund)-[0-9]{1,16}$',
  description: 'Id of the payment.',
  examples: ['charge-2174556001234567'],
  'x-rule': 'must be the id of a payment, such as charge-2174556001234567',
});

export const Payment = namedObject('OperatorPayment', {
  id: Type.String({ examples: ['charge-2174556001234567'] }),
  kind: oneOf(PAYMENT_KINDS, 'The kind of request to the payment provider.'),
  orderId: OrderId,
  orderStatus: oneOf(ORDER_STATUSES, 'Status of the order.'),
  accountId: Uuid,
  accountName: Type.String(),
  amount: Price,
  currency: Currency,
  createdAt: DateTime,
  expiresAt: nullable(DateTime, { description: 'For a charge: when its order stops waiting for payment.' }),
  attempts: count('The number of times that the worker queried the provider.'),
  nextAttemptAt: DateTime,
  providerState: nullable(Type.String(), {
    description: "The provider's last response: `pending`, `unknown` or `no-answer`; null: none yet.",
  }),
  lastError: nullable(Type.String(), { description: 'Why the last attempt failed; null: it did not.' }),
  reference: nullable(Type.String(), { description: "The provider's id of the payment, if known." }),
});
export type Payment = Static<typeof Payment>;

const REJECTION_CODES = [
  'cart-validation-error',
  'insufficient-funds',
  'max-price-exceeded',
  'offer-not-available',
  'payment-not-configured',
  'product-excluded',
] as const satisfies readonly PlaceOrderRejection['code'][];

export const RejectionsQuery = toQuery({
  query: search(
    'Words from an account name, a product name or a reference, or a product id, offer id, idempotency key or, for 7 days, trace id.',
  ),
  code: oneOf(REJECTION_CODES, 'Only rejections with this code.'),
  accountId: UuidInput,
  dateFrom: DateTimeInput,
  dateTo: DateTimeInput,
  sort: sortBy(['-rejectedAt', 'rejectedAt']),
  ...CURSOR_QUERY,
});

export const Rejection = namedObject('OperatorRejection', {
  rejectedAt: DateTime,
  accountId: Uuid,
  accountName: Type.String(),
  idempotencyKey: {
    ...Uuid,
    description: "The Idempotency-Key of the request, to find it in the reseller's own log.",
  },
  productId: nullable(ProductId, { description: 'The requested product; null: the offer does not exist.' }),
  productName: nullable(Type.String(), { description: 'Null: the product does not exist.' }),
  offerId: nullable(Uuid, { description: 'The requested offer; null: any offer of the product.' }),
  quantity: count('Requested units.'),
  reference: Type.Optional(Type.String({ description: "The reseller's own reference." })),
  maxPrice: { ...Price, description: 'The highest unit price that the reseller accepted.' },
  code: Type.String({ examples: ['offer-not-available'] }),
  message: Type.String({ description: 'The message to the reseller.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The `data` of the error response, as documented on the page of the error code.',
  }),
});
export type Rejection = Static<typeof Rejection>;
