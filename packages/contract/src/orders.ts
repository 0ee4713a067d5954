/** Schemas of the order operations. Spec: "Order", "Transaction", "TransactionItem", "OrderKeys", operations 1, 2, 5. */
import { ORDER_STATUSES } from '@keyport/core/order-status';
import { type Static, Type } from 'typebox';
import {
  CURRENCY,
  Currency,
  DateTime,
  DateTimeInput,
  itemsPerPage,
  LINE_QUANTITY_MAX,
  MaxPrice,
  OrderId,
  oneOf,
  Page,
  Price,
  ProductId,
  strictObject,
  Uuid,
  UuidInput,
} from './formats.ts';

const Quantity = Type.Integer({
  minimum: 1,
  maximum: LINE_QUANTITY_MAX,
  description: 'Units to buy.',
  examples: [1],
  'x-rule': `must be a whole number from 1 to ${LINE_QUANTITY_MAX}`,
});

export const AutoLine = strictObject(
  { productId: ProductId, quantity: Quantity, maxPrice: MaxPrice },
  {
    description: 'Buy a product: the service picks the offer.',
    'x-rule': 'must be an object with productId, quantity and maxPrice',
  },
);

export const ManualLine = strictObject(
  { offerId: UuidInput, quantity: Quantity, maxPrice: MaxPrice },
  { description: 'Buy from one offer.', 'x-rule': 'must be an object with offerId, quantity and maxPrice' },
);

export const CreateOrderItem = strictObject(
  { auto: Type.Optional(AutoLine), manual: Type.Optional(ManualLine) },
  {
    minProperties: 1,
    maxProperties: 1,
    description: 'Exactly one of auto and manual.',
    'x-rule': 'must be an object with exactly one of the members auto and manual',
  },
);

export const CreateOrderBody = strictObject(
  {
    items: Type.Array(CreateOrderItem, {
      minItems: 1,
      maxItems: 1,
      description: 'Exactly one item at present.',
      'x-rule': 'must be an array of exactly 1 item; send one request per item',
    }),
    currency: Type.Optional(oneOf([CURRENCY], 'Only EUR; may be left out.')),
  },
  {
    'x-rule':
      'must be a JSON object such as {"items":[{"auto":{"productId":"…","quantity":1,"maxPrice":"15.00"}}]}',
  },
);
export type CreateOrderBody = Static<typeof CreateOrderBody>;

export const CreateOrderHeaders = Type.Object({
  'idempotency-key': Type.String({
    pattern: '^("?)[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\1$',
    description: 'A UUID, a new one for every new order attempt; the same one when you retry.',
    examples: ['6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10'],
    'x-rule': 'must be exactly one header with a UUID such as 6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10',
  }),
});

const Count = Type.Integer({ minimum: 0 });

export const OrderItem = strictObject({
  id: Type.String({ description: 'Order item id.' }),
  product: strictObject({ id: ProductId, name: Type.String() }),
  offer: strictObject({ id: Uuid }),
  quantity: strictObject({
    ordered: Count,
    invoiced: Type.Integer({ minimum: 0, description: 'Units paid.' }),
    shipped: Type.Integer({ minimum: 0, description: 'Units with a key assigned.' }),
    refunded: Count,
  }),
  price: Price,
  totalPrice: Price,
});

export const OrderTransaction = strictObject(
  {
    id: Type.String(),
    seller: strictObject({ id: Uuid, name: Type.Optional(Type.String()) }),
    items: Type.Array(OrderItem),
  },
  { description: 'The items of one seller.' },
);

export const Order = strictObject(
  {
    id: OrderId,
    status: oneOf(ORDER_STATUSES, 'Order status.'),
    createdAt: DateTime,
    discount: Price,
    totalPrice: Price,
    currency: Currency,
    transactions: Type.Optional(Type.Array(OrderTransaction)),
  },
  { title: 'Order' },
);
export type Order = Static<typeof Order>;

export const OrdersQuery = Type.Object({
  status: Type.Optional(oneOf(ORDER_STATUSES, 'Only orders with this status.')),
  dateFrom: Type.Optional(DateTimeInput),
  dateTo: Type.Optional(DateTimeInput),
  orderId: Type.Optional(OrderId),
  page: Type.Optional(Page),
  itemsPerPage: Type.Optional(itemsPerPage(100)),
  sort: Type.Optional(
    oneOf(['ASC', 'DESC'], 'By creation time: ASC oldest first, DESC newest first (default).'),
  ),
});

export const OrderParams = Type.Object({ orderId: OrderId });

export const OrderKeys = strictObject(
  {
    item: strictObject({ id: Type.String({ description: 'Order item id.' }) }),
    keys: Type.Array(strictObject({ code: Type.String({ description: 'The product key.' }) })),
  },
  { title: 'OrderKeys' },
);
