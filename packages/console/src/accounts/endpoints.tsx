/** The webhook endpoints of an account and their deliveries. */
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { Empty } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, type Look, Time } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import type { Account, Endpoint } from './account-data.ts';
import { Deliveries } from './deliveries.tsx';

const LIVE_MS = 10_000;

export function Endpoints({ account }: { readonly account: Account }) {
  const { search } = useUrl();
  const result = useLive(
    ['endpoints', account.id],
    (client, signal) => client.listAccountWebhookEndpoints({ params: { accountId: account.id } }, { signal }),
    { everyMs: LIVE_MS },
  );
  const endpoints = result.data;
  const shown = endpoints?.find(({ id }) => id === search['endpoint']) ?? endpoints?.[0];
  return (
    <>
      <DataTable
        isLabelled
        label={texts.endpoints.title}
        columns={columnsOf(account.id)}
        query={result}
        rows={endpoints}
        rowKey={({ id }) => id}
        empty={<Empty icon="webhooks">{texts.endpoints.empty}</Empty>}
      />
      {shown === undefined ? null : (
        <section className="section" aria-label={texts.endpoints.deliveries}>
          <h2>{texts.endpoints.deliveriesTo(shown.url)}</h2>
          {shown.disabledReason === undefined ? null : (
            <Alert className="held-reason" icon={<Icon name="alert" />}>
              {texts.endpoints.disabledBecause(shown.disabledReason)}
            </Alert>
          )}
          <EndpointSwitch key={`switch ${shown.id}`} accountId={account.id} endpoint={shown} />
          <Deliveries key={shown.id} account={account} endpoint={shown} />
        </section>
      )}
    </>
  );
}

function EndpointSwitch({
  accountId,
  endpoint: { id, url, status },
}: {
  readonly accountId: string;
  readonly endpoint: Endpoint;
}) {
  const may = useMay('administer');
  const [open, setOpen] = useState<'switch' | 'test'>();
  if (!may) return null;
  const isEnabled = status === 'enabled';
  const name = isEnabled ? texts.endpoints.disable : texts.endpoints.enable;
  const close = () => setOpen(undefined);
  const next = isEnabled ? 'disabled' : 'enabled';
  return (
    <div className="filters">
      <Button size="xs" variant="default" onClick={() => setOpen('switch')}>
        {name}…
      </Button>
      {isEnabled ? (
        <Button size="xs" variant="default" onClick={() => setOpen('test')}>
          {texts.endpoints.test}…
        </Button>
      ) : null}
      {open === 'test' ? (
        <ActionDialog
          onClose={close}
          title={`${texts.endpoints.test}: ${url}`}
          form={`test:${id}`}
          hasReason={false}
          showPreview={() => texts.endpoints.testSays}
          submit={texts.endpoints.test}
          run={(_, options) =>
            admin.testAccountWebhookEndpoint({ params: { accountId, endpointId: id } }, options)
          }
          onDone={() => toast(texts.endpoints.tested)}
        />
      ) : null}
      {open === 'switch' ? (
        <ActionDialog
          onClose={close}
          title={`${name}: ${url}`}
          form={`${next}:${id}`}
          hasReason={false}
          isDangerous={isEnabled}
          showPreview={() => (isEnabled ? texts.endpoints.disableSays : texts.endpoints.enableSays)}
          submit={name}
          run={(_, options) =>
            admin.updateAccountWebhookEndpoint(
              { params: { accountId, endpointId: id }, body: { status: next } },
              options,
            )
          }
          onDone={() => toast(texts.endpoints.switched[next])}
        />
      ) : null}
    </div>
  );
}

function columnsOf(accountId: string): readonly Column<Endpoint>[] {
  return [
    {
      title: texts.endpoints.url,
      render: ({ id, url }) => (
        <Link to={paths.account(accountId)} search={{ tab: 'webhooks', endpoint: id }} rowKey={id}>
          {url}
        </Link>
      ),
    },
    { title: texts.common.status, render: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
    {
      title: texts.endpoints.types,
      render: ({ types }) => <span title={types.join(', ')}>{types.join(', ')}</span>,
      look: 'minor',
    },
    {
      title: texts.common.created,
      render: ({ createdAt }) => <Time at={createdAt} />,
      look: 'right minor',
    },
  ];
}

export function EndpointStatus({
  endpoint: { status, failingSince },
}: {
  readonly endpoint: Pick<Endpoint, 'status' | 'failingSince'>;
}) {
  const name = status === 'disabled' ? 'disabled' : failingSince === undefined ? 'enabled' : 'failing';
  return (
    <span className="status">
      <Badge look={LOOKS[name]}>{texts.endpoints.statuses[name]}</Badge>
      {name === 'failing' && failingSince !== undefined ? (
        <span className="hint">
          {texts.endpoints.since} <Time at={failingSince} />
        </span>
      ) : null}
    </span>
  );
}

const LOOKS = {
  enabled: ['good', 'check'],
  failing: ['warn', 'alert'],
  disabled: ['bad', 'cross'],
} as const satisfies Record<string, Look>;
