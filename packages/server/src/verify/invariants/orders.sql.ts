import { decideTransition, isHeldFrom, ORDER_STATUSES } from '@keyport/core/orders/order-status';
import { PLACED_STATUSES, placedPath } from '@keyport/core/orders/placed-order';
import type { Invariant } from '../invariant.ts';

/** SQL rows (from, to). */
const LEGAL_STEPS = ORDER_STATUSES.flatMap((from) =>
  ORDER_STATUSES.filter((to) =>
    (from === 'held' ? ORDER_STATUSES.filter(isHeldFrom) : [null]).some(
      (heldFrom) => decideTransition({ status: from, heldFrom }, to).ok,
    ),
  ).map((to) => `('${from}', '${to}')`),
).concat("('none', 'pending')");

const FIRST_STATUS = '(array_agg(from_status ORDER BY id))[1]';

const PLACED_STEPS = `'none ' || CASE placed
  ${PLACED_STATUSES.map((status) => `WHEN '${status}' THEN '${placedPath(status).join(' ')}'`).join(' ')} ELSE placed END`;

/** Longer than any order's transaction. */
const PLACING_TAKES = `interval '10 seconds'`;

/** Orders older than the log cannot be checked. */
const LOGGED_ORDER = `(SELECT offer_id, min(at) AS begun_at FROM offer_log GROUP BY offer_id) AS log
    JOIN (
      SELECT "order".id, "order".offer_id, "order".unit_price_minor,
        coalesce(reserved_at, "order".created_at + coalesce(moved, interval '0')) AS created_at
      FROM "order" LEFT JOIN reservation ON number = "order".reservation
    ) AS "order" ON "order".offer_id = log.offer_id AND created_at >= begun_at`;

