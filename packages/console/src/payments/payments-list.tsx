import type { OperatorElement } from '@keyport/sdk-source/admin';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { common, formatMoney } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { OrderStatusBadge, ShortId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

type Payment = OperatorElement<'listPayments'>;

const COLUMNS = toColumns('listPayments', {
  kind: texts.kinds,
  providerState: (payment) => <Why payment={payment} />,
  orderStatus: ({ orderStatus }) => <OrderStatusBadge status={orderStatus} />,
  reference: ({ reference }) =>
    reference === null ? (
      '–'
    ) : (
      <ShortId id={reference} shown={reference.slice(0, 12)} what={common.reference} />
    ),
});

export function PaymentsList() {
  const may = useMay('orders');
  const list = useList('listPayments', { isFiltered: true, everyMs: 10_000 });
  const retry = actionsColumn<Payment>((payment) => [
    {
      label: common.retry,
      name: texts.retryOf(payment.orderId),
      run: () => openDialog(<RetryDialog payment={payment} />),
    },
  ]);
  return (
    <ListPage
      title={common.navigation.payments}
      list={list}
      columns={may ? [...COLUMNS, retry] : COLUMNS}
      rowPath={({ orderId }) => paths.order(orderId)}
      icon="payments"
      none={texts.empty}
    />
  );
}

/** The provider's last response and the time of the next query. */
function Why({ payment }: { readonly payment: Payment }) {
  const { providerState, lastError, attempts, nextAttemptAt } = payment;
  const said = texts.states[providerState ?? 'none'];
  return (
    <span title={lastError ?? undefined}>
      {lastError ?? said ?? providerState}
      <Hint span>
        {' '}
        {texts.next(attempts)} <Time at={nextAttemptAt} />
      </Hint>
    </span>
  );
}

function RetryDialog({ payment: { id, orderId, amount, currency } }: { readonly payment: Payment }) {
  return (
    <Operate
      operation="retryPayment"
      params={{ paymentId: id }}
      title={texts.retryOf(orderId)}
      says={texts.retrySays(formatMoney(amount, currency))}
      submit={common.retry}
      done={texts.retried}
    />
  );
}
