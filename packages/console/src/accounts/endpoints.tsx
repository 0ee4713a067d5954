import { admin, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { texts } from '../texts.ts';
import { Empty, Warning } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, Link, type Look, Time } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import type { Account, Endpoint } from './account-data.tsx';
import { Deliveries } from './deliveries.tsx';

export function Endpoints({ account }: { readonly account: Account }) {
  const { search } = useUrl();
  const may = useMay('administer');
  const params = { accountId: account.id };
  const result = useRead('listAccountWebhookEndpoints', { params }, { everyMs: 10_000 });
  const endpoints = result.data;
  const shown = endpoints?.find(({ id }) => id === search['endpoint']) ?? endpoints?.[0];
  return (
    <>
      <DataTable
        isLabelled
        label="Webhook endpoints"
        columns={columnsOf(account.id)}
        query={result}
        rows={endpoints}
        rowKey={({ id }) => id}
        empty={<Empty icon="webhooks">No webhook endpoints. Resellers create them through the API.</Empty>}
      />
      {shown === undefined ? null : (
        <section className="section" aria-label="Deliveries">
          <h2>Deliveries to {shown.url}</h2>
          {shown.disabledReason === undefined ? null : (
            <Warning icon="alert">{`Disabled: ${shown.disabledReason}`}</Warning>
          )}
          {may ? (
            <EndpointActions key={`actions ${shown.id}`} accountId={account.id} endpoint={shown} />
          ) : null}
          <Deliveries key={shown.id} account={account} endpoint={shown} />
        </section>
      )}
    </>
  );
}

function EndpointActions({
  accountId,
  endpoint,
}: {
  readonly accountId: string;
  readonly endpoint: Endpoint;
}) {
  const { id, url, status } = endpoint;
  const isEnabled = status === 'enabled';
  const name = isEnabled ? 'Disable endpoint' : 'Enable endpoint';
  const next = isEnabled ? 'disabled' : 'enabled';
  const params = { accountId, endpointId: id };
  const change: Action = {
    label: name,
    dialog: (
      <ActionDialog
        title={`${name}: ${url}`}
        form={`${next}:${id}`}
        isDangerous={isEnabled}
        showPreview={() =>
          isEnabled
            ? 'Nothing is sent until an operator enables it again. The reseller cannot enable it.'
            : 'Deliveries resume. Events from the time when it was disabled are not sent; the reseller can replay them.'
        }
        submit={name}
        run={(_, options) => admin.updateAccountWebhookEndpoint({ params, body: { status: next } }, options)}
        onDone={() => toast(texts.endpoints.switched[next])}
      />
    ),
  };
  const test: Action = {
    label: 'Send test',
    dialog: (
      <ActionDialog
        title={`Send test: ${url}`}
        form={`test:${id}`}
        showPreview={() => 'The event webhook.test is sent now, whatever events the endpoint takes.'}
        submit="Send test"
        run={(_, options) => admin.testAccountWebhookEndpoint({ params }, options)}
        onDone={() => toast('Test sent')}
      />
    ),
  };
  return (
    <div className="filters">
      <Actions icon="webhooks" actions={isEnabled ? [change, test] : [change]} />
    </div>
  );
}

function columnsOf(accountId: string): readonly Column<Endpoint>[] {
  return [
    {
      title: 'URL',
      render: ({ id, url }) => (
        <Link to={paths.account(accountId)} search={{ tab: 'webhooks', endpoint: id }} rowKey={id}>
          {url}
        </Link>
      ),
    },
    { title: 'Status', render: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
    {
      title: 'Events',
      render: ({ types }) => <span title={types.join(', ')}>{types.join(', ')}</span>,
      look: 'minor',
    },
    { title: 'Created', time: 'createdAt', look: 'right minor' },
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
          since <Time at={failingSince} />
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
