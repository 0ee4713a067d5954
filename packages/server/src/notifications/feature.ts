import type { People } from '../people/feature.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { type Mailer, openMailer } from './mailer.ts';
import { buildNotificationHandlers } from './notifications.routes.ts';
import { Postman, type PostmanDeps } from './postman.ts';

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
      await Promise.all(
        channels.map(async ({ postman, task }) => {
          await task.runFresh();
          await postman.settle();
        }),
      );
    },
    async start() {
      mailer = await openMailer(config);
      for (const { task } of channels) task.start('later');
    },
    async close() {
      await Promise.all(channels.map(({ task }) => task.close()));
      await Promise.all(channels.map(({ postman }) => postman.settle()));
    },
  };
}
