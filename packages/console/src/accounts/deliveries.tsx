/** The deliveries to one endpoint with every attempt. */
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../ui/filters.tsx';
import type { IconName } from '../ui/icons.tsx';
import { actionsColumn } from '../ui/row-actions.tsx';
import { EmptyList } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, CopyButton, Time, type Tone } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import type { Account, Delivery, Endpoint } from './account-data.ts';

const LIVE_MS = 10_000;
const FILTERS = ['status'];

const LOOKS = {
  pending: ['info', 'clock'],
  delivered: ['good', 'check'],
  failed: ['bad', 'cross'],
} as const satisfies Record<Delivery['status'], readonly [Tone, IconName]>;

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
    title: texts.deliveries.status,
    render: ({ status }) => {
      const [tone, icon] = LOOKS[status];
      return (
        <Badge tone={tone} icon={icon}>
          {texts.deliveries.statuses[status]}
        </Badge>
      );
    },
  },
  { title: texts.deliveries.outcome, render: (delivery) => <Outcome delivery={delivery} /> },
  {
    title: texts.deliveries.attempts,
    render: ({ attempts }) => attempts.length,
    isRight: true,
    isMinor: true,
  },
  {
    title: texts.deliveries.time,
    render: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? '–' : <Time at={last.at} />;
    },
    isRight: true,
  },
];

export function Deliveries({
  account,
  endpoint,
}: {
  readonly account: Account;
  readonly endpoint: Pick<Endpoint, 'id'>;
}) {
  const { search } = useUrl();
  const may = useMay('administer');
  const [open, setOpen] = useState<Delivery>();
  const { status, page } = search;
  const query = { status, page: page === undefined ? undefined : Number(page), itemsPerPage: 20 };
  const params = { accountId: account.id, endpointId: endpoint.id };
  const result = useLive(
    ['deliveries', params, query],
    (client, signal) => client.listAccountWebhookDeliveries({ params, query: query as never }, { signal }),
    { everyMs: page === undefined ? LIVE_MS : undefined },
  );
  const pager = usePager(result.data?.meta);
  return (
    <>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="status" label={texts.deliveries.status} choices={texts.deliveries.statuses} />
      </FilterBar>
      <DataTable
        isLabelled
        label={texts.endpoints.deliveries}
        columns={may ? [...COLUMNS, actionsOf(setOpen)] : COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        pager={pager}
        empty={<EmptyList icon="webhooks" filters={FILTERS} pager={pager} none={texts.deliveries.empty} />}
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
      submit={() => texts.deliveries.redeliver}
      run={(_, { client, idempotencyKey }) =>
        client
          .redeliverAccountWebhook({ params: { ...params, deliveryId: delivery.id } }, { idempotencyKey })
          .withResponse()
      }
      onDone={() => toast(texts.deliveries.redelivered)}
    />
  );
}

/** What came of the last attempt, and when the next one follows. */
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
