import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import { type Static, Type } from 'typebox';
import {
  after,
  CURRENCY,
  Currency,
  DateTime,
  DateTimeInput,
  IdempotencyKey,
  itemsPerPage,
  LINE_QUANTITY_MAX,
  MaxPrice,
  OrderId,
  Page,
  Price,
  ProductId,
  Reference,
  Uuid,
  UuidInput,
} from '../formats.ts';
import {
  count,
  exactlyOneOf,
  namedObject,
  nullable,
  oneOf,
  strictObject,
  toQuery,
  wholeNumber,
} from '../schema.ts';

export const OrderStatus = oneOf(
  ORDER_STATUSES,
  'Order status. `pending` and `processing`: in progress. `pending_payment`: waiting for the payment provider. `held`: waiting for a review. `complete`: the keys can be fetched. `canceled`: not paid. `closed`: refunded in full.',
  { title: 'OrderStatus' },
);

const Quantity = wholeNumber(1, LINE_QUANTITY_MAX, 'Units to buy.', { examples: [1] });

const AutoLine = strictObject(
  { productId: ProductId, quantity: Quantity, maxPrice: MaxPrice },
  {
    title: 'AutoLine',
    description: 'Buy a product: the service chooses the offer.',
    'x-rule': 'must be an object with productId, quantity and maxPrice',
  },
);

export const ManualLine = strictObject(
  { offerId: UuidInput, quantity: Quantity, maxPrice: MaxPrice },
  {
    title: 'ManualLine',
    description: 'Buy from one offer.',
    'x-rule': 'must be an object with offerId, quantity and maxPrice',
  },
);

const CreateOrderItem = exactlyOneOf(
  { auto: Type.Optional(AutoLine), manual: Type.Optional(ManualLine) },
  {
    title: 'CreateOrderItem',
    description: 'Exactly one of auto and manual.',
    'x-rule': 'must be an object with exactly one of the members auto and manual',
  },
);

export const ORDER_BODY_RULE =
  'must be a JSON object such as {"items":[{"auto":{"productId":"…","quantity":1,"maxPrice":"15.00"}}]}';

export const CreateOrderBody = strictObject(
  {
    items: Type.Array(CreateOrderItem, {
      minItems: 1,
      maxItems: 1,
      description: 'Exactly one item.',
      'x-rule': 'must be an array of exactly 1 item; send one request per item',
    }),
    currency: Type.Optional(oneOf([CURRENCY], 'Optional; only EUR is accepted.')),
    reference: Type.Optional({
      ...Reference,
      description:
        'Your own order number: 1 to 64 printable characters, without a blank at either end. Every response contains it, and the order history can be filtered by it. It need not be unique.',
    }),
  },
  { title: 'CreateOrderRequest', 'x-rule': ORDER_BODY_RULE },
);
export type CreateOrderBody = Static<typeof CreateOrderBody>;
export const CreateOrderHeaders = Type.Object({ 'idempotency-key': IdempotencyKey });
const Count = Type.Integer({ minimum: 0 });

export const TransactionItem = namedObject('TransactionItem', {
  id: Type.String({ description: 'Order item id.', examples: ['217455600123456701'] }),
  product: strictObject({ id: ProductId, name: Type.String() }),
  offer: strictObject({ id: Uuid }),
  quantity: strictObject({
    ordered: Count,
    invoiced: count('Units paid.'),
    shipped: count('Units with a key assigned.'),
    refunded: Count,
  }),
  price: Price,
  totalPrice: Price,
});

const OrderTransaction = strictObject(
  {
    id: Type.String({ description: 'Transaction id.', examples: ['2174556001234567-1'] }),
    seller: strictObject({ id: Uuid, name: Type.Optional(Type.String()) }),
    items: Type.Array(TransactionItem),
  },
  { title: 'Transaction', description: 'The items of one seller.' },
);

export const Order = namedObject('Order', {
  id: OrderId,
  status: OrderStatus,
  createdAt: DateTime,
  discount: Price,
  totalPrice: Price,
  currency: Currency,
  reference: Type.Optional(Type.String({ description: 'Your reference, if you sent one.' })),
  transactions: Type.Optional(Type.Array(OrderTransaction)),
});
export type Order = Static<typeof Order>;

export const OrdersQuery = toQuery({
  query: {
    ...Reference,
    description:
      'The id of an order, the beginnings of words in your reference, or the end of a key: its last 4 characters are looked up among your latest 2,000 orders. Never send a whole key in a URL.',
  },
  status: OrderStatus,
  dateFrom: DateTimeInput,
  dateTo: DateTimeInput,
  orderId: OrderId,
  reference: { ...Reference, description: 'Only orders with exactly this reference.' },
  idempotencyKey: { ...UuidInput, description: 'Only the order that was placed with this key.' },
  after: after(OrderId, 'order'),
  page: Page,
  itemsPerPage: itemsPerPage(100),
  sort: oneOf(['ASC', 'DESC'], 'By creation time. ASC: oldest first; DESC: newest first (default).'),
});

const untilWhen = (description: string) => nullable(DateTime, { description });

export const OrderTimeline = namedObject('OrderTimeline', {
  changes: Type.Array(strictObject({ at: DateTime, status: OrderStatus }), {
    description: 'The placement and the later changes, oldest first, with the status from then on.',
  }),
  refunds: Type.Array(strictObject({ at: DateTime, amount: Price })),
  keysReadAt: untilWhen('When the keys were first read; null: never.'),
  keysReadableUntil: untilWhen('Until when the keys can be read; null: the order is not complete.'),
  returnableUntil: untilWhen(
    'Until when units can be returned; null: the order is not complete, its keys were read, or returns are not offered.',
  ),
  claimableUntil: untilWhen(
    'Until when keys can be claimed; null: the order is not complete, or claims are not offered.',
  ),
});
export type OrderTimeline = Static<typeof OrderTimeline>;

export const OrderKeys = namedObject('OrderKeys', {
  item: strictObject({ id: Type.String({ description: 'Order item id.' }) }),
  keys: Type.Array(strictObject({ code: Type.String({ description: 'The product key.' }) })),
});
