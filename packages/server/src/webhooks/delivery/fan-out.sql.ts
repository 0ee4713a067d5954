/** Locks the position, then queues by endpoint. */

import { execute, firstValue, onlyRow, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { microsOf } from '../../db/timestamps.ts';
import { PLACE_BITS } from '../../events/event-id.ts';

const eventMicros = (id: string) => sql.raw<number>(`(${id} >> ${PLACE_BITS})`);

/** Notifications are only hints. */
export const WEBHOOKS_CHANNEL = 'webhooks';

export async function notifyDeliveries(tx: Tx): Promise<void> {
  await execute(tx)`SELECT pg_notify(${WEBHOOKS_CHANNEL}, '')`;
}

/** Uses max(), since EXISTS would read the whole table. Index: event_pkey. */
export function hasNewEvents(db: Db): Promise<boolean> {
  return onlyValue<{ hasNew: boolean }>(db)`
    SELECT coalesce((SELECT max(id) FROM event) > event_id, false) AS "hasNew"
    FROM webhook_position`;
}

export function lockDeliveryPosition(tx: Tx): Promise<string | undefined> {
  return firstValue<{ eventId: string }>(tx)`
    SELECT event_id::text AS "eventId" FROM webhook_position FOR NO KEY UPDATE SKIP LOCKED`;
}

export type FanOutResult = { readonly events: number; readonly deliveries: number };

/** In commit order. A test event goes to its endpoint, regardless of the endpoint's types. */
export function fanOut(tx: Tx, afterId: string, limit: number): Promise<FanOutResult> {
  return onlyRow<FanOutResult>(tx)`
    WITH new_event AS MATERIALIZED (
      SELECT id, account_id, type, data FROM event WHERE id > ${afterId}::bigint ORDER BY id LIMIT ${limit}
    ), inserted AS (
      INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at)
      SELECT endpoint.number, new_event.id, statement_timestamp()
      FROM new_event JOIN webhook_endpoint AS endpoint USING (account_id)
      WHERE deleted_at IS NULL AND CASE new_event.type
        WHEN 'webhook.test' THEN disabled_reason IS NULL AND new_event.data ->> 'endpointId' = endpoint.id
        -- Events from before the endpoint was disabled wait until it is enabled.
        ELSE (types = '{*}' OR new_event.type = ANY (types))
          AND ${eventMicros('new_event.id')} >= ${microsOf('created_at')}
          AND (${eventMicros('new_event.id')} < ${microsOf('disabled_at')}
            OR (disabled_reason IS NULL AND ${eventMicros('new_event.id')} >= ${microsOf('enabled_at')})) END
      ON CONFLICT DO NOTHING RETURNING endpoint
    ), queue AS MATERIALIZED (
      -- Locked even if already due, so that a node releasing the queue sees the new deliveries.
      SELECT endpoint, due_at FROM webhook_queue WHERE endpoint IN (SELECT endpoint FROM inserted)
      ORDER BY endpoint FOR NO KEY UPDATE
    ), due AS (
      UPDATE webhook_queue SET due_at = statement_timestamp() FROM queue
      WHERE webhook_queue.endpoint = queue.endpoint AND (queue.due_at IS NULL OR queue.due_at > statement_timestamp())
    ), moved AS (
      UPDATE webhook_position SET event_id = (SELECT max(id) FROM new_event) WHERE EXISTS (SELECT FROM new_event)
    )
    SELECT (SELECT count(*) FROM new_event) AS events,
      (SELECT count(*) FROM inserted) AS deliveries`;
}

/** Seconds since the oldest event without deliveries, or 0. */
export async function loadFanOutLag(db: Db): Promise<number> {
  const lag = await onlyValue<{ lag: number }>(db)`
    SELECT coalesce(extract(epoch FROM statement_timestamp()) - (
      SELECT ${eventMicros('event.id')} FROM event WHERE id > webhook_position.event_id ORDER BY id LIMIT 1
    ) / 1000000.0, 0)::float8 AS lag FROM webhook_position`;
  return Math.max(0, lag);
}
