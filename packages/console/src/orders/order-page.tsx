import { Assignee } from '../notes/assignee.tsx';
import { Page } from '../ui/page.tsx';
import { CopyButton, OrderId } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { OrderActions } from './order-actions.tsx';
import { useOrder } from './order-data.ts';
import { OrderState } from './order-state.tsx';
import { OrderSummary } from './order-summary.tsx';

export function OrderPage() {
  const orderId = usePathId();
  const { data: order } = useOrder(orderId);
  return (
    <Page
      title={`Order ${orderId}`}
      back={{ to: paths.orders, label: 'Orders' }}
      heading={
        <>
          <OrderId id={orderId} /> <CopyButton text={orderId} what="Order" />
          {order === undefined ? null : <OrderState order={order} />}
        </>
      }
      actions={
        order === undefined ? null : (
          <OrderActions
            order={order}
            more={order.status === 'held' ? <Assignee kind="order" of={order} /> : null}
          />
        )
      }
    >
      <OrderSummary orderId={orderId} />
    </Page>
  );
}
