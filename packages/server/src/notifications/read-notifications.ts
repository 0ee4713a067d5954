import type { Notification } from '@keyport/contract/operators/notifications';
import { formatDateTime } from '@keyport/core/date-time';
import type { Principal } from '@keyport/http/server/principal';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { listChannels, markRead } from './channels.sql.ts';
import { loadWanted } from './choices.ts';
import { toPath } from './message.ts';
import { countUnread, loadNotices, type NoticeRow, noticesList } from './notices.sql.ts';

export async function readNotifications(
  database: Database,
  { principal, query }: OperationRequest<'listNotifications'>,
) {
  const { wanted, toldId } = await loadPlace(database.db, principal);
  const { rows, meta } = await readListPage(database, {
    name: `notifications of ${principal.clientId}`,
    query,
    list: noticesList(wanted, query.unread === 'true' ? toldId : undefined),
    load: loadNotices,
    toId: ({ id }: NoticeRow) => id,
  });
  const unread = await countUnread(database.db, wanted, toldId);
  return { status: 200, data: rows.map((row) => show(row, toldId)), meta: { ...meta, unread } };
}

export async function markNotifications(
  tx: Tx,
  { principal, body }: OperationRequest<'readNotifications'>,
): Promise<{ unread: number }> {
  await markRead(tx, principal.clientId, body.upTo);
  const { wanted, toldId } = await loadPlace(tx, principal);
  return { unread: await countUnread(tx, wanted, toldId) };
}

async function loadPlace(db: Db, principal: Principal) {
  const channels = await listChannels(db, principal.clientId);
  const { toldId = 0 } = channels.find(({ channel }) => channel === 'console') ?? {};
  return { wanted: await loadWanted(db, principal, 'console'), toldId };
}

function show(row: NoticeRow, toldId: number): Notification {
  const { id, event, subject, title, beganMicros, endedMicros } = row;
  return {
    id: String(id),
    event,
    subject,
    title,
    path: toPath(row),
    at: formatDateTime(beganMicros),
    endedAt: endedMicros === null ? null : formatDateTime(endedMicros),
    unread: id > toldId && endedMicros === null,
  };
}