export const ORDER_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I13',
    title:
      'the total of an order is the sum of its lines less the discount; an order made here is in EUR, at a unit price up to its maxPrice',
    population: '"order"',
    query: `SELECT 'order ' || id AS broken FROM "order"
      WHERE origin = 'export-api' AND (total_price_minor IS DISTINCT FROM unit_price_minor * quantity_ordered - discount_minor
        OR unit_price_minor > max_price_minor OR (currency, decimals) <> ('EUR', 2))
      UNION ALL
      SELECT 'order ' || "order".id FROM "order" LEFT JOIN imported_item ON imported_item.order_id = "order".id
      WHERE origin = 'imported' GROUP BY "order".id
      HAVING total_price_minor IS DISTINCT FROM sum(imported_item.unit_price_minor * imported_item.quantity_ordered) - discount_minor`,
  },
  {
    id: 'I14',
    title:
      'the quantities of an order agree with its status, and it has a completion time if it was ever complete',
    query: `SELECT 'order ' || id || ', which is ' || status AS broken FROM "order"
      WHERE origin = 'export-api' AND (completed_at < created_at
        OR (completed_at IS NOT NULL) <> (status = 'complete' OR (status = 'closed' AND EXISTS (
          SELECT FROM order_status_log AS log
          WHERE log.order_id = "order".id AND 'complete' = ANY(log.from_status || log.via || log.to_status))))
        OR CASE
          WHEN status = 'complete' THEN quantity_invoiced = quantity_ordered
            AND quantity_shipped + quantity_refunded >= quantity_ordered AND quantity_refunded < quantity_ordered
          WHEN status = 'closed' THEN quantity_invoiced = quantity_ordered AND quantity_refunded = quantity_ordered
          WHEN status = 'processing' OR held_from = 'processing'
            THEN quantity_invoiced = quantity_ordered AND quantity_shipped = 0 AND quantity_refunded = 0
          ELSE quantity_invoiced = 0 AND quantity_shipped = 0 END IS NOT TRUE)`,
  },
  {
    id: 'I16',
    title: 'the status log has only allowed transitions and ends in the current status',
    population: '"order"',
    // Checks each path once, since there are few.
    query: `WITH log AS (
        SELECT order_id, ${FIRST_STATUS} AS placed,
          string_agg(concat_ws(' ', coalesce(from_status, 'none'), array_to_string(via || to_status, ' ')), ' / ' ORDER BY id)
            AS steps
        FROM order_status_log GROUP BY order_id
      ), path AS MATERIALIZED (
        SELECT id, origin, status, held_from,
          CASE origin WHEN 'imported' THEN steps ELSE concat_ws(' / ', ${PLACED_STEPS}, steps) END AS steps
        FROM (SELECT id, origin, status, held_from, steps, coalesce(placed, status) AS placed
          FROM "order" LEFT JOIN log ON log.order_id = "order".id) AS logged
      ), word AS (
        SELECT steps, place, word, lag(word) OVER (PARTITION BY steps ORDER BY place) AS before
        FROM (SELECT DISTINCT steps FROM path) AS kind, string_to_table(steps, ' ') WITH ORDINALITY AS part (word, place)
      ), step AS (
        SELECT steps, before AS from_status, word AS to_status, lag(word) OVER (PARTITION BY steps ORDER BY place) AS previous
        FROM word WHERE before <> '/' AND word <> '/'
      ), illegal AS (
        SELECT DISTINCT steps FROM step
        WHERE from_status <> coalesce(previous, 'none')
          OR (from_status, to_status) NOT IN (VALUES ${LEGAL_STEPS.join(', ')})
      )
      SELECT 'order ' || id || ' (' || status || '): ' || coalesce(steps, 'no status log') AS broken FROM path
      WHERE steps IS NULL OR (origin = 'export-api' AND (steps NOT LIKE '% ' || status
        OR steps NOT LIKE '% ' || held_from || ' held' OR steps IN (SELECT steps FROM illegal)))`,
  },
  {
    id: 'I18',
    title: 'no order is for an excluded product, unless the product changed later',
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      JOIN offer ON offer.id = "order".offer_id
      JOIN product ON product.id = offer.product_id
      WHERE checkout_class <> 'standard'
        AND "order".reservation IS NULL
        AND NOT EXISTS (SELECT FROM audit_entry
        WHERE action = 'product.put' AND data ->> 'id' = product.id::text
          AND (audit_entry.at > "order".created_at))
        AND NOT EXISTS (SELECT FROM import_run
          WHERE kind = 'products' AND NOT dry_run
            AND (held_until > "order".created_at))`,
  },
  {
    id: 'I19',
    title: 'no order was created in the future',
    population: '"order"',
    // This violation ends only with time.
    query: `SELECT 'order ' || id || ' was created at ' || created_at || ', which the database clock has not reached: the clock '
        || 'was ahead when the order was placed, or is behind now. The order is valid, and the violation ends in '
        || ceil(extract(epoch FROM created_at - clock_timestamp())) || ' s' AS broken
      FROM "order" WHERE created_at > clock_timestamp()`,
  },
  {
    id: 'I28',
    title: 'the offer of an order was active, at the unit price of the order, when it was placed or reserved',
    population: LOGGED_ORDER,
    query: `WITH period AS (
        SELECT offer_id, price_minor, status, at, coalesce(lead(at) OVER (PARTITION BY offer_id ORDER BY id), 'infinity') AS until
        FROM offer_log
      )
      SELECT 'order ' || "order".id || ' of offer ' || "order".offer_id AS broken FROM ${LOGGED_ORDER}
      WHERE NOT EXISTS (SELECT FROM period WHERE period.offer_id = "order".offer_id
        AND period.status = 'active' AND period.price_minor = unit_price_minor
        AND (period.at <= created_at + ${PLACING_TAKES} AND period.until >= created_at))`,
  },
  {
    id: 'I77',
    title: 'the status in which an order was placed agrees with its payment, units and hold reason',
    // A replay is built from this status (A41).
    query: `SELECT 'order ' || id || ', placed as ' || placed AS broken FROM (
        SELECT "order".*, coalesce(log.placed, status) AS placed FROM "order" LEFT JOIN (
          SELECT order_id, ${FIRST_STATUS} AS placed FROM order_status_log GROUP BY order_id) AS log ON log.order_id = "order".id
        WHERE origin = 'export-api') AS placed
      WHERE (placed = 'pending_payment') <> (payment_method = 'gateway' AND total_price_minor > 0)
        OR (placed <> 'pending_payment' AND (placed = 'closed') <> (first_unit IS NULL))
        OR (placed = 'held' AND hold_reason IS NULL) OR (placed = 'complete' AND hold_reason IS NOT NULL)
        OR image_refunded <> (status = 'closed' AND first_unit IS NULL)`,
  },
];
