/** Shows deliveries, sends them again, and sends a test. A311, A316, A490. */
import { buildMeta } from '@keyport/contract/envelope';
import { REPLAYED_EVENTS_MAX, type WebhookDelivery } from '@keyport/contract/webhooks/webhooks';
import { formatDateTime } from '@keyport/core/date-time';
import { conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { offsetOf, pagingOf } from '@keyport/http/validation/paging';
import { parseTime } from '@keyport/http/validation/query';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { eventIdAt, formatEventId, parseEventId } from '../../events/event-id.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { type EndpointRow, findEndpoint, lockEndpoint } from '../endpoints/endpoints.sql.ts';
import type { SendLimit } from '../endpoints/send-limit.ts';
import { withoutAddress } from '../endpoints/targets.ts';
import {
  countDeliveries,
  countReplayed,
  type DeliveryRow,
  type DeliveryStatus,
  listDeliveries,
  loadReplayState,
  makeDue,
  replayEvents,
  requeueDelivery,
} from './deliveries.sql.ts';

export type DeliveryDeps = {
  readonly database: Database;
  /** Writes the event `webhook.test` for the endpoint, and returns its id as the interface shows it. */
  readonly noteTest: (
    tx: Tx,
    endpoint: { readonly accountId: string; readonly id: string },
  ) => Promise<string>;
  readonly sendLimit: Pick<SendLimit, 'take'>;
  /** Called after commit. */
  readonly onEvent: () => void;
  readonly onDue: () => void;
};

type DeliveryHandlers = Pick<
  OperationHandlers,
  | 'testWebhookEndpoint'
  | 'listWebhookDeliveries'
  | 'redeliverWebhook'
  | 'replayWebhooks'
  | 'listAccountWebhookDeliveries'
  | 'redeliverAccountWebhook'
>;

type DeliveriesQuery = {
  readonly status?: DeliveryStatus;
  readonly eventId?: string;
  readonly page?: number;
  readonly itemsPerPage?: number;
};

export function buildDeliveryHandlers({
  database,
  noteTest,
  sendLimit,
  onEvent,
  onDue,
}: DeliveryDeps): DeliveryHandlers {
  async function list(accountId: string, endpointId: string, query: DeliveriesQuery) {
    const found = await findEndpoint(database.kysely, accountId, endpointId);
    const endpoint = requireFound(found, 'webhook endpoint');
    const paging = pagingOf(query);
    const eventId = query.eventId === undefined ? undefined : (parseEventId(query.eventId) ?? '0');
    const filter = { endpoint: endpoint.number, status: query.status, eventId };
    const page = { limit: paging.itemsPerPage, offset: offsetOf(paging) };
    const rows = await listDeliveries(database.kysely, filter, page);
    const totalResults = await countDeliveries(database.kysely, filter);
    const data = rows.map((row) => formatDelivery(row, endpoint));
    return { status: 200, data, meta: buildMeta({ ...paging, totalResults }) };
  }

  return {
    listWebhookDeliveries: ({ params, principal, query }) =>
      list(principal.accountId, params.endpointId, query),
    listAccountWebhookDeliveries: ({ params, query }) => list(params.accountId, params.endpointId, query),

    testWebhookEndpoint: (request) => async (tx) => {
      const endpoint = await lockEnabled(tx, request);
      sendLimit.take(endpoint, 'reseller');
      const eventId = await noteTest(tx, endpoint);
      return { status: 202, data: { eventId }, onCommitted: onEvent };
    },

    redeliverWebhook: (request) => async (tx) => {
      const endpoint = await lockEnabled(tx, request);
      sendLimit.take(endpoint, 'reseller');
      await requeue(tx, endpoint, request.params.deliveryId);
      return { status: 202, data: { deliveries: 1 }, onCommitted: onDue };
    },

    redeliverAccountWebhook: (request) => async (tx) => {
      const { accountId, deliveryId, endpointId } = request.params;
      const endpoint = await lockEnabled(tx, { params: request.params, principal: { accountId } });
      sendLimit.take(endpoint, 'operator');
      await requeue(tx, endpoint, deliveryId);
      const details = { accountId: endpoint.accountId, data: { endpointId, deliveryId } };
      await insertAudit(tx, auditRecord(request, 'webhook.redeliver', details));
      return { status: 202, data: { deliveries: 1 }, onCommitted: onDue };
    },

    replayWebhooks(request) {
      const fromMicros = parseTime('body.from', request.body.from);
      const toMicros = parseTime('body.to', request.body.to);
      if (fromMicros > toMicros) throw invalidField('body.to', 'must not be before from');
      return async (tx) => {
        const endpoint = await lockEnabled(tx, request);
        sendLimit.take(endpoint, 'reseller');
        requireMayReplay(await loadReplayState(tx, endpoint.number));
        const range = { ...endpoint, fromId: eventIdAt(fromMicros, 0), toId: eventIdAt(toMicros) };
        const count = await countReplayed(tx, range, REPLAYED_EVENTS_MAX + 1);
        if (count > REPLAYED_EVENTS_MAX) {
          const rule = `must be earlier: there are more than ${REPLAYED_EVENTS_MAX} events in between; replay them in parts`;
          throw invalidField('body.to', rule);
        }
        const deliveries = await replayEvents(tx, endpoint.number, range);
        if (deliveries > 0) await makeDue(tx, endpoint.number);
        return { status: 202, data: { deliveries }, onCommitted: onDue };
      };
    },
  };
}

/** The endpoint of the caller's account, locked. Throws not-found, and conflict for a disabled one. */
async function lockEnabled(
  tx: Tx,
  request: {
    readonly params: { readonly endpointId: string };
    readonly principal: { readonly accountId: string };
  },
): Promise<EndpointRow> {
  const found = await lockEndpoint(tx, request.principal.accountId, request.params.endpointId);
  const endpoint = requireFound(found, 'webhook endpoint');
  if (endpoint.disabledReason === null) return endpoint;
  throw conflict(
    `The webhook endpoint is disabled, so nothing is sent to it: ${withoutAddress(endpoint.disabledReason)} Enable it first.`,
  );
}

/** A492. Throws conflict. */
function requireMayReplay({ isTested, isReplaying }: Awaited<ReturnType<typeof loadReplayState>>): void {
  if (!isTested) {
    throw conflict(
      'The URL of the webhook endpoint has not passed a test yet. Send one (POST …/test), return 2xx to the event webhook.test, and replay then.',
    );
  }
  if (isReplaying) {
    throw conflict(
      'A replay to the webhook endpoint is still in progress. Replay again when each of its deliveries has had an attempt.',
    );
  }
}

/** Throws not-found. */
async function requeue(tx: Tx, endpoint: EndpointRow, deliveryId: string): Promise<void> {
  const eventId = eventOfDelivery(deliveryId, endpoint);
  const isFound = eventId !== undefined && (await requeueDelivery(tx, endpoint.number, eventId));
  requireFound(isFound ? endpoint : undefined, 'delivery');
  await makeDue(tx, endpoint.number);
}

/** Made of the ids of its endpoint and its event, so that rows need no id of their own. */
function deliveryIdOf({ id }: EndpointRow, eventId: string): string {
  return `whd_${bare(id)}_${bare(eventId)}`;
}

/** As PostgreSQL writes it; undefined when the endpoint has no such delivery. */
function eventOfDelivery(deliveryId: string, endpoint: EndpointRow): string | undefined {
  const eventId = `evt_${deliveryId.split('_').at(-1)}`;
  return deliveryIdOf(endpoint, eventId) === deliveryId ? parseEventId(eventId) : undefined;
}

function bare(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

function formatDelivery(row: DeliveryRow, endpoint: EndpointRow): WebhookDelivery {
  const { type, status, attempts, nextAttemptAtMicros } = row;
  const eventId = formatEventId(row.eventId);
  const isPlanned = nextAttemptAtMicros !== null && endpoint.disabledReason === null;
  return {
    id: deliveryIdOf(endpoint, eventId),
    eventId,
    // The contract's are an open list.
    type: type as WebhookDelivery['type'],
    status,
    attempts: attempts.map((attempt) =>
      attempt.error === undefined ? attempt : { ...attempt, error: withoutAddress(attempt.error) },
    ),
    ...(isPlanned ? { nextAttemptAt: formatDateTime(nextAttemptAtMicros) } : {}),
  };
}
