/** One order, with what can be done about it. */
import { useParams } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { CopyButton, OrderId } from '../ui/values.tsx';
import { OrderActions } from './order-actions.tsx';
import { useOrder } from './order-data.ts';
import { OrderState } from './order-state.tsx';
import { OrderSummary } from './order-summary.tsx';

export function OrderPage() {
  const { orderId = '' }: { orderId?: string } = useParams({ strict: false });
  const { data: order } = useOrder(orderId);
  return (
    <Page
      title={texts.order.title(orderId)}
      back={{ to: paths.orders, label: texts.orders.title }}
      heading={
        <>
          <OrderId id={orderId} /> <CopyButton text={orderId} what={texts.orders.order} />
          {order === undefined ? null : <OrderState order={order} />}
        </>
      }
      actions={order === undefined ? null : <OrderActions order={order} />}
    >
      <OrderSummary orderId={orderId} />
    </Page>
  );
}
