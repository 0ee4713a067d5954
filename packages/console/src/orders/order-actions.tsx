import { admin } from '../api/admin.ts';
import { queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ReviewButton, useWaitingApprovals } from '../approvals/approval-parts.tsx';
import { Actions } from '../forms/actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Undo } from '../ui/toasts.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { isPaid, isPossible, type Order, type OrderWithLog } from './order-data.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { texts } from './texts.ts';

const LETTERS = { release: 'r', refund: 'f', hold: 'h', cancel: undefined } as const;
const NAMES = ['release', 'refund', 'hold', 'cancel'] as const;

export function OrderActions({ order }: { readonly order: OrderWithLog }) {
  const may = useMay('orders');
  const approvals = useWaitingApprovals({ orderId: order.id });
  const isWaiting = approvals !== undefined && approvals.length > 0;
  if (!may) return null;
  // A button that came later would move the others.
  if (approvals === undefined) return null;
  const possible = NAMES.filter((name) => isPossible(name, order));
  const actions = possible.map((name) => {
    const { name: label, title } = texts.orderActions[name];
    return {
      label,
      command: title(order.id),
      letter: LETTERS[name],
      isPrimary: name === 'release' && !isWaiting,
      dialog: name === 'refund' ? <RefundDialog order={order} /> : <StatusDialog name={name} order={order} />,
    };
  });
  return (
    <>
      <ReviewButton approvals={approvals} />
      <Actions icon="orders" actions={actions} />
      {order.imported ? null : <WhyNoOther order={order} />}
    </>
  );
}

const OPEN_PAYMENTS_MAX = 100;

/** The outcome of a payment may be unknown although its order is canceled. */
function WhyNoOther({ order }: { readonly order: OrderWithLog }) {
  const query = { accountId: order.accountId, limit: OPEN_PAYMENTS_MAX };
  const { data } = useRead('listPayments', { query }, { enabled: order.status === 'canceled' });
  if (order.status === 'canceled' && data === undefined) return null;
  const isOpen = data?.data.some(({ orderId }) => orderId === order.id) ?? false;
  return (
    <Hint span>
      {isOpen ? (
        <Link to={paths.payments} search={{ accountId: order.accountId }}>
          {texts.orderActions.whyNoOther.openPayment}
        </Link>
      ) : (
        whyNoOther(order)
      )}
    </Hint>
  );
}

function whyNoOther(order: Order): string {
  const { canceled, closed, complete, paid, unpaid } = texts.orderActions.whyNoOther;
  const ended = { canceled, closed, complete }[order.status as string];
  return ended ?? (isPaid(order) ? paid : unpaid);
}

const OPERATIONS = { hold: 'holdOrder', release: 'releaseOrder', cancel: 'cancelOrder' } as const;

function StatusDialog({
  name,
  order: { id },
}: {
  readonly name: keyof typeof OPERATIONS;
  readonly order: Pick<OrderWithLog, 'id'>;
}) {
  const words = texts.orderActions[name];
  return (
    <Operate
      operation={OPERATIONS[name]}
      params={{ orderId: id }}
      of={id}
      isDangerous={name === 'cancel'}
      {...words}
      {...(name === 'hold' && { done: <Undo text={words.done} undo={() => release(id)} /> })}
    />
  );
}

async function release(orderId: string): Promise<void> {
  await admin.releaseOrder({ params: { orderId }, body: { reason: common.undone } });
  void queryClient.invalidateQueries();
}
