import { Button, Text } from '@mantine/core';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { Time } from '../ui/values.tsx';
import { type OrderKey, type OrderWithLog, useOrderKeys } from './order-data.ts';
import { texts } from './texts.ts';

export function OrderKeys({ order, itemId }: { readonly order: OrderWithLog; readonly itemId: string }) {
  const { data: keys = [] } = useOrderKeys(order);
  const may = useMay('orders');
  const shown = keys.filter((key) => key.itemId === itemId);
  if (shown.length === 0) return null;
  return (
    <ul className="rows">
      {shown.map((key) => (
        <li key={key.id}>
          <code>{key.maskedCode}</code>
          <Text span flex={1} miw={0} c="dimmed" fz={13}>
            <KeyState orderKey={key} />
          </Text>
          {may && order.status === 'complete' && key.replacedAt === null && key.refundedAt === null ? (
            <Button
              size="compact-xs"
              aria-label={texts.replaceKey.title(key.maskedCode)}
              onClick={() => openDialog(<ReplaceDialog orderId={order.id} orderKey={key} />)}
            >
              {texts.replaceKey.name}…
            </Button>
          ) : null}
        </li>
      ))}
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
      ? [texts.orderKeys.replaced, replacedAt]
      : refundedAs !== null
        ? [texts.orderKeys.refundedAs[refundedAs], refundedAt]
        : [texts.orderKeys.read, readAt];
  if (at === null) return common.notRead;
  return (
    <>
      {said} <Time at={at} />
    </>
  );
}

function ReplaceDialog(props: { readonly orderId: string; readonly orderKey: OrderKey }) {
  const { orderId, orderKey } = props;
  return (
    <Operate
      operation="replaceKey"
      params={{ orderId }}
      body={{ keyId: orderKey.id }}
      of={orderKey.maskedCode}
      {...texts.replaceKey}
    />
  );
}
