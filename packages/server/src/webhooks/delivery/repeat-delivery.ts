import { REPLAYED_EVENTS_MAX } from '@keyport/contract/webhooks/webhooks';
import { formatDateTime } from '@keyport/core/date-time';
import { conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { parseTime } from '@keyport/http/validation/query';
import { audit } from '../../audit/action.ts';
import type { Tx } from '../../db/schema.ts';
import { eventIdAt } from '../../events/event-id.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { type EndpointName, receivesType } from '../endpoints/change-endpoint.ts';
import { type EndpointRow, lockEndpoint } from '../endpoints/endpoints.sql.ts';
import type { SendLimit } from '../endpoints/send-limit.ts';
import * as sql from './deliveries.sql.ts';
import { eventOfDelivery } from './read-deliveries.ts';

type Limit = Pick<SendLimit, 'take'>;

/** Throws not-found, conflict and too-many-requests. */
export async function lockForReseller(tx: Tx, sendLimit: Limit, name: EndpointName): Promise<EndpointRow> {
  const endpoint = await lockEnabled(tx, name);
  sendLimit.take(endpoint, 'reseller');
  return endpoint;
}

/** Throws not-found, and conflict if the endpoint no longer receives this type: a retry would be dropped too. */
export async function redeliver(tx: Tx, endpoint: EndpointRow, deliveryId: string): Promise<void> {
  const eventId = eventOfDelivery(deliveryId, endpoint);
  const found = eventId === undefined ? undefined : await sql.requeueDelivery(tx, endpoint.number, eventId);
  const { type } = requireFound(found, 'delivery');
  if (!receivesType(endpoint.types, type)) {
    throw conflict(
      `The webhook endpoint no longer receives events of type ${type}, so nothing is sent. Add the type to the endpoint first.`,
    );
  }
}

export async function lockForOperator(
  tx: Tx,
  sendLimit: Limit,
  request: OperationRequest<'redeliverAccountWebhook'> | OperationRequest<'testAccountWebhookEndpoint'>,
  action: 'webhook.redeliver' | 'webhook.test',
): Promise<EndpointRow> {
  const { accountId: _account, ...data } = request.params;
  const endpoint = await lockEnabled(tx, request.params);
  sendLimit.take(endpoint, 'operator');
  await audit(tx, request, action, { accountId: endpoint.accountId, data });
  return endpoint;
}

type Period = { readonly fromMicros: number; readonly toMicros: number };

export function parsePeriod({ body }: Pick<OperationRequest<'replayWebhooks'>, 'body'>): Period {
  const fromMicros = parseTime('body.from', body.from);
  const toMicros = parseTime('body.to', body.to);
  if (fromMicros > toMicros) throw invalidField('body.to', 'must not be before from');
  return { fromMicros, toMicros };
}

/** Throws conflict and validation-error. */
export async function replay(
  tx: Tx,
  endpoint: EndpointRow,
  { fromMicros, toMicros }: Period,
): Promise<{ readonly deliveries: number; readonly eventsKeptFrom?: string }> {
  const state = await sql.loadReplayState(tx, endpoint.number);
  requireMayReplay(state);
  const range = { ...endpoint, fromId: eventIdAt(fromMicros, 0), toId: eventIdAt(toMicros) };
  const count = await sql.countReplayed(tx, range, REPLAYED_EVENTS_MAX + 1);
  if (count > REPLAYED_EVENTS_MAX) {
    const rule = `must be earlier: the period has more than ${REPLAYED_EVENTS_MAX} events; replay it in parts`;
    throw invalidField('body.to', rule);
  }
  const deliveries = await sql.replayEvents(tx, endpoint.number, range);
  const { keptFromMicros } = state;
  return fromMicros < keptFromMicros
    ? { deliveries, eventsKeptFrom: formatDateTime(keptFromMicros) }
    : { deliveries };
}

/** Throws not-found and conflict. */
async function lockEnabled(tx: Tx, { accountId, endpointId }: EndpointName): Promise<EndpointRow> {
  const endpoint = requireFound(await lockEndpoint(tx, accountId, endpointId), 'webhook endpoint');
  if (endpoint.disabledReason === null) return endpoint;
  throw conflict(
    `The webhook endpoint is disabled, so nothing is sent to it: ${endpoint.disabledReason} Enable it first.`,
  );
}

/** A316. Throws conflict. */
function requireMayReplay({ isTested, isReplaying }: sql.ReplayState): void {
  if (!isTested) {
    throw conflict(
      'The URL of the webhook endpoint has not passed a test yet. Send a test (POST …/test), return 2xx to its webhook.test event, and then replay.',
    );
  }
  if (isReplaying) {
    throw conflict(
      'A replay to the webhook endpoint is still in progress. Replay again when each of its deliveries has been attempted.',
    );
  }
}
