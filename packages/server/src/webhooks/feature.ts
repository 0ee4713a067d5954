/** Webhooks: endpoints of accounts, and the deliveries of events to them. */
import type { Logger } from 'pino';
import type { Mode } from '../config.ts';
import { NAME_OF } from '../custody/envelope.ts';
import type { MasterKeys } from '../custody/master-keys.ts';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { buildDeliveryHandlers, type DeliveryDeps } from './delivery/deliveries.routes.ts';
import { deleteOldDeliveries, forgetDeletedEndpoints } from './delivery/deliveries.sql.ts';
import { Dispatcher, type DispatcherOptions } from './delivery/dispatcher.ts';
import { loadFanOutLag, WEBHOOKS_CHANNEL } from './delivery/fan-out.sql.ts';
import { FanOut } from './delivery/fan-out.ts';
import { countEndpoints, listHeldEndpoints, makeDueAfterStepBack } from './delivery/queue.sql.ts';
import { type Outgoing, Sender } from './delivery/sender.ts';
import { buildEndpointHandlers } from './endpoints/endpoints.routes.ts';
import { listEndpoints } from './endpoints/endpoints.sql.ts';
import { createSendLimit } from './endpoints/send-limit.ts';
import { signatureHeaders } from './signature.ts';

/** How often old deliveries are removed. */
const TIDY_INTERVAL_MS = 60_000;
/** Deliveries that one transaction deletes. */
const DELETED_MAX = 5_000;

export type WebhooksOptions = {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly log: Logger;
  readonly mode: Mode;
  readonly version: string;
  readonly viewEvents: DispatcherOptions['viewEvents'];
  readonly nowMs: DispatcherOptions['nowMs'];
  readonly noteTest: DeliveryDeps['noteTest'];
  /** Something was sent on demand: counts for the other nodes too. */
  readonly onSent: Parameters<typeof createSendLimit>[0];
  /** An event was committed that this node should look for. */
  readonly onEvent: () => void;
  readonly onAttempt?: DispatcherOptions['onAttempt'];
  readonly onDisabled?: DispatcherOptions['onDisabled'];
};

export function openWebhooks(options: WebhooksOptions) {
  const { database, masterKeys, log, mode, version, noteTest, onEvent, onSent } = options;
  const targetRules = { allowsLocal: mode === 'sandbox' };
  const sender = new Sender({ rules: targetRules, userAgent: `Keyport/${version}` });
  const dispatcher = new Dispatcher({ ...options, sender });
  const onDue = () => dispatcher.wake();
  const sendLimit = createSendLimit(onSent);
  const fanOut = new FanOut({ database, log, onDeliveries: onDue });
  const tidying = new RepeatedTask({
    intervalMs: TIDY_INTERVAL_MS,
    work: (closing) => tidy(database, closing),
    onFailure: (error) => log.warn({ err: error }, 'old deliveries could not be removed; a later round will'),
  });
  let listening: { close(): Promise<void> } | undefined;
  return {
    handlers: {
      ...buildEndpointHandlers({ database, masterKeys, targetRules, onCommitted: onDue }),
      ...buildDeliveryHandlers({ database, noteTest, sendLimit, onEvent, onDue }),
    },
    /** For the check-up of the sandbox: what is enabled, what signs for it, and how it is sent to. */
    listTargets: async (accountId: string) => {
      const endpoints = await listEndpoints(database.kysely, accountId);
      const ids = new Map(endpoints.map(({ number, id }) => [number, id]));
      const held = await listHeldEndpoints(database.kysely, [...ids.keys()]);
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
    onSentElsewhere: sendLimit.takeElsewhere,
    onClockStepBack: makeDueAfterStepBack,
    lagSeconds: () => loadFanOutLag(database.kysely),
    countEndpoints: () => countEndpoints(database.kysely),
    /** There are new events. */
    wake: () => fanOut.wake(),
    async start() {
      // The embedded engine serves one process.
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

async function tidy(database: Database, closing: AbortSignal): Promise<void> {
  let deleted = DELETED_MAX;
  while (deleted === DELETED_MAX && !closing.aborted)
    deleted = await runTransaction(database, {}, (tx) => deleteOldDeliveries(tx, DELETED_MAX));
  await runTransaction(database, {}, forgetDeletedEndpoints);
}
