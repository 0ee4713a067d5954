/** Notifies operators of what needs attention, in the console, by mail and in a chat. */
import { deriveKey } from '../custody/derive-key.ts';
import { runTransaction } from '../db/transaction.ts';
import type { People } from '../people/feature.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { Webhooks } from '../webhooks/feature.ts';
import { type Mailer, openMailer } from './mailer.ts';
import { recordNotices } from './notices.sql.ts';
import { buildNotificationHandlers } from './notifications.routes.ts';
import { type PostmanDeps, sendDue } from './postman.ts';

const NOTING_INTERVAL_MS = 10_000;
const SENDING_INTERVAL_MS = 5_000;

export function openNotifications(
  { config, database, log, secrets, publicUrl, metrics }: Platform,
  { webhooks, people }: { readonly webhooks: Webhooks; readonly people: People },
) {
  const chatKey = deriveKey(secrets.clientSecretMac, 'notifications/chat');
  const deps: PostmanDeps = {
    database,
    log,
    chatKey,
    publicUrl,
    webhooks,
    findLink: people.findLink,
    onNotification: metrics?.onNotification,
  };
  let mailer: Mailer | undefined;
  const noting = new RepeatedTask({
    intervalMs: NOTING_INTERVAL_MS,
    work: () => runTransaction(database, {}, (tx) => recordNotices(tx, config.lowStockUnits)),
    onFailure: (error) => log.warn({ err: error }, 'noting what needs attention failed; retrying'),
  });
  const sending = new RepeatedTask({
    intervalMs: SENDING_INTERVAL_MS,
    work: (closing) => sendDue(deps, mailer, closing),
    onFailure: (error) => log.warn({ err: error }, 'sending notifications failed; retrying'),
  });
  return {
    handlers: buildNotificationHandlers({
      database,
      chatKey,
      hasMail: config.smtpUrl !== undefined,
      checkUrl: webhooks.checkUrl,
    }),
    /** Notes and sends now what is new. */
    async notify() {
      await noting.runFresh();
      await sending.runFresh();
    },
    async start() {
      mailer = await openMailer(config);
      noting.start('later');
      sending.start('later');
    },
    async close() {
      await noting.close();
      await sending.close();
    },
  };
}
