import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, replyOk, replyWith } from '../operations/operation.ts';
import { putPreferences, readPreferences } from './choices.ts';
import { markNotifications, readNotifications } from './read-notifications.ts';

/** `hasMail`: SMTP is configured. */
export function buildNotificationHandlers(database: Database, hasMail: boolean) {
  return {
    listNotifications: (request) => readNotifications(database, request),
    readNotifications: (request) => replyWith(200, (tx) => markNotifications(tx, request)),
    getNotificationPreferences: ({ principal }) => replyOk(readPreferences(database.db, hasMail, principal)),
    putNotificationPreferences: (request) => replyWith(200, (tx) => putPreferences(tx, hasMail, request)),
  } satisfies Partial<OperationHandlers>;
}
