import { EVENT_RETENTION_DAYS } from '@keyport/contract/webhooks/events';
import { DELIVERY_STATUSES, type WebhookAttempt } from '@keyport/contract/webhooks/webhooks';
import { plainArray } from '../../db/engines/prepared.ts';
import { allRows, allValues, execute, firstRow, onlyRow, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros, microsText } from '../../db/timestamps.ts';
import { PLACE_BITS } from '../../events/event-id.ts';
import { positionText } from '../../stream-position.sql.ts';

const KEPT_FROM_MICROS = deriveMicros(`(statement_timestamp() - ${EVENT_RETENTION_DAYS} * interval '1 day')`);

type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type DeliveryRow = {
  readonly eventId: string;
  readonly type: string;
  readonly orderId: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: readonly WebhookAttempt[];
  readonly nextAttemptAtMicros: number | null;
};

const IS: Readonly<Record<DeliveryStatus, Sql<boolean>>> = {
  pending: sql`next_attempt_at IS NOT NULL`,
  delivered: sql`is_delivered`,
  failed: sql`next_attempt_at IS NULL AND NOT is_delivered`,
};

const STATUS = sql<DeliveryStatus>`CASE ${sql.join(
  DELIVERY_STATUSES.map((status) => sql`WHEN ${IS[status]} THEN ${sql.constant(status)}`),
  sql` `,
)} END`;

export type DeliveryFilter = {
  readonly endpoint: number;
  readonly status: DeliveryStatus | undefined;
  /** Selects only deliveries of these events, by their ids as PostgreSQL writes them. */
  readonly eventIds: readonly string[] | undefined;
  /** Selects only deliveries of older events. */
  readonly afterId: string | undefined;
};

/**
 * Reads the account's events since the order, because every order would pay for an index that leads from an order to its
 * events. Compares rows, so that no plan uses a different index. Index: event_account_ix.
 */
export function listEventsOf(
  db: Db,
  { orderId, accountId }: { readonly orderId: string; readonly accountId: string },
): Promise<string[]> {
  const firstId = sql`(
    SELECT ${sql.raw(microsText('created_at'))} << ${sql.constant(PLACE_BITS)} FROM "order" WHERE "order".id = ${orderId}::bigint
  )`;
  return allValues<{ id: string }>(db)`
    SELECT id::text FROM event
    WHERE (account_id, id) >= (${accountId}::uuid, ${firstId}) AND (account_id, id) <= (${accountId}::uuid, 9223372036854775807)
      AND order_id = ${orderId}::bigint`;
}

const matches = ({ endpoint, status, eventIds, afterId }: DeliveryFilter) => sql`
  endpoint = ${endpoint} AND ${status === undefined ? sql`true` : IS[status]}
  AND ${eventIds === undefined ? sql`true` : sql`event_id = ANY (${plainArray(eventIds)}::bigint[])`}
  AND ${afterId === undefined ? sql`true` : sql`event_id < ${afterId}::bigint`}`;

/** Newest event first. Index: webhook_delivery_pk. */
export function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<DeliveryRow[]> {
  return allRows<DeliveryRow>(db)`
    SELECT event_id::text AS "eventId", type, order_id::text AS "orderId", ${STATUS} AS status, coalesce(attempts, '[]') AS attempts,
      ${deriveMicros('next_attempt_at')} AS "nextAttemptAtMicros"
    FROM (
      SELECT * FROM webhook_delivery WHERE ${matches(filter)}
      ORDER BY event_id DESC LIMIT ${limit} OFFSET ${offset}
    ) AS delivery JOIN event ON event.id = delivery.event_id
    ORDER BY event_id DESC`;
}

export function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  return onlyValue<{ count: number }>(db)`
    SELECT count(*) AS count FROM webhook_delivery WHERE ${matches(filter)}`;
}

export function requeueDelivery(
  tx: Tx,
  endpoint: number,
  eventId: string,
): Promise<{ readonly type: string } | undefined> {
  return firstRow<{ type: string }>(tx)`
    UPDATE webhook_delivery SET next_attempt_at = statement_timestamp(), tries = 0, is_delivered = false
    FROM event WHERE endpoint = ${endpoint} AND event_id = ${eventId}::bigint AND event.id = event_id
    RETURNING type`;
}

export type ReplayRange = {
  readonly accountId: string;
  readonly types: readonly string[];
  readonly fromId: string;
  readonly toId: string;
};

/** Compares rows, so that no plan uses a different index. Index: event_account_ix. */
const inRange = ({ accountId, types, fromId, toId }: ReplayRange) => sql`
  (account_id, id) >= (${accountId}::uuid, ${fromId}::bigint) AND (account_id, id) <= (${accountId}::uuid, ${toId}::bigint)
  AND type <> 'webhook.test' AND (${[...types]}::text[] = '{*}' OR type = ANY (${[...types]}::text[]))`;

export function countReplayed(tx: Tx, range: ReplayRange, max: number): Promise<number> {
  return onlyValue<{ count: number }>(tx)`
    SELECT count(*) AS count
    FROM (SELECT FROM event WHERE ${inRange(range)} LIMIT ${max}) AS found`;
}

export function replayEvents(tx: Tx, endpoint: number, range: ReplayRange): Promise<number> {
  return onlyValue<{ count: number }>(tx)`
    WITH planned AS (
      INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at)
      SELECT ${endpoint}::bigint, id, statement_timestamp() FROM event WHERE ${inRange(range)} ORDER BY id
      ON CONFLICT (endpoint, event_id) DO UPDATE
      SET next_attempt_at = excluded.next_attempt_at, tries = 0, is_delivered = false RETURNING 1
    ), noted AS (
      UPDATE webhook_endpoint SET replayed_at = statement_timestamp() WHERE number = ${endpoint}
    )
    SELECT count(*) AS count FROM planned`;
}

export type ReplayState = {
  readonly isTested: boolean;
  /** A delivery of the last replay has had no attempt yet. */
  readonly isReplaying: boolean;
  /** Earlier events may have been deleted. */
  readonly keptFromMicros: number;
};

export function loadReplayState(tx: Tx, endpoint: number): Promise<ReplayState> {
  return onlyRow<ReplayState>(tx)`
    SELECT coalesce(tested_url = url, false) AS "isTested", EXISTS (
      SELECT FROM webhook_delivery WHERE webhook_delivery.endpoint = number AND NOT is_delivered AND next_attempt_at = replayed_at
    ) AS "isReplaying", ${KEPT_FROM_MICROS} AS "keptFromMicros" FROM webhook_endpoint WHERE number = ${endpoint}`;
}

/** Returns how many were deleted. Index: webhook_delivery_pk. */
export function deleteOldDeliveries(tx: Tx, limit: number): Promise<number> {
  return execute(tx)`
    DELETE FROM webhook_delivery WHERE (endpoint, event_id) IN (
      SELECT old.endpoint, old.event_id FROM webhook_endpoint
      CROSS JOIN LATERAL (
        SELECT endpoint, event_id FROM webhook_delivery
        WHERE endpoint = number AND event_id <= CASE WHEN deleted_at IS NULL THEN ${sql.raw(positionText('forgotten-event'))} ELSE 9223372036854775807 END
        ORDER BY event_id LIMIT ${limit}
      ) AS old LIMIT ${limit}
    )`;
}

export async function forgetDeletedEndpoints(tx: Tx): Promise<void> {
  await execute(tx)`
    DELETE FROM webhook_endpoint WHERE deleted_at < statement_timestamp() - interval '5 minutes'
      AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint = number)`;
}
