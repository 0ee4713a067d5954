/** Refund an order, whole or some units of its items. The service calculates the money. */

import { NumberInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { Link } from '../ui/link.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatMoney, OrderId } from '../ui/values.tsx';
import { formatAmount, typedAmount, type WritePreview, WritePreviewFacts } from '../ui/write-preview.tsx';
import { itemsOf, type OrderWithLog } from './order-data.ts';
import { RefundedKeys } from './refunded-keys.tsx';
import { type OrderKey, ReplaceDialog } from './replace-dialog.tsx';

type Draft = {
  /** By item. */
  readonly quantities: Readonly<Record<string, number | string>>;
  readonly units: 'keep' | 'return' | 'withdraw';
};

export function RefundDialog({
  order,
  onClose,
}: {
  readonly order: OrderWithLog;
  readonly onClose: () => void;
}) {
  const open = itemsOf(order).map((item) => ({
    ...item,
    left: item.quantity.invoiced - item.quantity.refunded,
  }));
  const initial: Draft = {
    quantities: Object.fromEntries(open.map(({ id, left }) => [id, left])),
    units: 'keep',
  };
  const isDelivered = order.status === 'complete';
  const bodyOf = ({ quantities, units, reason }: Draft & { readonly reason: string }) => {
    const items = open
      .map(({ id }) => ({ id, quantity: Number(quantities[id] ?? 0) }))
      .filter(({ quantity }) => quantity > 0);
    return {
      reason,
      // Before delivery an order is refunded whole.
      ...(isDelivered ? { items } : {}),
      ...(isDelivered && units === 'return' ? { returnToStock: true } : {}),
      ...(isDelivered && units === 'withdraw' ? { withdrawKeys: true } : {}),
    };
  };
  const params = { orderId: order.id };
  const [replaced, setReplaced] = useState<OrderKey>();
  if (replaced !== undefined)
    return <ReplaceDialog orderId={order.id} orderKey={replaced} onClose={onClose} />;
  return (
    <ActionDialog<Draft, WritePreview>
      onClose={onClose}
      title={texts.orderActions.refund.title(order.id)}
      form={`refund:${order.id}`}
      initial={initial}
      isDangerous
      check={({ quantities }) =>
        isDelivered && !Object.values(quantities).some((one) => Number(one) > 0)
          ? texts.orderActions.refund.nothing
          : undefined
      }
      fields={(draft, change) =>
        isDelivered ? <RefundFields {...{ open, draft, change }} /> : <p>{texts.orderActions.refund.whole}</p>
      }
      preview={(draft) =>
        admin
          .refundOrder({ params, body: { ...bodyOf(draft), dryRun: true } })
          .withResponse() as Promise<never>
      }
      showPreview={(preview) => (
        <>
          <WritePreviewFacts preview={preview} />
          <RefundedKeys order={order} keyIds={preview?.keyIds ?? []} onReplace={setReplaced} />
        </>
      )}
      submit={(preview) => submitText(preview)}
      typed={(preview) => typedAmount(preview)}
      run={(draft, { client, idempotencyKey }) =>
        client.refundOrder({ params, body: bodyOf(draft) }, { idempotencyKey }).withResponse()
      }
      onDone={({ isWaiting, preview }) => {
        const amount = preview === undefined ? formatMoney(order.totalPrice) : formatAmount(preview.amount);
        toast(
          isWaiting ? (
            <Link to={paths.approvals}>{texts.action.approvalAsked(amount)}</Link>
          ) : (
            <Link to={paths.order(order.id)}>
              {texts.orderActions.refund.done(amount)} · <OrderId id={order.id} />
            </Link>
          ),
        );
      }}
    />
  );
}

function submitText(preview: WritePreview | undefined): string {
  if (preview === undefined) return texts.orderActions.refund.submitPlain;
  const amount = formatAmount(preview.amount);
  return preview.needsApproval ? texts.action.approval(amount) : texts.orderActions.refund.submit(amount);
}

function RefundFields({
  open,
  draft,
  change,
}: {
  readonly open: readonly { id: string; left: number; product: { name: string } }[];
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
}) {
  return (
    <>
      {open.map(({ id, left, product }) => (
        <NumberInput
          key={id}
          label={texts.orderActions.refund.units(product.name)}
          description={texts.orderActions.refund.left(left)}
          min={0}
          max={left}
          allowDecimal={false}
          allowNegative={false}
          value={draft.quantities[id] ?? 0}
          onChange={(value) => change({ quantities: { ...draft.quantities, [id]: value } })}
        />
      ))}
      <Radio.Group
        label={texts.orderActions.refund.keys}
        value={draft.units}
        onChange={(units) => change({ units: units as Draft['units'] })}
      >
        <Stack gap={6} mt={6}>
          {(['keep', 'return', 'withdraw'] as const).map((choice) => (
            <Radio key={choice} value={choice} label={texts.orderActions.refund.choices[choice]} />
          ))}
        </Stack>
      </Radio.Group>
    </>
  );
}
