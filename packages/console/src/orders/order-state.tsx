import { Badge, OrderStatusBadge } from '../ui/values.tsx';
import { itemsOf, type OrderWithLog } from './order-data.ts';
import { texts } from './texts.ts';

export function OrderState({ order }: { readonly order: Pick<OrderWithLog, 'status' | 'transactions'> }) {
  const sum = (name: 'invoiced' | 'refunded') =>
    itemsOf(order).reduce((total, { quantity }) => total + quantity[name], 0);
  const refunded = order.status === 'complete' ? sum('refunded') : 0;
  return (
    <>
      <OrderStatusBadge status={order.status} />
      {refunded === 0 ? null : (
        <>
          {' '}
          <Badge look={['neutral', 'undo']}>{texts.order.refundedOf(refunded, sum('invoiced'))}</Badge>
        </>
      )}
    </>
  );
}
