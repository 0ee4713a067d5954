import { Box, Button, Group } from '@mantine/core';
import { Deliveries, type EndpointOperations } from '../account-parts/deliveries.tsx';
import { EndpointStatus } from '../account-parts/endpoint-status.tsx';
import { texts as shared } from '../account-parts/texts.ts';
import { type Answer, useRead } from '../api/queries.ts';
import { Actions } from '../forms/actions.tsx';
import { openDialog } from '../forms/closing.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { Empty, Page, Section, Warning } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths, useGo, useUrl } from '../url.ts';
import { texts } from './texts.ts';

type Endpoint = Answer<'listWebhookEndpoints'>[number];

const words = texts.endpoints;
const DAY_MS = 86_400_000;

const OPERATIONS: EndpointOperations = {
  deliveries: 'listWebhookDeliveries',
  event: 'getEvent',
  redeliver: 'redeliverWebhook',
};

const COLUMNS = toColumns<'listAccountWebhookEndpoints', Endpoint>('listAccountWebhookEndpoints', {
  url: ({ id, url }) => (
    <Link to={paths.webhooks} search={{ endpoint: id }} rowKey={id}>
      {url}
    </Link>
  ),
  status: (endpoint) => <EndpointStatus endpoint={endpoint} />,
  types: ({ types }) =>
    types.includes('*') ? words.allTypes : <span title={types.join(', ')}>{types.join(', ')}</span>,
}).filter(({ isExtra }) => !isExtra);

export function Endpoints() {
  const { search } = useUrl();
  // The deliveries are reloaded as often, and they change its status.
  const result = useRead('listWebhookEndpoints', {}, { everyMs: 3000 });
  const endpoints = result.data;
  const shown = endpoints?.find(({ id }) => id === search['endpoint']) ?? endpoints?.[0];
  const create = (
    <Button variant="filled" onClick={() => openDialog(<NewEndpoint />)}>
      {words.new}…
    </Button>
  );
  return (
    <Page title={common.navigation.webhooks} actions={create}>
      <Box mb={24}>
        <DataTable
          isLabelled
          label={shared.endpoints.title}
          columns={COLUMNS}
          query={result}
          rows={endpoints}
          rowKey={({ id }) => id}
          currentKey={shown?.id}
          empty={<Empty icon="webhooks">{words.empty}</Empty>}
        />
      </Box>
      {shown === undefined ? null : <EndpointView key={shown.id} endpoint={shown} />}
    </Page>
  );
}

function EndpointView({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, status, disabledReason, failingSince } = endpoint;
  const isEnabled = status === 'enabled';
  const of = { params: { endpointId: id } };
  const change = isEnabled ? words.disable : words.enable;
  const dialogs = [
    ...(isEnabled
      ? [
          [
            words.test.submit,
            <Operate
              key="test"
              operation="testWebhookEndpoint"
              {...of}
              {...words.test}
              title={titled(words.test.submit, url)}
            />,
          ] as const,
        ]
      : []),
    [
      common.edit,
      <Operate
        key="edit"
        operation="updateWebhookEndpoint"
        {...of}
        {...words.edit}
        title={titled(common.edit, url)}
        values={endpoint}
      />,
    ],
    [
      change.submit,
      <Operate
        key="change"
        operation="updateWebhookEndpoint"
        {...of}
        {...change}
        title={titled(change.submit, url)}
        body={{ status: isEnabled ? 'disabled' : 'enabled' }}
      />,
    ],
    [
      words.rotate.submit,
      <Operate
        key="rotate"
        operation="rotateWebhookSecret"
        {...of}
        {...words.rotate}
        title={titled(words.rotate.submit, url)}
        values={{ overlapHours: 24 }}
        onDone={({ data }) => showSecret(data)}
      />,
    ],
    [
      words.replay.submit,
      <Operate
        key="replay"
        operation="replayWebhooks"
        {...of}
        says={words.replay.says}
        submit={words.replay.submit}
        title={titled(words.replay.submit, url)}
        values={{ from: new Date(Date.now() - DAY_MS).toISOString(), to: new Date().toISOString() }}
        done={({ deliveries }) => words.replay.done(deliveries)}
      />,
    ],
    [
      words.remove.submit,
      <Operate
        key="remove"
        operation="deleteWebhookEndpoint"
        {...of}
        {...words.remove}
        title={titled(words.remove.submit, url)}
        isDangerous
      />,
    ],
  ] as const;
  return (
    <Section title={shared.endpoints.deliveriesTo(url)}>
      {disabledReason === undefined ? null : (
        <Warning icon="alert">{shared.endpoints.disabledBecause(disabledReason)}</Warning>
      )}
      {failingSince === undefined || !isEnabled ? null : <Warning icon="alert">{words.failing}</Warning>}
      <Group mb={12}>
        <Actions icon="webhooks" actions={dialogs.map(([label, dialog]) => ({ label, dialog }))} />
      </Group>
      <Deliveries operations={OPERATIONS} params={{}} endpoint={endpoint} may />
    </Section>
  );
}

const titled = (action: string, url: string) => `${action}: ${url}`;

function NewEndpoint() {
  const go = useGo();
  return (
    <Operate
      operation="createWebhookEndpoint"
      title={words.new}
      submit={words.new}
      values={{ types: ['*'] }}
      onDone={({ data }) => {
        go(paths.webhooks, { endpoint: data.id });
        showSecret(data);
      }}
    />
  );
}

function showSecret({ url, secret }: { readonly url: string; readonly secret: string }): void {
  openDialog(<SecretDialog title={words.secretOf(url)} values={{ [words.secret]: secret }} />);
}
