import type { OperatorElement } from '@keyport/sdk/admin';
import { admin } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { findAccounts } from '../catalogue/choices.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { useDialog } from '../forms/closing.tsx';
import { ACCOUNT_COLUMN } from '../lists/columns.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { plural, texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { CopyButton, formatMoney, Money, OrderId, OrderStatusBadge, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';

type Payment = OperatorElement<'listPayments'>;

const FILTERS = ['kind', 'accountId'];

const COLUMNS: readonly Column<Payment>[] = [
  { title: 'Order', render: ({ orderId }) => <OrderId id={orderId} /> },
  { title: 'Kind', render: ({ kind }) => texts.payments.kinds[kind] },
  {
    title: 'Amount',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    look: 'right',
  },
  { title: 'Reason', render: (payment) => <Why payment={payment} /> },
  ACCOUNT_COLUMN,
  {
    title: 'Order status',
    render: ({ orderStatus }) => <OrderStatusBadge status={orderStatus} />,
    look: 'minor',
  },
  {
    title: 'Reference',
    render: ({ reference }) =>
      reference === null ? (
        '–'
      ) : (
        <span className="short-id">
          <code title={reference}>{reference.slice(0, 12)}</code>
          <CopyButton text={reference} what="Reference" />
        </span>
      ),
    look: 'minor',
  },
  { title: 'Since', time: 'createdAt', look: 'right' },
];

export function PaymentsList() {
  const may = useMay('orders');
  const { dialog, open } = useDialog();
  const list = useList('listPayments', { filters: FILTERS, everyMs: 10_000 });
  const retry = actionsColumn<Payment>((payment) => [
    {
      label: 'Retry',
      name: texts.payments.retryOf(payment.orderId),
      run: () => open(<RetryDialog payment={payment} />),
    },
  ]);
  return (
    <Page title="Payments">
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="kind" label="Kind" choices={texts.payments.kinds} />
        <TextFilter name="accountId" label="Account" find={findAccounts} />
      </FilterBar>
      <List
        list={list}
        label="Payments"
        columns={may ? [...COLUMNS, retry] : COLUMNS}
        rowPath={({ orderId }) => paths.order(orderId)}
        icon="payments"
        none="No open payments. Card payments and refunds that the provider has not settled appear here."
      />
      {dialog}
    </Page>
  );
}

/** The provider's last response, and when it is queried again. */
function Why({ payment }: { readonly payment: Payment }) {
  const { providerState, lastError, attempts, nextAttemptAt } = payment;
  const said = texts.payments.states[providerState ?? 'none'];
  return (
    <span title={lastError ?? undefined}>
      {lastError ?? said ?? providerState}
      <span className="hint">
        {' '}
        {plural(attempts, 'attempt')}, next <Time at={nextAttemptAt} />
      </span>
    </span>
  );
}

function RetryDialog({ payment }: { readonly payment: Payment }) {
  return (
    <ActionDialog
      title={texts.payments.retryOf(payment.orderId)}
      form={`payment:${payment.id}`}
      showPreview={() =>
        `This queries the provider about ${formatMoney(payment.amount, payment.currency)} now. Nothing is charged or refunded twice.`
      }
      submit="Retry"
      run={(_, options) => admin.retryPayment({ params: { paymentId: payment.id } }, options)}
      onDone={() => toast('Querying the provider')}
    />
  );
}
