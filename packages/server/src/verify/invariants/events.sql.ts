import { microsText } from '../../db/timestamps.ts';
import { positionText, stampText } from '../../stream-position.sql.ts';
import type { Invariant } from '../invariant.ts';

const READ_UNTIL = positionText('event');
const FORGOTTEN_ID = positionText('forgotten-event');

/** Orders whose events are all written and kept. */
const REPORTED = `SELECT "order".* FROM "order"
  WHERE origin = 'export-api' AND ${microsText('created_at')} << 10 > ${FORGOTTEN_ID} AND "order".id NOT IN (
    SELECT unnest(order_ids) FROM change_log WHERE stamp > ${stampText(READ_UNTIL)}
    UNION ALL
    SELECT (noted ->> 'orderId')::bigint FROM change_log CROSS JOIN jsonb_array_elements(events) AS noted
    WHERE stamp > ${stampText(READ_UNTIL)} AND noted ? 'orderId')`;

export const EVENT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I90',
    title: 'every status that an order reached has an event, and there are no other status events',
    population: `event WHERE type LIKE 'order.%'`,
    query: `WITH told AS (${REPORTED}), step AS (
        SELECT told.id, coalesce(first.from_status, told.status) AS status FROM told
        LEFT JOIN (SELECT DISTINCT ON (order_id) order_id, from_status FROM order_status_log ORDER BY order_id, id) AS first
          ON first.order_id = told.id
        UNION ALL
        SELECT order_id, to_status FROM order_status_log JOIN told ON told.id = order_id
        WHERE from_status <> to_status AND to_status <> 'pending'
      ), happened AS (
        SELECT id, 'order.' || status AS type, count(*) AS times FROM step GROUP BY 1, 2
      ), event_count AS (
        SELECT order_id AS id, type, count(*) AS times FROM event JOIN told ON told.id = order_id
        WHERE type NOT IN ('order.refunded', 'order.keys_expiring') GROUP BY 1, 2
      )
      SELECT 'order ' || id || ': ' || coalesce(event_count.times, 0) || ' events ' || type || ' instead of '
        || coalesce(happened.times, 0) AS broken
      FROM happened FULL JOIN event_count USING (id, type)
      WHERE happened.times IS DISTINCT FROM event_count.times`,
  },
  {
    id: 'I91',
    title: 'refund events add up to the refunded amount',
    population: `event WHERE type = 'order.refunded'`,
    query: `WITH told AS (${REPORTED}), booked AS (
        SELECT order_id AS id, sum(amount_minor) AS minor FROM ledger_transfer WHERE kind = 'refund' GROUP BY 1
      ), event_sum AS (
        SELECT order_id AS id, sum((data #>> '{refund,amountMinor}')::bigint) AS minor FROM event
        WHERE type = 'order.refunded' GROUP BY 1
      )
      SELECT 'order ' || id || ': ' || coalesce(event_sum.minor, 0) || ' instead of ' || coalesce(booked.minor, 0) AS broken
      FROM told LEFT JOIN booked USING (id) LEFT JOIN event_sum USING (id)
      WHERE coalesce(booked.minor, 0) <> coalesce(event_sum.minor, 0)`,
  },
  {
    id: 'I92',
    title:
      'events are after the deleted ones, not after the position in the log, and of the account of their order',
    population: 'event',
    query: `SELECT 'event ' || event.id AS broken FROM event LEFT JOIN "order" ON "order".id = order_id
      WHERE event.id <= ${FORGOTTEN_ID} OR event.id >> 10 > ${READ_UNTIL}
        OR (type LIKE 'order.%') IS DISTINCT FROM ("order".id IS NOT NULL) OR "order".account_id <> event.account_id
      UNION ALL
      SELECT 'the position is ahead of the log'
      WHERE ${READ_UNTIL} > (SELECT ${microsText('max(stamp)')} FROM change_log)
      UNION ALL
      SELECT 'order ' || order_id || ' has ' || count(*) || ' events order.keys_expiring' FROM event
      WHERE type = 'order.keys_expiring' GROUP BY order_id HAVING count(*) > 1`,
  },
];
