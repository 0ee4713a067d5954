import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { CopyButton, OrderId } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { useOrder } from './order-data.ts';
import { OrderState } from './order-state.tsx';
import { OrderSummary } from './order-summary.tsx';
import { texts } from './texts.ts';

export function OrderPage() {
  const orderId = usePathId();
  const { data: order } = useOrder(orderId);
  return (
    <Page
      title={texts.order.title(orderId)}
      back={{ to: paths.orders, label: common.navigation.orders }}
      heading={
        <>
          <OrderId id={orderId} /> <CopyButton text={orderId} what={common.order} />
        </>
      }
      mark={order && <OrderState order={order} />}
    >
      <OrderSummary orderId={orderId} />
    </Page>
  );
}
