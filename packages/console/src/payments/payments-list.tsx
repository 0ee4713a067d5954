/** Charges and refunds that the payment provider has not settled, and why. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../ui/filters.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { actionsColumn } from '../ui/row-actions.tsx';
import { EmptyList } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { CopyButton, formatMoney, Money, OrderId, OrderStatusBadge, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';

type Payment = OperatorElement<'listPayments'>;

const FILTERS = ['kind', 'accountId'];
const LIVE_MS = 10_000;

const COLUMNS: readonly Column<Payment>[] = [
  { title: texts.orders.order, render: ({ orderId }) => <OrderId id={orderId} /> },
  { title: texts.payments.kind, render: ({ kind }) => texts.payments.kinds[kind] },
  {
    title: texts.payments.amount,
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    isRight: true,
  },
  { title: texts.payments.why, render: (payment) => <Why payment={payment} /> },
  {
    title: texts.payments.account,
    render: ({ accountId, accountName }) => <Link to={paths.account(accountId)}>{accountName}</Link>,
  },
  {
    title: texts.payments.orderStatus,
    render: ({ orderStatus }) => <OrderStatusBadge status={orderStatus} />,
    isMinor: true,
  },
  {
    title: texts.payments.reference,
    render: ({ reference }) =>
      reference === null ? (
        '–'
      ) : (
        <span className="short-id">
          <code title={reference}>{reference.slice(0, 12)}</code>
          <CopyButton text={reference} what={texts.payments.reference} />
        </span>
      ),
    isMinor: true,
  },
  { title: texts.payments.since, render: ({ createdAt }) => <Time at={createdAt} />, isRight: true },
];

export function PaymentsList() {
  const { search } = useUrl();
  const may = useMay('orders');
  const [open, setOpen] = useState<Payment>();
  const { kind, accountId, cursor } = search;
  const query = { kind, accountId, cursor, limit: 50 };
  const result = useLive(
    ['payments', query],
    (client, signal) => client.listPayments({ query: query as never }, { signal }),
    { everyMs: cursor === undefined ? LIVE_MS : undefined },
  );
  const pager = usePager(result.data?.meta);
  return (
    <Page title={texts.payments.title}>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="kind" label={texts.payments.kind} choices={texts.payments.kinds} />
        <TextFilter name="accountId" label={texts.payments.account} />
      </FilterBar>
      <DataTable
        label={texts.payments.title}
        columns={may ? [...COLUMNS, actionsOf(setOpen)] : COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ orderId }) => paths.order(orderId)}
        pager={pager}
        empty={<EmptyList icon="payments" filters={FILTERS} pager={pager} none={texts.payments.empty} />}
      />
      {open === undefined ? null : <RetryDialog payment={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

/** What the provider said last, and when it is asked again. */
function Why({ payment }: { readonly payment: Payment }) {
  const { providerState, lastError, attempts, nextAttemptAt } = payment;
  const said = texts.payments.states[(providerState ?? 'none') as keyof typeof texts.payments.states];
  return (
    <span title={lastError ?? undefined}>
      {lastError ?? said ?? providerState}
      <span className="hint">
        {' '}
        {texts.payments.next(attempts)} <Time at={nextAttemptAt} />
      </span>
    </span>
  );
}

function actionsOf(retry: (payment: Payment) => void) {
  return actionsColumn<Payment>((payment) => [
    {
      label: texts.payments.retry,
      name: texts.payments.retryOf(payment.orderId),
      run: () => retry(payment),
    },
  ]);
}

function RetryDialog({ payment, onClose }: { readonly payment: Payment; readonly onClose: () => void }) {
  return (
    <ActionDialog
      onClose={onClose}
      title={texts.payments.retryOf(payment.orderId)}
      form={`payment:${payment.id}`}
      hasReason={false}
      showPreview={() => texts.payments.retrySays(formatMoney(payment.amount, payment.currency))}
      submit={() => texts.payments.retry}
      run={(_, { client, idempotencyKey }) =>
        client.retryPayment({ params: { paymentId: payment.id } }, { idempotencyKey }).withResponse()
      }
      onDone={() => toast(texts.payments.retried)}
    />
  );
}
