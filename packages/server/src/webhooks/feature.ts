import { must } from '@keyport/core/assert';
import { NAME_OF } from '../custody/envelope.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { Events } from '../events/feature.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask, whileFull } from '../repeated-task.ts';
import { buildDeliveryHandlers } from './delivery/deliveries.routes.ts';
import { deleteOldDeliveries, forgetDeletedEndpoints } from './delivery/deliveries.sql.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { loadFanOutLag, WEBHOOKS_CHANNEL } from './delivery/fan-out.sql.ts';
import { FanOut } from './delivery/fan-out.ts';
import { countEndpoints, listHeldEndpoints } from './delivery/queue.sql.ts';
import { type Outgoing, Sender } from './delivery/sender.ts';
import { buildEndpointHandlers } from './endpoints/endpoints.routes.ts';
import { listEndpoints } from './endpoints/endpoints.sql.ts';
import { createSendLimit } from './endpoints/send-limit.ts';
import { targetRulesOf } from './endpoints/targets.ts';
import { signatureHeaders } from './signature.ts';

const TIDY_INTERVAL_MS = 60_000;
const DELETED_MAX = 5_000;

export type Webhooks = ReturnType<typeof openWebhooks>;

export function openWebhooks(platform: Platform, { events }: { readonly events: Events }) {
  const { config, database, masterKeys, clock, log, metrics, version } = platform;
  const targetRules = targetRulesOf(config);
  const sender = new Sender({ rules: targetRules, userAgent: `Keyport/${version}` });
  const dispatcher = new Dispatcher({
    database,
    masterKeys,
    log,
    sender,
    viewEvents: events.view,
    nowMs: () => clock.nowMs(),
    onAttempt: metrics?.onWebhookAttempt,
    onDisabled: metrics?.onWebhookDisabled,
  });
  const onDue = () => dispatcher.wake();
  const sendLimit = createSendLimit(platform.nodeCount);
  const fanOut = new FanOut({ database, log, onDeliveries: onDue });
  events.worker.onWritten(() => fanOut.wake());
  const tidying = new RepeatedTask({
    intervalMs: TIDY_INTERVAL_MS,
    work: (closing) => tidy(database, closing),
    onFailure: (error) =>
      log.warn({ err: error }, 'deleting old deliveries failed; retrying in a later round'),
  });
  let listening: { close(): Promise<void> } | undefined;
  return {
    handlers: {
      ...buildEndpointHandlers(database, masterKeys, targetRules, onDue),
      ...buildDeliveryHandlers({
        database,
        noteTest: (tx, endpoint) => announceTest(events, tx, endpoint),
        sendLimit,
        onEvent: () => events.worker.announce(),
        onDue,
      }),
    },
    listTargets: async (accountId: string) => {
      const endpoints = await listEndpoints(database.db, accountId);
      const ids = new Map(endpoints.map(({ number, id }) => [number, id]));
      const held = await listHeldEndpoints(database.db, [...ids.keys()]);
      return Promise.all(
        held.map(async ({ number, url, secrets }) => ({
          id: ids.get(number) ?? '',
          url,
          secrets: await Promise.all(
            secrets.map((stored) => masterKeys.unwrap(stored, NAME_OF.webhookSecret(stored.id))),
          ),
        })),
      );
    },
    sign: signatureHeaders,
    send: (outgoing: Outgoing) => sender.send(outgoing),
    dispatcher,
    lagSeconds: () => loadFanOutLag(database.db),
    countEndpoints: () => countEndpoints(database.db),
    async start() {
      // With the embedded engine there is only one process.
      if (database.kind === 'postgres') listening = await database.listen(WEBHOOKS_CHANNEL, onDue);
      fanOut.start();
      dispatcher.start();
      tidying.start('later');
    },
    async close() {
      await listening?.close();
      await fanOut.close();
      await dispatcher.close();
      await tidying.close();
    },
  };
}

async function announceTest(
  events: Events,
  tx: Tx,
  { accountId, id: endpointId }: { readonly accountId: string; readonly id: string },
): Promise<string> {
  const [eventId] = await events.announce(tx, [{ type: 'webhook.test', accountId, data: { endpointId } }]);
  return must(eventId, 'the id of the event');
}

async function tidy(database: Database, closing: AbortSignal): Promise<void> {
  const step = () => runTransaction(database, {}, (tx) => deleteOldDeliveries(tx, DELETED_MAX));
  await whileFull(DELETED_MAX, step, closing);
  await runTransaction(database, {}, forgetDeletedEndpoints);
}
