import type { NotificationEvent } from '@keyport/contract/operators/notifications';
import { plainArray } from '../db/engines/prepared.ts';
import { type List, numberKey } from '../db/keyset.sql.ts';
import { allRows, onlyValue } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';

const UNREAD_MAX = 1_000;

export type Wanted = {
  readonly events: readonly NotificationEvent[];
  readonly approvalIds: readonly string[];
};

const isWanted = ({ events, approvalIds }: Wanted) => sql`notice.kind = ANY (${plainArray(events)}::text[])
  AND (notice.kind <> 'approval' OR notice.subject = ANY (${plainArray(approvalIds)}::text[]))`;

const isUnread = (toldId: number) => sql`notice.id > ${toldId}::bigint AND notice.ended_at IS NULL`;

/** Newest first. Index: matter_pkey. */
export function noticesList(wanted: Wanted, unreadAfter: number | undefined): List {
  return {
    from: sql`matter AS notice`,
    alias: 'notice',
    key: [numberKey('notice.id')],
    isDescending: true,
    filters: [isWanted(wanted), ...(unreadAfter === undefined ? [] : [isUnread(unreadAfter)])],
  };
}

export type NoticeRow = {
  readonly id: number;
  readonly event: NotificationEvent;
  readonly subject: string;
  readonly accountId: string | null;
  readonly title: string;
  readonly beganMicros: number;
  readonly endedMicros: number | null;
};

/** An endpoint is named by its host, because its URL may hold a secret. */
const COLUMNS: Sql = sql`notice.id, notice.kind AS event, notice.subject, notice.account_id AS "accountId",
  CASE notice.kind
    WHEN 'endpoint' THEN concat_ws(', ', (SELECT name FROM account WHERE account.id = notice.account_id),
      substring(notice.title FROM '^[a-zA-Z]+://([^/?#]*)'))
    ELSE notice.title
  END AS title, ${deriveMicros('notice.began_at')} AS "beganMicros", ${deriveMicros('notice.ended_at')} AS "endedMicros"`;

export function loadNotices(db: Db, ids: readonly string[]): Promise<NoticeRow[]> {
  return allRows<NoticeRow>(db)`
    SELECT ${COLUMNS}
    FROM matter AS notice WHERE id = ANY (${plainArray(ids)}::bigint[])`;
}

export function countUnread(db: Db, wanted: Wanted, toldId: number): Promise<number> {
  return onlyValue<{ count: number }>(db)`
    SELECT count(*) AS count FROM (
      SELECT FROM matter AS notice
      WHERE ${isUnread(toldId)} AND ${isWanted(wanted)} LIMIT ${UNREAD_MAX}) AS unread`;
}

export type DigestRow = NoticeRow & {
  /** Includes notices that are not listed. */
  readonly total: number;
};

/** The first `eachMax` open notices of each event between two ids. Index: matter_pkey. */
export function loadDigest(
  db: Db,
  wanted: Wanted,
  { after, upTo, eachMax }: { readonly after: number; readonly upTo: number; readonly eachMax: number },
): Promise<DigestRow[]> {
  return allRows<DigestRow>(db)`
    SELECT * FROM (
      SELECT ${COLUMNS}, count(*) OVER (PARTITION BY kind) AS total, row_number() OVER (PARTITION BY kind ORDER BY id) AS place
      FROM matter AS notice WHERE ${isUnread(after)} AND id <= ${upTo}::bigint AND ${isWanted(wanted)}
    ) AS digest WHERE place <= ${eachMax}::integer ORDER BY id`;
}
