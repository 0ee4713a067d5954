import type { Order } from '@keyport/contract/orders/orders';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { OrderStatusBadge } from '../ui/values.tsx';

export const toItems = ({ transactions = [] }: Pick<Order, 'transactions'>) =>
  transactions.flatMap(({ seller, items }) => items.map((item) => ({ ...item, seller })));

export function OrderState({ order }: { readonly order: Order }) {
  const items = toItems(order);
  const sum = (name: 'refunded' | 'invoiced') => items.reduce((all, { quantity }) => all + quantity[name], 0);
  const refunded = common.refundedOf(sum('refunded'), sum('invoiced'));
  return (
    <>
      <OrderStatusBadge status={order.status} /> {refunded.length > 0 ? <Hint span>{refunded}</Hint> : null}
    </>
  );
}

export const ORDER_CELLS = { status: (order: Order) => <OrderState order={order} /> };
