import { must } from '@keyport/core/assert';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { Events } from '../events/feature.ts';
import type { Platform } from '../platform.ts';
import { buildDeliveryHandlers } from './delivery/deliveries.routes.ts';
import { deleteOldDeliveries, forgetDeletedEndpoints } from './delivery/deliveries.sql.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { countEndpoints, listTargets, loadLagSeconds } from './delivery/queue.sql.ts';
import type { Outgoing, Sender, SenderOptions } from './delivery/sender.ts';
import { buildEndpointHandlers } from './endpoints/endpoints.routes.ts';
import { createSendLimit } from './endpoints/send-limit.ts';
import { toTargetRules } from './endpoints/targets.ts';
import { signatureHeaders } from './signature.ts';

const DELETED_MAX = 5_000;

export type Webhooks = ReturnType<typeof openWebhooks>;

export function openWebhooks(platform: Platform, { events }: { readonly events: Events }) {
  const { config, database, masterKeys, clock, log, metrics, version } = platform;
  const targetRules = toTargetRules(config);
  const sender = createSender({ rules: targetRules, userAgent: `Keyport/${version}` });
  const dispatcher = new Dispatcher({
    database,
    masterKeys,
    log,
    sender,
    viewEvents: events.view,
    nodeCount: platform.nodeCount,
    nowMs: () => clock.nowMs(),
    onAttempt: metrics?.onWebhookAttempt,
    onDisabled: metrics?.onWebhookDisabled,
  });
  const onDue = () => dispatcher.wake();
  const sendLimit = createSendLimit(platform.nodeCount);
  events.worker.onWritten(onDue);
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
    async listTargets(accountId: string) {
      const targets = await listTargets(database.db, accountId);
      return Promise.all(
        targets.map(async (target) => ({ ...target, secrets: await dispatcher.openSecrets(target) })),
      );
    },
    sign: signatureHeaders,
    send: (outgoing: Outgoing) => sender.send(outgoing),
    dispatcher,
    lagSeconds: () => loadLagSeconds(database.db),
    countEndpoints: () => countEndpoints(database.db),
    forgetOld: () => forgetOld(database),
    start: () => dispatcher.start(),
    close: () => dispatcher.close(),
  };
}

/** Loads undici at the first delivery, because that takes a thirtieth of the time to start. */
function createSender(options: SenderOptions): Pick<Sender, 'send' | 'close'> {
  let loading: Promise<Sender> | undefined;
  const load = async () => {
    const { Sender } = await import('./delivery/sender.ts');
    return new Sender(options);
  };
  return {
    async send(outgoing) {
      loading ??= load();
      return (await loading).send(outgoing);
    },
    close: async () => (await loading)?.close(),
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

/** Returns whether more deliveries wait. */
async function forgetOld(database: Database): Promise<boolean> {
  const deleted = await runTransaction(database, {}, (tx) => deleteOldDeliveries(tx, DELETED_MAX));
  if (deleted === DELETED_MAX) return true;
  await runTransaction(database, {}, forgetDeletedEndpoints);
  return false;
}
