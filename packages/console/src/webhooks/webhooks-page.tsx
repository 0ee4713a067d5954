import type { OperatorElement } from '@keyport/sdk/admin';
import { EndpointStatus } from '../accounts/endpoints.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { formatCount, texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';

type Endpoint = OperatorElement<'listAllWebhookEndpoints'>;

const FILTERS = ['query', 'state'];
const MANY = 1000;

const number = (count: number) => `${formatCount(count)}${count >= MANY ? '+' : ''}`;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: 'URL',
    render: ({ id, accountId, url }) => (
      <Link to={paths.account(accountId)} search={{ tab: 'webhooks', endpoint: id }} rowKey={id}>
        {url}
      </Link>
    ),
  },
  {
    title: 'Status',
    render: (endpoint) => (
      <>
        <EndpointStatus endpoint={endpoint} />
        {endpoint.disabledReason === undefined ? null : (
          <span className="hint wraps">{endpoint.disabledReason}</span>
        )}
      </>
    ),
  },
  {
    title: 'Account',
    render: ({ accountId, accountName }) => <Link to={paths.account(accountId)}>{accountName}</Link>,
    look: 'minor',
  },
  { title: 'Waiting', render: ({ pendingDeliveries }) => number(pendingDeliveries), look: 'right' },
  { title: 'Failed', render: ({ failedDeliveries }) => number(failedDeliveries), look: 'right' },
];

export function WebhooksPage() {
  const { state } = useUrl().search;
  const list = useList('listAllWebhookEndpoints', {
    filters: FILTERS,
    query: {
      state: undefined,
      failing: state === 'failing' ? 'true' : undefined,
      status: state === 'enabled' || state === 'disabled' ? state : undefined,
      sort: '-createdAt',
    },
    everyMs: 15_000,
  });
  return (
    <Page title="Webhooks">
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label="Search endpoints" placeholder="Words of the URL, or an id" />
        <ChoiceFilter name="state" label="Status" choices={texts.endpoints.statuses} />
      </FilterBar>
      <List
        list={list}
        label="Webhooks"
        columns={COLUMNS}
        icon="webhooks"
        none="No webhook endpoints yet. Resellers create them through the API."
      />
    </Page>
  );
}
