import type { KeyObject } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import { done, type OperationHandlers, shown, written } from '../operations/operation.ts';
import { putChat, putPreferences, readPreferences, removeChat } from './choices.ts';
import { markNotifications, readNotifications } from './read-notifications.ts';

export function buildNotificationHandlers(deps: {
  readonly database: Database;
  readonly hasMail: boolean;
  readonly chatKey: KeyObject;
  /** Throws for a URL to which the service may not send. */
  readonly checkUrl: (url: string) => void;
}) {
  const { database, hasMail, chatKey, checkUrl } = deps;
  return {
    listNotifications: (request) => readNotifications(database, request),
    readNotifications: (request) => written(200, (tx) => markNotifications(tx, request)),
    getNotificationPreferences: ({ principal }) =>
      shown(readPreferences(database.kysely, hasMail, principal)),
    putNotificationPreferences: (request) => written(200, (tx) => putPreferences(tx, hasMail, request)),
    putChatWebhook(request) {
      checkUrl(request.body.url);
      return written(200, (tx) => putChat(tx, chatKey, request));
    },
    deleteChatWebhook: (request) => done((tx) => removeChat(tx, request)),
  } satisfies Partial<OperationHandlers>;
}
