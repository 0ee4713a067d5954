import type { WebhookEndpoint } from '@keyport/contract/webhooks/webhooks';
import { formatDateTime } from '@keyport/core/date-time';
import { notFound, requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../../db/engines/database.ts';
import type { Db } from '../../db/schema.ts';
import { listResponse } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { endpointsList, type ListedEndpointRow, loadEndpoints } from './endpoint-lists.sql.ts';
import { type EndpointRow, findEndpoint, hasAccount, listEndpoints } from './endpoints.sql.ts';

export async function readEndpoint(db: Db, accountId: string, endpointId: string): Promise<WebhookEndpoint> {
  return formatEndpoint(requireFound(await findEndpoint(db, accountId, endpointId), 'webhook endpoint'));
}

export async function readEndpointsOf(db: Db, accountId: string): Promise<WebhookEndpoint[]> {
  const rows = await listEndpoints(db, accountId);
  if (rows.length === 0 && !(await hasAccount(db, accountId))) throw notFound('account');
  return rows.map(formatEndpoint);
}

export function readEndpoints(database: Database, { query }: OperationRequest<'listAllWebhookEndpoints'>) {
  return listResponse(database, {
    name: 'webhook-endpoints',
    query,
    list: endpointsList(
      { ...query, isFailing: query.failing === undefined ? undefined : query.failing === 'true' },
      query.sort === '-createdAt',
    ),
    load: loadEndpoints,
    toId: ({ number }: ListedEndpointRow) => number,
    format: ({ accountName, pending, failed, ...row }) => ({
      ...formatEndpoint(row),
      accountId: row.accountId,
      accountName,
      pendingDeliveries: pending,
      failedDeliveries: failed,
    }),
  });
}

export function formatEndpoint(row: EndpointRow): WebhookEndpoint {
  const { id, url, types, description, disabledReason, failingSinceMicros } = row;
  return {
    id,
    url,
    // A later version may have stored other types.
    types: [...types] as WebhookEndpoint['types'],
    description,
    status: disabledReason === null ? 'enabled' : 'disabled',
    ...(disabledReason === null ? {} : { disabledReason }),
    ...(failingSinceMicros === null ? {} : { failingSince: formatDateTime(failingSinceMicros) }),
    createdAt: formatDateTime(row.createdAtMicros),
  };
}
