import { runTransaction } from '../db/transaction.ts';
import type { People } from '../people/feature.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { type Mailer, openMailer } from './mailer.ts';
import { beginNotices, endNotices } from './notices.sql.ts';
import { buildNotificationHandlers } from './notifications.routes.ts';
import { Postman, type PostmanDeps } from './postman.ts';

const NOTING_INTERVAL_MS = 10_000;
const SENDING_INTERVAL_MS = 5_000;

export function openNotifications({ config, database, log, publicUrl, metrics }: Platform, people: People) {
  const deps: PostmanDeps = {
    database,
    log,
    publicUrl,
    isLocal: config.localSignIn,
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
  // A link does not wait for a slow mail server to take digests.
  const channels = (['link', 'mail'] as const).map((channel) => {
    const postman = new Postman(deps, channel);
    const task = new RepeatedTask({
      intervalMs: SENDING_INTERVAL_MS,
      work: async (closing) => {
        if (mailer !== undefined) await postman.work(mailer, closing);
      },
      onFailure: (error) => log.warn({ err: error }, 'sending notifications failed; retrying'),
    });
    return { postman, task };
  });
  return {
    handlers: buildNotificationHandlers(database, config.smtpUrl !== undefined),
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
