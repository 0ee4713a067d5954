/** The actions of an order: absent without the permission, unavailable with a reason in the wrong status. */
import type { ReactNode } from 'react';
import { useMay } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { texts } from '../texts.ts';
import { itemsOf, type OrderWithLog } from './order-data.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { StatusDialog } from './status-dialog.tsx';

const LETTERS = { release: 'r', refund: 'f', hold: 'h', cancel: undefined } as const;
const NAMES = ['release', 'refund', 'hold', 'cancel'] as const;

export function OrderActions({ order, more }: { readonly order: OrderWithLog; readonly more?: ReactNode }) {
  const may = useMay('orders');
  const actions = NAMES.map((name) => {
    const { name: label, title } = texts.orderActions[name];
    const whyNot = whyNotOf(name, order);
    return {
      label,
      whyNot,
      command: title(order.id),
      letter: LETTERS[name],
      isPrimary: name === 'release' && whyNot === undefined,
      dialog: name === 'refund' ? <RefundDialog order={order} /> : <StatusDialog name={name} order={order} />,
    };
  });
  return (
    <>
      {more}
      <Actions icon="orders" actions={may ? actions : []} />
    </>
  );
}

export function whyNotOf(
  name: (typeof NAMES)[number],
  order: Pick<OrderWithLog, 'status' | 'transactions' | 'imported'>,
): string | undefined {
  const { status, imported } = order;
  if (imported) return texts.orderActions.imported;
  const isPaid = itemsOf(order).some(({ quantity }) => quantity.invoiced > 0);
  const is = (...statuses: OrderWithLog['status'][]) => statuses.includes(status);
  const isPossible = {
    hold: is('pending', 'pending_payment', 'processing'),
    release: is('held'),
    cancel: is('pending', 'pending_payment') || (is('held') && !isPaid),
    refund: is('processing', 'complete') || (is('held') && isPaid),
  };
  if (isPossible[name]) return undefined;
  if (name === 'cancel' && is('held')) return 'The order is paid. Refund it instead.';
  return `Not possible while the order is ${texts.statuses[status].toLowerCase()}.`;
}
