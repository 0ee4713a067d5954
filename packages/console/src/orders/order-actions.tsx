/** Hold, release, cancel. What the role forbids is absent; what the status forbids is there with the reason. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { useKeys } from '../ui/keys.ts';
import { toast } from '../ui/toasts.tsx';
import type { OrderWithLog } from './order-data.ts';

type ActionName = 'hold' | 'release' | 'cancel';

const OPERATIONS = { hold: 'holdOrder', release: 'releaseOrder', cancel: 'cancelOrder' } as const;

const POSSIBLE_FROM: Readonly<Record<ActionName, readonly OrderWithLog['status'][]>> = {
  hold: ['pending', 'pending_payment', 'processing'],
  release: ['held'],
  cancel: ['pending', 'pending_payment', 'held'],
};

const NO_FIELDS = {};

export function OrderActions({ order }: { readonly order: OrderWithLog }) {
  const may = useMay('orders');
  const [open, setOpen] = useState<ActionName>();
  const isPossible = (name: ActionName) => POSSIBLE_FROM[name].includes(order.status);
  const start = (name: ActionName) => (may && isPossible(name) ? () => setOpen(name) : undefined);
  useKeys({ h: start('hold'), r: start('release') });
  if (!may) return null;
  return (
    <>
      {(['release', 'hold', 'cancel'] as const).map((name) => (
        <Button
          key={name}
          size="xs"
          variant={name === 'release' && isPossible(name) ? 'filled' : 'default'}
          aria-disabled={!isPossible(name)}
          title={isPossible(name) ? undefined : texts.orderActions.notFrom(texts.statuses[order.status])}
          data-disabled={!isPossible(name)}
          onClick={() => start(name)?.()}
        >
          {texts.orderActions[name].name} …
        </Button>
      ))}
      {open === undefined ? null : (
        <StatusDialog name={open} order={order} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

function StatusDialog({
  name,
  order,
  onClose,
}: {
  readonly name: ActionName;
  readonly order: OrderWithLog;
  readonly onClose: () => void;
}) {
  const { title, submit, done, says } = texts.orderActions[name];
  const params = { orderId: order.id };
  return (
    <ActionDialog
      onClose={onClose}
      title={title(order.id)}
      form={`${name}:${order.id}`}
      initial={NO_FIELDS}
      showPreview={() => says}
      submit={() => submit}
      isDangerous={name === 'cancel'}
      run={({ reason }, { client, idempotencyKey }) =>
        client.call(OPERATIONS[name], { params, body: { reason } }, { idempotencyKey }).withResponse()
      }
      onDone={() => {
        toast(done);
        void queryClient.invalidateQueries();
      }}
    />
  );
}
