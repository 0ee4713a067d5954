import type { WebhookDelivery } from '@keyport/contract/webhooks/webhooks';
import { formatDateTime } from '@keyport/core/date-time';
import { invalidField, requireFound } from '@keyport/http/replies/api-error';
import { computeOffset } from '@keyport/http/validation/paging';
import type { Database } from '../../db/engines/database.ts';
import type { Db } from '../../db/schema.ts';
import { formatEventId, parseEventId } from '../../events/event-id.ts';
import { pageResponse } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { type EndpointRow, findEndpoint } from '../endpoints/endpoints.sql.ts';
import { countDeliveries, type DeliveryRow, listDeliveries, listEventsOf } from './deliveries.sql.ts';

export async function readDeliveries(
  { db }: Database,
  accountId: string,
  { params, query }: Pick<OperationRequest<'listWebhookDeliveries'>, 'params' | 'query'>,
) {
  const found = await findEndpoint(db, accountId, params.endpointId);
  const endpoint = requireFound(found, 'webhook endpoint');
  const afterId = query.after === undefined ? undefined : eventOfDelivery(query.after, endpoint);
  if (query.after !== undefined && afterId === undefined)
    throw invalidField('query.after', 'must be the id of a delivery of this endpoint');
  const eventIds = await findEvents(db, accountId, query);
  const filter = { endpoint: endpoint.number, status: query.status, eventIds, afterId };
  return pageResponse(query, {
    load: (paging) =>
      listDeliveries(db, filter, { limit: paging.itemsPerPage, offset: computeOffset(paging) }),
    count: () => countDeliveries(db, filter),
    format: (row) => formatDelivery(row, endpoint),
  });
}

/** Undefined if the deliveries of all events are wanted. */
async function findEvents(
  db: Db,
  accountId: string,
  { eventId, orderId }: OperationRequest<'listWebhookDeliveries'>['query'],
): Promise<readonly string[] | undefined> {
  const byId = eventId === undefined ? undefined : [parseEventId(eventId) ?? []].flat();
  if (orderId === undefined) return byId;
  const ofOrder = await listEventsOf(db, { orderId, accountId });
  return byId === undefined ? ofOrder : ofOrder.filter((id) => byId.includes(id));
}

/** Built from both ids, so that rows need no extra id. */
function toDeliveryId({ id }: EndpointRow, eventId: string): string {
  return `whd_${bare(id)}_${bare(eventId)}`;
}

export function eventOfDelivery(deliveryId: string, endpoint: EndpointRow): string | undefined {
  const eventId = `evt_${deliveryId.split('_').at(-1)}`;
  return toDeliveryId(endpoint, eventId) === deliveryId ? parseEventId(eventId) : undefined;
}

function bare(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

function formatDelivery(row: DeliveryRow, endpoint: EndpointRow): WebhookDelivery {
  const { type, orderId, status, attempts, nextAttemptAtMicros } = row;
  const eventId = formatEventId(row.eventId);
  const isPlanned = nextAttemptAtMicros !== null && endpoint.disabledReason === null;
  return {
    id: toDeliveryId(endpoint, eventId),
    eventId,
    // The contract's list of types is open.
    type: type as WebhookDelivery['type'],
    ...(orderId === null ? {} : { orderId }),
    status,
    attempts: [...attempts],
    ...(isPlanned ? { nextAttemptAt: formatDateTime(nextAttemptAtMicros) } : {}),
  };
}
