import { common } from '../texts.ts';
import { Badge, OrderStatusBadge } from '../ui/values.tsx';
import { type OrderWithLog, toItems } from './order-data.ts';

export function OrderState({ order }: { readonly order: Pick<OrderWithLog, 'status' | 'transactions'> }) {
  const sum = (name: 'invoiced' | 'refunded') =>
    toItems(order).reduce((total, { quantity }) => total + quantity[name], 0);
  return (
    <>
      <OrderStatusBadge status={order.status} />{' '}
      {common.refundedOf(sum('refunded'), sum('invoiced')).map((text) => (
        <Badge key={text} look={['neutral', 'undo']}>
          {text}
        </Badge>
      ))}
    </>
  );
}
