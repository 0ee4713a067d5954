/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */

import { ORDER_STATUSES } from '@keyport/core/order-status';
import { type Static, Type } from 'typebox';
import { PAGE_OR_CURSOR_QUERY } from '../envelope.ts';
import {
  count,
  DateTime,
  namedObject,
  nullable,
  oneOf,
  Price,
  ProductId,
  Reason,
  strictObject,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { search, TraceIdInput } from '../lists.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { Order, OrderStatus, OrdersQuery } from './orders.ts';

export const AdminOrder = namedObject('OperatorOrder', { ...Order.properties, accountId: Uuid });

export type AdminOrder = Static<typeof AdminOrder>;

const StatusChange = namedObject('StatusChange', {
  from: nullable(OrderStatus, { description: 'Status before; null: it was new.' }),
  to: OrderStatus,
  at: DateTime,
  actor: Type.String({ description: 'Who: the id of a person or a client, or the service itself.' }),
  actorName: Type.Optional(Type.String({ description: 'What the person or the client is called now.' })),
  reason: Type.String(),
});

export const ListedAdminOrder = namedObject('OperatorListedOrder', {
  ...AdminOrder.properties,
  accountName: Type.String(),
  imported: Type.Boolean({
    description: 'From elsewhere: it is changed there, and every action here is 409.',
  }),
  holdReason: nullable(Type.String(), { description: 'Of an order that is held: why.' }),
  traceId: nullable(Type.String(), {
    description: 'Of the request that placed it; null: it was imported.',
  }),
  accountHistory: Type.Optional(
    strictObject(
      {
        createdAt: DateTime,
        orders: count('Orders of the account, this one included.'),
        refunded: count('Of these: refunded in full.'),
      },
      { description: 'Of an order that is held, in lists that are read by cursor.' },
    ),
  ),
});

export const AdminOrderWithLog = strictObject(
  {
    ...ListedAdminOrder.properties,
    statusLog: Type.Array(StatusChange),
    refunds: Type.Array(strictObject({ at: DateTime, amount: Price }), {
      description: 'What was booked back to the reseller, oldest first.',
    }),
  },
  { title: 'OperatorOrderWithLog' },
);

export const OrderReason = strictObject({ reason: Reason });

export const OrderActionBody = strictObject({ ...OrderReason.properties, ...DRY_RUN });

export const AdminOrdersQuery = Type.Object({
  query: search(
    'An order id, a trace id, an id of an account, a product, an offer or a seller, or words of the name of the account.',
  ),
  ...OrdersQuery.properties,
  status: Type.Optional(oneOf(ORDER_STATUSES, 'Only orders with this status.')),
  accountId: Type.Optional(UuidInput),
  productId: Type.Optional(ProductId),
  offerId: Type.Optional(UuidInput),
  sellerId: Type.Optional(UuidInput),
  imported: Type.Optional(oneOf(['true', 'false'], 'false: without the orders that were imported.')),
  traceId: Type.Optional({
    ...TraceIdInput,
    description: 'Only orders whose keys a request with this trace id read, or which it changed.',
  }),
  ...PAGE_OR_CURSOR_QUERY,
});
