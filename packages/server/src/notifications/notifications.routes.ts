import type { KeyObject } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { putChat, putPreferences, readPreferences, removeChat } from './choices.ts';
import { markNotifications, readNotifications } from './read-notifications.ts';

export function buildNotificationHandlers(deps: {
  readonly database: Database;
  readonly hasMail: boolean;
  readonly chatKey: KeyObject;
  /** Throws for a URL that nothing may be sent to. */
  readonly checkUrl: (url: string) => void;
}) {
  const { database, hasMail, chatKey, checkUrl } = deps;
  return {
    listNotifications: (request) => readNotifications(database, request),
    readNotifications: (request) => async (tx) => ({
      status: 200,
      data: await markNotifications(tx, request),
    }),
    getNotificationPreferences: async ({ principal }) => ({
      status: 200,
      data: await readPreferences(database.kysely, hasMail, principal),
    }),
    putNotificationPreferences: (request) => async (tx) => ({
      status: 200,
      data: await putPreferences(tx, hasMail, request),
    }),
    putChatWebhook(request) {
      checkUrl(request.body.url);
      return async (tx) => ({ status: 200, data: await putChat(tx, chatKey, request) });
    },
    deleteChatWebhook: (request) => async (tx) => {
      await removeChat(tx, request);
      return { status: 204 };
    },
  } satisfies Partial<OperationHandlers>;
}
