/** The deliveries to one endpoint with every attempt. */
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { Badge, CopyButton, type Look, Time } from '../ui/values.tsx';
import type { Account, Delivery, Endpoint } from './account-data.ts';

const FILTERS = ['status'];

const LOOKS = {
  pending: ['info', 'clock'],
  delivered: ['good', 'check'],
  failed: ['bad', 'cross'],
} as const satisfies Record<Delivery['status'], Look>;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: texts.deliveries.event,
    render: ({ type, eventId }) => (
      <span className="short-id">
        {type}
        <CopyButton text={eventId} what={texts.deliveries.eventId} />
      </span>
    ),
  },
  {
    title: texts.common.status,
    render: ({ status }) => <Badge look={LOOKS[status]}>{texts.deliveries.statuses[status]}</Badge>,
  },
  { title: texts.deliveries.outcome, render: (delivery) => <Outcome delivery={delivery} /> },
  { title: texts.deliveries.attempts, render: ({ attempts }) => attempts.length, look: 'right minor' },
  {
    title: texts.deliveries.time,
    render: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? '–' : <Time at={last.at} />;
    },
    look: 'right',
  },
];

export function Deliveries({
  account,
  endpoint,
}: {
  readonly account: Account;
  readonly endpoint: Pick<Endpoint, 'id'>;
}) {
  const may = useMay('administer');
  const [open, setOpen] = useState<Delivery>();
  const params = { accountId: account.id, endpointId: endpoint.id };
  const list = useList('listAccountWebhookDeliveries', {
    ...{ params, filters: FILTERS, limit: 20, isNumbered: true },
    everyMs: 10_000,
  });
  return (
    <>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="status" label={texts.common.status} choices={texts.deliveries.statuses} />
      </FilterBar>
      <List
        list={list}
        isLabelled
        label={texts.endpoints.deliveries}
        columns={may ? [...COLUMNS, actionsOf(setOpen)] : COLUMNS}
        icon="webhooks"
        none={texts.deliveries.empty}
      />
      {open === undefined ? null : (
        <RedeliverDialog params={params} delivery={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

function actionsOf(redeliver: (delivery: Delivery) => void) {
  return actionsColumn<Delivery>((delivery) => [
    {
      label: texts.deliveries.redeliver,
      name: texts.deliveries.redeliverOf(delivery.eventId),
      run: () => redeliver(delivery),
    },
  ]);
}

function RedeliverDialog(props: {
  readonly params: { readonly accountId: string; readonly endpointId: string };
  readonly delivery: Delivery;
  readonly onClose: () => void;
}) {
  const { params, delivery, onClose } = props;
  return (
    <ActionDialog
      onClose={onClose}
      title={texts.deliveries.redeliverOf(delivery.type)}
      form={`redeliver:${delivery.id}`}
      hasReason={false}
      showPreview={() => texts.deliveries.redeliverSays}
      submit={texts.deliveries.redeliver}
      run={(_, options) =>
        admin.redeliverAccountWebhook({ params: { ...params, deliveryId: delivery.id } }, options)
      }
      onDone={() => toast(texts.deliveries.redelivered)}
    />
  );
}

/** The result of the last attempt, and when the next one follows. */
function Outcome({ delivery: { attempts, nextAttemptAt } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  const text = [last?.statusCode, last?.error, last?.address].filter((part) => part !== undefined).join(': ');
  return (
    <>
      <span title={last?.responseExcerpt}>{text}</span>
      {nextAttemptAt === undefined ? null : (
        <span className="hint">
          {' '}
          {texts.deliveries.next} <Time at={nextAttemptAt} />
        </span>
      )}
    </>
  );
}
