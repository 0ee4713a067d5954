/** Events follow change_log in commit order. Ids are text, because they exceed 2^53. */
import { EVENT_RETENTION_DAYS } from '@keyport/contract/webhooks/events';
import { must } from '@keyport/core/assert';
import type { EventType } from '@keyport/core/events';
import { prepareStatement, type Session } from '../db/engines/prepared.ts';
import { allValues, firstRow, onlyRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { microsText } from '../db/timestamps.ts';
import { positionText, stampText } from '../stream-position.sql.ts';
import { PLACE_BITS } from './event-id.ts';

/** The first id of a transaction with this stamp. */
function firstIdText(stamp: string): string {
  return `(${microsText(stamp)} << ${PLACE_BITS})`;
}

/** The last id up to this position in the log. */
function lastIdText(micros: string): string {
  return `((${micros} << ${PLACE_BITS}) + ${2 ** PLACE_BITS - 1})`;
}

/** The position up to which changes are in events, in microseconds. */
const READ_UNTIL = positionText('event');
/** Events up to this id were deleted. */
const FORGOTTEN_ID = positionText('forgotten-event');

function microsOfId(id: string): string {
  return `(${id} >> ${PLACE_BITS})`;
}

const RETENTION = `${EVENT_RETENTION_DAYS} * interval '1 day'`;

export type EventPosition = {
  /** Events up to this id are written. */
  readonly lastId: string;
  readonly hasUnread: boolean;
};

/** Uses max(), because EXISTS would read the whole table. Index: change_log_pkey. */
export function loadPosition(db: Db): Promise<EventPosition> {
  return onlyRow<EventPosition>(db)`
    SELECT ${sql.raw(lastIdText('position'))}::text AS "lastId",
      coalesce((SELECT max(stamp) FROM change_log) > ${sql.raw(stampText('position'))}, false) AS "hasUnread"
    FROM stream_position WHERE stream = 'event'`;
}

/** Age of the oldest unread change, or 0. Index: change_log_pkey. */
export function loadLagSeconds(db: Db): Promise<number> {
  return onlyValue<{ age: number }>(db)`
    SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(stamp))), 0)::double precision AS age
    FROM change_log WHERE stamp > ${sql.raw(stampText(READ_UNTIL))}`;
}

const LOCK_POSITION = prepareStatement<{ readonly readUntilMicros: number }>(
  'lock_event_position',
  `SELECT position AS "readUntilMicros" FROM stream_position WHERE stream = 'event' FOR NO KEY UPDATE SKIP LOCKED`,
);

/** Undefined while another transaction holds the lock. */
export async function lockPosition(
  session: Session,
): Promise<{ readonly readUntilMicros: number } | undefined> {
  const [position] = await LOCK_POSITION.send(session, []);
  return position;
}

// An event and its deliveries to webhook endpoints are written together. Indexes: change_log_pkey, webhook_endpoint_account_ix.
const WRITE_EVENTS = prepareStatement<{ readonly changes: number; readonly lastId: string | null }>(
  'write_events',
  `WITH change AS MATERIALIZED (
      SELECT stamp, order_ids, account_ids, events, ${firstIdText('stamp')} AS first_id
      FROM change_log WHERE stamp > ${stampText('$1::bigint')} ORDER BY stamp LIMIT $2::bigint
    ), written AS (
      INSERT INTO event (id, account_id, type, order_id, data)
      SELECT first_id + place - 1, account_id, 'order.complete', order_id, NULL::jsonb
      FROM change
      CROSS JOIN LATERAL unnest(order_ids, account_ids) WITH ORDINALITY AS placed (order_id, account_id, place)
      UNION ALL
      SELECT first_id + cardinality(order_ids) + place - 1, "accountId", type, "orderId", data
      FROM change CROSS JOIN LATERAL ROWS FROM (
        jsonb_to_recordset(events) AS (type text, "accountId" uuid, "orderId" bigint, data jsonb)
      ) WITH ORDINALITY AS noted (type, "accountId", "orderId", data, place)
      WHERE events IS NOT NULL
      RETURNING id, account_id, type, data
    ), delivery AS (
      INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at)
      SELECT endpoint.number, written.id, statement_timestamp()
      FROM written JOIN webhook_endpoint AS endpoint USING (account_id)
      WHERE deleted_at IS NULL AND CASE written.type
        -- Regardless of the endpoint's types.
        WHEN 'webhook.test' THEN disabled_reason IS NULL AND written.data ->> 'endpointId' = endpoint.id
        -- Events from before the endpoint was disabled wait until it is enabled.
        ELSE (types = '{*}' OR written.type = ANY (types))
          AND ${microsOfId('written.id')} >= ${microsText('created_at')}
          AND (${microsOfId('written.id')} < ${microsText('disabled_at')}
            OR (disabled_reason IS NULL AND ${microsOfId('written.id')} >= ${microsText('enabled_at')})) END
    ), moved AS (
      UPDATE stream_position SET position = (SELECT ${microsText('max(stamp)')} FROM change)
      WHERE stream = 'event' AND EXISTS (SELECT FROM change)
      RETURNING ${lastIdText('position')} AS last_id
    )
    SELECT (SELECT count(*) FROM change) AS changes, (SELECT last_id::text FROM moved) AS "lastId"`,
);

export type WrittenEvents = { readonly changes: number; readonly lastId: string | null };

/** Changes are in commit order, so none can appear before a change that was already read. */
export async function writeEvents(
  session: Session,
  { readUntilMicros, limit }: { readonly readUntilMicros: number; readonly limit: number },
): Promise<WrittenEvents> {
  const [written] = await WRITE_EVENTS.send(session, [readUntilMicros, limit]);
  return must(written, 'a count');
}

export type EventRow = {
  readonly id: string;
  readonly type: EventType;
  readonly accountId: string;
  readonly orderId: string | null;
  readonly data: unknown;
};

const COLUMNS = sql`id::text, type, account_id AS "accountId", order_id::text AS "orderId", data`;

/** Index: event_pkey. */
export function listAccountsWithEvents(
  db: Db,
  { afterId, throughId }: { readonly afterId: string; readonly throughId: string },
): Promise<string[]> {
  return allValues<{ account_id: string }>(db)`
    SELECT DISTINCT account_id FROM event
    WHERE id > ${afterId}::bigint AND id <= ${throughId}::bigint`;
}

export type EventPage = {
  readonly epoch: string;
  readonly lastId: string;
  readonly forgottenId: string;
  /** The number of events read, of any type. */
  readonly scanned: number;
  readonly scannedId: string | null;
  readonly events: readonly EventRow[];
};

export type EventFilter = {
  readonly accountId: string;
  readonly afterId: string;
  readonly types: readonly EventType[] | undefined;
  readonly scanLimit: number;
  readonly limit: number;
};

/** Compares row values, so that no plan uses a different index. Index: event_account_ix. */
export function loadEventPage(db: Db, filter: EventFilter): Promise<EventPage> {
  const { accountId, afterId, types, scanLimit, limit } = filter;
  const isWanted = types === undefined ? sql`true` : sql`type = ANY (${[...types]}::text[])`;
  return onlyRow<EventPage>(db)`
    WITH scanned AS MATERIALIZED (
      SELECT * FROM event
      WHERE (account_id, id) > (${accountId}::uuid, ${afterId}::bigint)
        AND (account_id, id) <= (${accountId}::uuid, 9223372036854775807)
      ORDER BY account_id, id LIMIT ${scanLimit}
    )
    SELECT catalogue_epoch AS epoch, ${sql.raw(lastIdText(READ_UNTIL))}::text AS "lastId",
      ${sql.raw(FORGOTTEN_ID)}::text AS "forgottenId",
      (SELECT count(*) FROM scanned) AS scanned, (SELECT max(id)::text FROM scanned) AS "scannedId",
      (SELECT coalesce(json_agg(wanted), '[]') FROM (
        SELECT ${COLUMNS} FROM scanned WHERE ${isWanted} ORDER BY scanned.id LIMIT ${limit}
      ) AS wanted) AS events
    FROM installation`;
}

/** Index: event_pkey. */
export function findEvent(
  db: Db,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<EventRow | undefined> {
  return firstRow<EventRow>(db)`
    SELECT ${COLUMNS} FROM event WHERE id = ${id}::bigint AND account_id = ${accountId}::uuid`;
}

/** An array, because the planner would read the whole table for a subquery. */
export function forgetEvents(tx: Tx, limit: number): Promise<number> {
  return onlyValue<{ deleted: number }>(tx)`
    WITH deleted AS (
      DELETE FROM event WHERE id = ANY (ARRAY (
        SELECT id FROM event
        WHERE id < ${sql.raw(firstIdText(`statement_timestamp() - ${RETENTION}`))}
        ORDER BY id LIMIT ${limit}
      )) RETURNING id
    ), moved AS (
      UPDATE stream_position SET position = greatest(position, (SELECT max(id) FROM deleted))
      WHERE stream = 'forgotten-event' AND EXISTS (SELECT FROM deleted)
    )
    SELECT count(*) AS deleted FROM deleted`;
}
