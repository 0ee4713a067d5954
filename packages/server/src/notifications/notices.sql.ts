import type { NotificationEvent } from '@keyport/contract/operators/notifications';
import { plainArray } from '../db/engines/prepared.ts';
import { type List, numberKey } from '../db/keyset.sql.ts';
import { allRows, execute, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { microsOf } from '../db/timestamps.ts';

const KEPT = sql`interval '30 days'`;
const UNREAD_MAX = 1_000;
/** As in the list of what needs attention. */
const SCARCE_MAX = 5_000;
const amountOf = (column: string) => sql.raw(`to_char(${column} / 100.0, 'FM999999999999990.00')`);

/** Per kind; the next round continues. */
const BEGUN_MAX = 200;
const ENDED_MAX = 1_000;

/**
 * Endpoints are named by host: URLs may hold secrets. Indexes: order_status_ix, approval_pending_ix,
 * claim_open_ix, incident_open_uq, scarce_offer_sold_ix.
 */
const currentOf = (lowStockUnits: number, tailOf: (event: string, subject: string) => Sql) => sql`
  (SELECT 'held-order' AS event, "order".id::text AS subject, account_id,
    concat_ws(', ', "order".id, account.name, currency || ' ' || ${amountOf('total_price_minor')}) AS title
  FROM "order" JOIN account ON account.id = account_id WHERE "order".status = 'held' AND origin = 'export-api'
    ${tailOf("'held-order'", '"order".id::text')})
  UNION ALL
  (SELECT 'approval', approval.id::text, account_id,
    concat_ws(', ', account.name, 'EUR ' || ${amountOf('amount_minor')})
  FROM approval JOIN account ON account.id = account_id WHERE approval.status = 'pending'
    ${tailOf("'approval'", 'approval.id::text')})
  UNION ALL
  (SELECT 'claim', claim.id, account_id, concat_ws(', ', order_id, account.name, reason)
  FROM claim JOIN account ON account.id = account_id WHERE claim.status = 'open' ${tailOf("'claim'", 'claim.id')})
  UNION ALL
  (SELECT incident.kind, incident.subject, incident.account_id, CASE kind WHEN 'invariant' THEN incident.title
    ELSE concat_ws(', ', account.name, substring(incident.title FROM '^[a-zA-Z]+://([^/?#]*)')) END
  FROM incident LEFT JOIN account ON account.id = account_id
  WHERE incident.ended_at IS NULL AND kind IN ('endpoint', 'invariant')
    ${tailOf('incident.kind', 'incident.subject')})
  UNION ALL
  (SELECT 'low-stock', offer.id::text, NULL,
    concat_ws(', ', product.name, seller.name, available_text + available_image || ' left')
  FROM (SELECT offer_id FROM scarce_offer ORDER BY sold_at DESC LIMIT ${SCARCE_MAX}) AS recent
    JOIN offer ON offer.id = offer_id JOIN product ON product.id = product_id JOIN seller ON seller.id = seller_id
  WHERE offer.status = 'active' AND available_text + available_image <= ${lowStockUnits}::integer
    ${tailOf("'low-stock'", 'offer.id::text')})`;

/** One node at a time, so ids have the order of commits. Index: operator_notice_open_uq. */
export async function beginNotices(tx: Tx, lowStockUnits: number): Promise<void> {
  if (!(await lockNotices(tx))) return;
  const isNew = (event: string, subject: string) => sql`AND NOT EXISTS (
    SELECT FROM operator_notice AS open
    WHERE open.event = ${sql.raw(event)} AND open.subject = ${sql.raw(subject)} AND open.ended_at IS NULL)
    LIMIT ${BEGUN_MAX}`;
  await execute(tx)`
    INSERT INTO operator_notice (event, subject, account_id, title) ${currentOf(lowStockUnits, isNew)}`;
}

/** Indexes: operator_notice_open_uq, operator_notice_ended_ix. */
export async function endNotices(tx: Tx, lowStockUnits: number): Promise<void> {
  if (!(await lockNotices(tx))) return;
  await execute(tx)`
    UPDATE operator_notice SET ended_at = statement_timestamp() WHERE id IN (
      SELECT id FROM operator_notice AS open WHERE open.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM (${currentOf(lowStockUnits, () => sql``)}) AS current
        WHERE current.event = open.event AND current.subject = open.subject)
      LIMIT ${ENDED_MAX})`;
  await execute(tx)`
    DELETE FROM operator_notice WHERE id IN (
      SELECT id FROM operator_notice
      WHERE ended_at < statement_timestamp() - ${KEPT} LIMIT ${ENDED_MAX})`;
}

function lockNotices(tx: Tx): Promise<boolean> {
  return onlyValue<{ isLocked: boolean }>(tx)`
    SELECT pg_try_advisory_xact_lock(hashtextextended('keyport/notices', 0)) AS "isLocked"`;
}

export type Wanted = {
  readonly events: readonly NotificationEvent[];
  readonly approvalIds: readonly string[];
};

const isWanted = ({ events, approvalIds }: Wanted) => sql`notice.event = ANY (${plainArray(events)}::text[])
  AND (notice.event <> 'approval' OR notice.subject = ANY (${plainArray(approvalIds)}::text[]))`;

const isUnread = (toldId: number) => sql`notice.id > ${toldId}::bigint AND notice.ended_at IS NULL`;

/** Newest first. Index: operator_notice_pkey. */
export function noticesList(wanted: Wanted, unreadAfter: number | undefined): List {
  return {
    from: sql`operator_notice AS notice`,
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

const COLUMNS: Sql = sql`notice.id, notice.event, notice.subject, notice.account_id AS "accountId",
  notice.title, ${microsOf('notice.began_at')} AS "beganMicros", ${microsOf('notice.ended_at')} AS "endedMicros"`;

export function loadNotices(db: Db, ids: readonly string[]): Promise<NoticeRow[]> {
  return allRows<NoticeRow>(db)`
    SELECT ${COLUMNS}
    FROM operator_notice AS notice WHERE id = ANY (${plainArray(ids)}::bigint[])`;
}

export function countUnread(db: Db, wanted: Wanted, toldId: number): Promise<number> {
  return onlyValue<{ count: number }>(db)`
    SELECT count(*) AS count FROM (
      SELECT FROM operator_notice AS notice
      WHERE ${isUnread(toldId)} AND ${isWanted(wanted)} LIMIT ${UNREAD_MAX}) AS unread`;
}

export type DigestRow = NoticeRow & {
  /** Includes notices that are not listed. */
  readonly total: number;
};

/** The first `eachMax` open notices of each event between two ids. Index: operator_notice_pkey. */
export function loadDigest(
  db: Db,
  wanted: Wanted,
  { after, upTo, eachMax }: { readonly after: number; readonly upTo: number; readonly eachMax: number },
): Promise<DigestRow[]> {
  return allRows<DigestRow>(db)`
    SELECT * FROM (
      SELECT ${COLUMNS}, count(*) OVER (PARTITION BY event) AS total, row_number() OVER (PARTITION BY event ORDER BY id) AS place
      FROM operator_notice AS notice WHERE ${isUnread(after)} AND id <= ${upTo}::bigint AND ${isWanted(wanted)}
    ) AS digest WHERE place <= ${eachMax}::integer ORDER BY id`;
}
