/** The actions of an order: absent without the permission, unavailable with a reason in the wrong status. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { useCommands } from '../ui/commands.ts';
import { useKeys } from '../ui/keys.ts';
import type { OrderWithLog } from './order-data.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { type StatusAction, StatusDialog } from './status-dialog.tsx';

type ActionName = StatusAction | 'refund';
type Status = OrderWithLog['status'];

const NAMES = ['release', 'refund', 'hold', 'cancel'] as const;

export function OrderActions({ order, more }: { readonly order: OrderWithLog; readonly more?: ReactNode }) {
  const may = useMay('orders');
  const [open, setOpen] = useState<ActionName>();
  const start = (name: ActionName) =>
    may && whyNot(name, order) === undefined ? () => setOpen(name) : undefined;
  useKeys({ h: start('hold'), r: start('release'), f: start('refund') });
  useCommands(() =>
    NAMES.flatMap((name) => {
      const run = start(name);
      return run === undefined
        ? []
        : [{ label: texts.orderActions[name].title(order.id), icon: 'orders', run }];
    }),
  );
  if (!may) return more;
  const close = () => setOpen(undefined);
  return (
    <>
      {more}
      {NAMES.map((name) => (
        <ActionButton key={name} name={name} order={order} start={start(name)} />
      ))}
      {open === undefined ? null : open === 'refund' ? (
        <RefundDialog order={order} onClose={close} />
      ) : (
        <StatusDialog name={open} order={order} onClose={close} />
      )}
    </>
  );
}

function ActionButton(props: {
  readonly name: ActionName;
  readonly order: OrderWithLog;
  readonly start: (() => void) | undefined;
}) {
  const { name, order, start } = props;
  const reason = whyNot(name, order);
  return (
    <Button
      size="xs"
      variant={name === 'release' && reason === undefined ? 'filled' : 'default'}
      aria-disabled={reason !== undefined}
      data-unavailable={reason !== undefined}
      title={reason}
      onClick={() => start?.()}
    >
      {texts.orderActions[name].name}…
    </Button>
  );
}

/** Why the status does not allow it; undefined: it does. */
export function whyNot(
  name: ActionName,
  order: Pick<OrderWithLog, 'status' | 'transactions' | 'imported'>,
): string | undefined {
  const { status } = order;
  if (order.imported) return texts.orderActions.imported;
  const isPaid = (order.transactions ?? []).some(({ items }) =>
    items.some(({ quantity }) => quantity.invoiced > 0),
  );
  const isPossible = {
    hold: isOneOf(status, ['pending', 'pending_payment', 'processing']),
    release: status === 'held',
    cancel: isOneOf(status, ['pending', 'pending_payment']) || (status === 'held' && !isPaid),
    refund: isOneOf(status, ['processing', 'complete']) || (status === 'held' && isPaid),
  };
  if (isPossible[name]) return undefined;
  if (name === 'cancel' && status === 'held') return texts.orderActions.paidIsRefunded;
  return texts.orderActions.notFrom(texts.statuses[status]);
}

function isOneOf(status: Status, statuses: readonly Status[]): boolean {
  return statuses.includes(status);
}
