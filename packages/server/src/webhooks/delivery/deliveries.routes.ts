import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { type OwnRequest, ownEndpoint } from '../endpoints/endpoints.routes.ts';
import type { SendLimit } from '../endpoints/send-limit.ts';
import { readDeliveries } from './read-deliveries.ts';
import { lockForOperator, lockForReseller, parsePeriod, redeliver, replay } from './repeat-delivery.ts';

export type DeliveryDeps = {
  readonly database: Database;
  /** Returns the public id of the event. */
  readonly noteTest: (
    tx: Tx,
    endpoint: { readonly accountId: string; readonly id: string },
  ) => Promise<string>;
  readonly sendLimit: Pick<SendLimit, 'take'>;
  readonly onEvent: () => void;
  readonly onDue: () => void;
};

export function buildDeliveryHandlers({ database, noteTest, sendLimit, onEvent, onDue }: DeliveryDeps) {
  const lockOwn = (tx: Tx, request: OwnRequest) => lockForReseller(tx, sendLimit, ownEndpoint(request));
  return {
    listWebhookDeliveries: (request) => readDeliveries(database, request.principal.accountId, request),
    listAccountWebhookDeliveries: (request) => readDeliveries(database, request.params.accountId, request),
    testWebhookEndpoint: (request) => async (tx) => {
      const eventId = await noteTest(tx, await lockOwn(tx, request));
      return { status: 202, data: { eventId }, onCommitted: onEvent };
    },
    redeliverWebhook: (request) => async (tx) => {
      await redeliver(tx, await lockOwn(tx, request), request.params.deliveryId);
      return { status: 202, data: { deliveries: 1 }, onCommitted: onDue };
    },
    redeliverAccountWebhook: (request) => async (tx) => {
      const endpoint = await lockForOperator(tx, sendLimit, request, 'webhook.redeliver');
      await redeliver(tx, endpoint, request.params.deliveryId);
      return { status: 202, data: { deliveries: 1 }, onCommitted: onDue };
    },
    testAccountWebhookEndpoint: (request) => async (tx) => {
      const eventId = await noteTest(tx, await lockForOperator(tx, sendLimit, request, 'webhook.test'));
      return { status: 202, data: { eventId }, onCommitted: onEvent };
    },
    replayWebhooks(request) {
      const period = parsePeriod(request);
      return async (tx) => {
        const data = await replay(tx, await lockOwn(tx, request), period);
        return { status: 202, data, onCommitted: onDue };
      };
    },
  } satisfies Partial<OperationHandlers>;
}
