import { Box, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import { Deliveries, type EndpointOperations } from '../account-parts/deliveries.tsx';
import { EndpointStatus } from '../account-parts/endpoint-status.tsx';
import { texts } from '../account-parts/texts.ts';
import { useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { type Action, Actions } from '../forms/actions.tsx';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { Operate } from '../operate/operate.tsx';
import { Empty, Warning } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import type { Account, Endpoint } from './account-data.tsx';

const OPERATIONS: EndpointOperations = {
  deliveries: 'listAccountWebhookDeliveries',
  event: 'getAccountEvent',
  redeliver: 'redeliverAccountWebhook',
};

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
        label={texts.endpoints.title}
        columns={toColumns('listAccountWebhookEndpoints', {
          url: ({ id, url }) => (
            <Link to={paths.account(account.id)} search={{ tab: 'webhooks', endpoint: id }} rowKey={id}>
              {url}
            </Link>
          ),
          status: (endpoint) => <EndpointStatus endpoint={endpoint} />,
          types: ({ types }) => <span title={types.join(', ')}>{types.join(', ')}</span>,
        }).filter(({ isExtra }) => !isExtra)}
        query={result}
        rows={endpoints}
        rowKey={({ id }) => id}
        empty={<Empty icon="webhooks">{texts.endpoints.empty}</Empty>}
      />
      {shown === undefined ? null : (
        <Box component="section" mb={24} aria-label={texts.endpoints.deliveries}>
          <h2>{texts.endpoints.deliveriesTo(shown.url)}</h2>
          {shown.disabledReason === undefined ? null : (
            <Warning icon="alert">{texts.endpoints.disabledBecause(shown.disabledReason)}</Warning>
          )}
          {may ? (
            <EndpointActions key={`actions ${shown.id}`} accountId={account.id} endpoint={shown} />
          ) : null}
          <Deliveries key={shown.id} operations={OPERATIONS} params={params} endpoint={shown} may={may} />
        </Box>
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
  const { enable, disable, test } = texts.endpoints;
  const toAction = ({ submit }: { readonly submit: string }, dialog: ReactElement): Action => ({
    label: submit,
    dialog,
  });
  const words = isEnabled ? disable : enable;
  const shared = (label: string) => ({
    params: { accountId, endpointId: id },
    title: `${label}: ${url}`,
  });
  return (
    <Group mb={12}>
      <Actions
        icon="webhooks"
        actions={[
          toAction(
            words,
            <Operate
              operation="updateAccountWebhookEndpoint"
              {...shared(words.submit)}
              {...words}
              body={{ status: isEnabled ? 'disabled' : 'enabled' }}
            />,
          ),
          ...(isEnabled
            ? [
                toAction(
                  test,
                  <Operate operation="testAccountWebhookEndpoint" {...shared(test.submit)} {...test} />,
                ),
              ]
            : []),
        ]}
      />
    </Group>
  );
}
