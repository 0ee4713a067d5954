import { deriveKey } from '../custody/derive-key.ts';
import { runTransaction } from '../db/transaction.ts';
import type { People } from '../people/feature.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { Webhooks } from '../webhooks/feature.ts';
import { type Mailer, openMailer } from './mailer.ts';
import { beginNotices, endNotices } from './notices.sql.ts';
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
    isLocal: config.localSignIn,
    webhooks,
    findLink: people.findLink,
    onNotification: metrics?.onNotification,
  };
  let mailer: Mailer | undefined;
  const noting = new RepeatedTask({
    intervalMs: NOTING_INTERVAL_MS,
    async work() {
      for (const note of [endNotices, beginNotices])
        await runTransaction(database, {}, (tx) => note(tx, config.lowStockUnits));
    },
    onFailure: (error) => log.warn({ err: error }, 'recording notices failed; retrying'),
  });
  const sendingBy = (work: (closing: AbortSignal) => Promise<void>) =>
    new RepeatedTask({
      intervalMs: SENDING_INTERVAL_MS,
      work,
      onFailure: (error) => log.warn({ err: error }, 'sending notifications failed; retrying'),
    });
  // Chats do not wait for a slow mail server.
  const sending = [
    sendingBy((closing) => sendDue(deps, undefined, closing)),
    sendingBy(async (closing) => mailer && sendDue(deps, mailer, closing)),
  ];
  return {
    handlers: buildNotificationHandlers({
      database,
      chatKey,
      hasMail: config.smtpUrl !== undefined,
      checkUrl: webhooks.checkUrl,
    }),
    async notify() {
      await noting.runFresh();
      await Promise.all(sending.map((task) => task.runFresh()));
    },
    async start() {
      mailer = await openMailer(config);
      noting.start('later');
      for (const task of sending) task.start('later');
    },
    async close() {
      await Promise.all([noting, ...sending].map((task) => task.close()));
    },
  };
}
