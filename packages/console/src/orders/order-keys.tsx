import { Button } from '@mantine/core';
import { useMay } from '../api/session.ts';
import { useDialog } from '../forms/closing.tsx';
import { texts } from '../texts.ts';
import { Time } from '../ui/values.tsx';
import { type OrderKey, type OrderWithLog, useOrderKeys } from './order-data.ts';
import { ReplaceDialog } from './replace-dialog.tsx';

export function OrderKeys({ order, itemId }: { readonly order: OrderWithLog; readonly itemId: string }) {
  const { data: keys = [] } = useOrderKeys(order);
  const may = useMay('orders');
  const { dialog, open } = useDialog();
  const shown = keys.filter((key) => key.itemId === itemId);
  if (shown.length === 0) return null;
  return (
    <ul className="order-keys">
      {shown.map((key) => (
        <li key={key.id}>
          <code>{key.maskedCode}</code>
          <span className="grow">
            <KeyState orderKey={key} />
          </span>
          {may && order.status === 'complete' && key.replacedAt === null && key.refundedAt === null ? (
            <Button
              size="compact-xs"
              aria-label={texts.replaceKey.title(key.maskedCode)}
              onClick={() => open(<ReplaceDialog orderId={order.id} orderKey={key} />)}
            >
              Replace…
            </Button>
          ) : null}
        </li>
      ))}
      {dialog}
    </ul>
  );
}

function KeyState({
  orderKey: { readAt, refundedAt, refundedAs, replacedAt },
}: {
  readonly orderKey: OrderKey;
}) {
  const [said, at] =
    replacedAt !== null
      ? ['replaced', replacedAt]
      : refundedAs !== null
        ? [texts.orderKeys.refundedAs[refundedAs], refundedAt]
        : ['first read', readAt];
  if (at === null) return 'not read';
  return (
    <>
      {said} <Time at={at} />
    </>
  );
}
