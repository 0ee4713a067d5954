import type { Order } from '@keyport/contract/orders/orders';
import { must } from '@keyport/core/assert';
import type { OrderMoment } from '@keyport/core/events';
import { placedQuantities } from '@keyport/core/orders/placed-order';
import type { Db } from '../db/schema.ts';
import { type AccountOrderView, listOrdersById } from './history/read-orders.sql.ts';
import { buildOrder } from './order-response.ts';

/** The order as it was at `moment`; null: when it was placed as complete. */
export type ShowOrder = (orderId: string, moment: OrderMoment | null) => Order;

export async function loadOrderMoments(db: Db, orderIds: readonly string[]): Promise<ShowOrder> {
  const orders = new Map(
    (await listOrdersById(db, [...new Set(orderIds)])).map((order) => [order.id, order]),
  );
  return (orderId, moment) => {
    const order = must(orders.get(orderId), 'an order is never deleted');
    return buildOrder(moment === null ? placedComplete(order) : at(order, moment));
  };
}

function placedComplete(order: AccountOrderView): AccountOrderView {
  const ordered = order.items[0]?.quantity.ordered ?? 0;
  return at(order, { status: 'complete', quantity: placedQuantities('complete', ordered) });
}

function at(order: AccountOrderView, { status, quantity }: OrderMoment): AccountOrderView {
  return { ...order, status, items: order.items.map((item) => ({ ...item, quantity })) };
}
