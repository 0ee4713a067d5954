import { EndpointStatus } from '../account-parts/endpoint-status.tsx';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { common, formatCount } from '../texts.ts';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

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
  const list = useList('listAllWebhookEndpoints', {
    isFiltered: true,
    sortedBy: '-createdAt',
    everyMs: 15_000,
  });
  return (
    <ListPage
      title={common.navigation.webhooks}
      list={list}
      isLabelled
      columns={COLUMNS}
      icon="webhooks"
      none={texts.empty}
    />
  );
}
