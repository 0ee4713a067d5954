import { EndpointStatus } from '../accounts/endpoints.tsx';
import { toColumns } from '../lists/columns.tsx';
import { ChoiceFilter, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { common, formatCount } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { texts } from './texts.ts';

const FILTERS = ['query', 'state'];
const MANY = 1000;

const number = (count: number) => `${formatCount(count)}${count >= MANY ? '+' : ''}`;

const COLUMNS = toColumns('listAllWebhookEndpoints', {
  url: ({ id, accountId, url }) => (
    <Link to={paths.account(accountId)} search={{ tab: 'webhooks', endpoint: id }} rowKey={id}>
      {url}
    </Link>
  ),
  status: (endpoint) => (
    <>
      <EndpointStatus endpoint={endpoint} />
      {endpoint.disabledReason === undefined ? null : (
        <span className="hint wraps">{endpoint.disabledReason}</span>
      )}
    </>
  ),
  pendingDeliveries: ({ pendingDeliveries }) => number(pendingDeliveries),
  failedDeliveries: ({ failedDeliveries }) => number(failedDeliveries),
});

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
    <Page title={common.navigation.webhooks}>
      <List
        list={list}
        filters={
          <>
            <SearchFilter name="query" label={texts.searchLabel} placeholder={texts.search} />
            <ChoiceFilter name="state" label={common.status} choices={common.endpointStatuses} />
          </>
        }
        isLabelled
        label={common.navigation.webhooks}
        columns={COLUMNS}
        icon="webhooks"
        none={texts.empty}
      />
    </Page>
  );
}
