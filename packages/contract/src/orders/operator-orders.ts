import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import { type Static, Type } from 'typebox';
import { PAGE_OR_CURSOR_QUERY } from '../envelope.ts';
import {
  Currency,
  count,
  DateTime,
  Name,
  namedObject,
  nullable,
  oneOf,
  Price,
  ProductId,
  Reason,
  Reference,
  strictObject,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { flag, search, TraceIdInput } from '../lists.ts';
import { ASSIGNEE, ASSIGNEE_QUERY } from '../operators/assignees.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { Order, OrderStatus, OrdersQuery } from './orders.ts';

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
    description: 'Imported from another system, where it is changed; every action here returns 409.',
  }),
  holdReason: nullable(Type.String(), { description: 'Why a held order is held.' }),
  traceId: nullable(Type.String(), {
    description: 'The request that placed it; null: it was imported.',
  }),
  ...ASSIGNEE,
  accountHistory: Type.Optional(
    strictObject(
      {
        createdAt: DateTime,
        orders: count('Orders of the account, including this one.'),
        refunded: count('Those that were refunded in full.'),
      },
      { description: 'For held orders in lists by cursor.' },
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
  imported: flag('false: without imported orders.'),
  refunded: flag('true: only orders with refunded units; false: without them.'),
  region: Type.Optional({ ...Name, description: 'Only orders of products of this region.' }),
  currency: Type.Optional({ ...Currency, description: 'Only orders in this currency.' }),
  referencePart: Type.Optional({
    ...Reference,
    description: 'Only orders whose reference has words that begin with these; case does not matter.',
  }),
  totalFrom: Type.Optional({ ...Price, description: 'Only orders with at least this total price.' }),
  totalTo: Type.Optional({ ...Price, description: 'Only orders with at most this total price.' }),
  traceId: Type.Optional({
    ...TraceIdInput,
    description: 'Only orders that a request with this trace id changed, or whose keys it read.',
  }),
  ...ASSIGNEE_QUERY,
  ...PAGE_OR_CURSOR_QUERY,
});
