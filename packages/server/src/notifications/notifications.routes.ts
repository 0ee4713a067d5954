import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, shown, written } from '../operations/operation.ts';
import { putPreferences, readPreferences } from './choices.ts';
import { markNotifications, readNotifications } from './read-notifications.ts';

/** `hasMail`: SMTP is configured. */
export function buildNotificationHandlers(database: Database, hasMail: boolean) {
  return {
    listNotifications: (request) => readNotifications(database, request),
    readNotifications: (request) => written(200, (tx) => markNotifications(tx, request)),
    getNotificationPreferences: ({ principal }) => shown(readPreferences(database.db, hasMail, principal)),
    putNotificationPreferences: (request) => written(200, (tx) => putPreferences(tx, hasMail, request)),
  } satisfies Partial<OperationHandlers>;
}
