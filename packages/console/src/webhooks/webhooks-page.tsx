/** The webhook endpoints of all accounts: which fail, which are disabled and why. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { EndpointStatus } from '../accounts/endpoints.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { useUrl } from '../url.ts';

type Endpoint = OperatorElement<'listAllWebhookEndpoints'>;

const FILTERS = ['query', 'state'];
const MANY = 1000;

const number = (count: number) => `${count.toLocaleString(LOCALE)}${count >= MANY ? '+' : ''}`;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: texts.endpoints.url,
    render: ({ id, accountId, url }) => (
      <Link to={paths.account(accountId)} search={{ tab: 'webhooks', endpoint: id }} rowKey={id}>
        {url}
      </Link>
    ),
  },
  {
    title: texts.common.status,
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
    title: texts.common.account,
    render: ({ accountId, accountName }) => <Link to={paths.account(accountId)}>{accountName}</Link>,
    look: 'minor',
  },
  {
    title: texts.webhooks.pending,
    render: ({ pendingDeliveries }) => number(pendingDeliveries),
    look: 'right',
  },
  { title: texts.webhooks.failed, render: ({ failedDeliveries }) => number(failedDeliveries), look: 'right' },
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
    <Page title={texts.navigation.webhooks}>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.webhooks.searchLabel} placeholder={texts.webhooks.search} />
        <ChoiceFilter name="state" label={texts.common.status} choices={texts.endpoints.statuses} />
      </FilterBar>
      <List
        list={list}
        label={texts.navigation.webhooks}
        columns={COLUMNS}
        icon="webhooks"
        none={texts.webhooks.empty}
      />
    </Page>
  );
}
