import { deriveKey } from '../custody/derive-key.ts';
import { runTransaction } from '../db/transaction.ts';
import type { People } from '../people/feature.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { Webhooks } from '../webhooks/feature.ts';
import { type Mailer, openMailer } from './mailer.ts';
import { beginNotices, endNotices } from './notices.sql.ts';
import { buildNotificationHandlers } from './notifications.routes.ts';
import { Postman, type PostmanDeps } from './postman.ts';

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
  // A link waits neither for a slow mail server to take digests nor for chats.
  const channels = (['link', 'mail', 'chat'] as const).map((channel) => {
    const postman = new Postman(deps, channel);
    const task = new RepeatedTask({
      intervalMs: SENDING_INTERVAL_MS,
      work: async (closing) => {
        if (channel === 'chat' || mailer !== undefined) await postman.work(mailer, closing);
      },
      onFailure: (error) => log.warn({ err: error }, 'sending notifications failed; retrying'),
    });
    return { postman, task };
  });
  return {
    handlers: buildNotificationHandlers({
      database,
      chatKey,
      hasMail: config.smtpUrl !== undefined,
      checkUrl: webhooks.checkUrl,
    }),
    async notify() {
      await noting.runFresh();
      await Promise.all(
        channels.map(async ({ postman, task }) => {
          await task.runFresh();
          await postman.settle();
        }),
      );
    },
    async start() {
      mailer = await openMailer(config);
      noting.start('later');
      for (const { task } of channels) task.start('later');
    },
    async close() {
      await Promise.all([noting, ...channels.map(({ task }) => task)].map((task) => task.close()));
      await Promise.all(channels.map(({ postman }) => postman.settle()));
    },
  };
}
