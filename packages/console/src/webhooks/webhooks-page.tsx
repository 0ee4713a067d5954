/** The webhook endpoints of all accounts: which fail, which are disabled and why. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { EndpointStatus } from '../accounts/endpoints.tsx';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../ui/filters.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyList } from '../ui/states.tsx';
import { usePager, useUrl } from '../url.ts';

type Endpoint = OperatorElement<'listAllWebhookEndpoints'>;

const FILTERS = ['query', 'state'];
const LIVE_MS = 15_000;
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
    title: texts.webhooks.state,
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
    title: texts.webhooks.account,
    render: ({ accountId, accountName }) => <Link to={paths.account(accountId)}>{accountName}</Link>,
    isMinor: true,
  },
  {
    title: texts.webhooks.pending,
    render: ({ pendingDeliveries }) => number(pendingDeliveries),
    isRight: true,
  },
  { title: texts.webhooks.failed, render: ({ failedDeliveries }) => number(failedDeliveries), isRight: true },
];

export function WebhooksPage() {
  const { search } = useUrl();
  const { query: words, state, cursor } = search;
  const query = {
    query: words,
    failing: state === 'failing' ? 'true' : undefined,
    status: state === 'enabled' || state === 'disabled' ? state : undefined,
    cursor,
    limit: 50,
    sort: '-createdAt',
  };
  const result = useLive(
    ['webhooks', query],
    (client, signal) => client.listAllWebhookEndpoints({ query: query as never }, { signal }),
    { everyMs: LIVE_MS },
  );
  const pager = usePager(result.data?.meta);
  return (
    <Page title={texts.webhooks.title}>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.webhooks.searchLabel} placeholder={texts.webhooks.search} />
        <ChoiceFilter name="state" label={texts.webhooks.state} choices={texts.endpoints.statuses} />
      </FilterBar>
      <DataTable
        label={texts.webhooks.title}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        pager={pager}
        empty={<EmptyList icon="webhooks" filters={FILTERS} pager={pager} none={texts.webhooks.empty} />}
      />
    </Page>
  );
}
