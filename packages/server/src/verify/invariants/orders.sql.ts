/** Invariants of docs/rules.md: orders, their lines and their status logs. How to add one: invariant.ts. */
import { decideTransition, isHeldFrom, ORDER_STATUSES } from '@keyport/core/order-status';
import { type Invariant, MADE_HERE } from '../invariant.ts';

/** Rows of SQL: from, to. An order begins as pending; a held one may continue from wherever an order can be held. */
const LEGAL_STEPS = ORDER_STATUSES.flatMap((from) =>
  ORDER_STATUSES.filter((to) =>
    (from === 'held' ? ORDER_STATUSES.filter(isHeldFrom) : [null]).some(
      (heldFrom) => decideTransition({ status: from, heldFrom }, to).ok,
    ),
  ).map((to) => `('${from}', '${to}')`),
).concat("('none', 'pending')");

/** Longer than an order's transaction can take: its time is that of the beginning, its price that of the locked offer. */
const PLACING_TAKES = `interval '10 seconds'`;

/**
 * Lines of orders that are in the log of their offer, with each state that the offer was in while the order was placed. The
 * log began when the database learned to keep it; older orders cannot be looked at. Of a time that the clock said twice
 * (A221), any state will do.
 */
const LOGGED_LINE = `(SELECT offer_id, min(at) AS begun_at FROM offer_log GROUP BY offer_id) AS log
    JOIN order_item ON order_item.offer_id = log.offer_id
    JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api' AND created_at >= begun_at`;

function linesWithoutOfferThat(condition: string): string {
  return `WITH period AS (
      SELECT offer_id, price_minor, status, at, coalesce(lead(at) OVER (PARTITION BY offer_id ORDER BY id), 'infinity') AS until
      FROM offer_log
    )
    SELECT 'item ' || order_item.id || ' of offer ' || order_item.offer_id AS broken FROM ${LOGGED_LINE}
    WHERE NOT EXISTS (SELECT FROM period WHERE period.offer_id = order_item.offer_id AND ${condition}
      AND (clock_said_twice(created_at)
        OR period.at <= created_at + ${PLACING_TAKES} AND period.until >= created_at))`;
}

export const ORDER_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I13',
    title: "an order's total is the sum of its lines less the discount",
    population: '"order"',
    query: `SELECT 'order ' || "order".id AS broken FROM "order" LEFT JOIN order_item ON order_item.order_id = "order".id
      GROUP BY "order".id
      HAVING total_price_minor IS DISTINCT FROM sum(unit_price_minor * quantity_ordered) - discount_minor`,
  },
  {
    id: 'I14',
    title: 'quantities of a line are within their bounds and agree with the status',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id || ' of order ' || "order".id || ', which is ' || status AS broken
      FROM order_item JOIN "order" ON "order".id = order_item.order_id
      WHERE NOT (quantity_ordered BETWEEN 1 AND 25 AND quantity_shipped BETWEEN 0 AND quantity_ordered
          AND quantity_invoiced BETWEEN 0 AND quantity_ordered AND quantity_refunded BETWEEN 0 AND quantity_invoiced)
        OR (origin = 'export-api' AND NOT CASE
          WHEN status = 'complete' THEN quantity_invoiced = quantity_ordered
            AND quantity_shipped + quantity_refunded >= quantity_ordered AND quantity_refunded < quantity_ordered
          WHEN status = 'closed' THEN quantity_invoiced = quantity_ordered AND quantity_refunded = quantity_ordered
          WHEN status = 'processing' OR held_from = 'processing'
            THEN quantity_invoiced = quantity_ordered AND quantity_shipped = 0 AND quantity_refunded = 0
          ELSE quantity_invoiced = 0 AND quantity_shipped = 0 END)`,
  },
  {
    id: 'I15',
    title: 'the unit price never exceeds the maxPrice of the request',
    population: 'order_item WHERE max_price_minor IS NOT NULL',
    query: `SELECT 'item ' || order_item.id AS broken FROM order_item JOIN "order" ON "order".id = order_item.order_id
      WHERE unit_price_minor > max_price_minor OR (origin = 'export-api' AND max_price_minor IS NULL)`,
  },
  {
    id: 'I16',
    title: 'the status log is a legal path that ends in the present status',
    population: 'order_status_log',
    // Few paths differ, so each is judged once: "none pending processing complete / complete complete" is an order that was
    // delivered at once and refunded in part later. Every row of the log says where it begins.
    query: `WITH path AS (
        SELECT order_id,
          string_agg(concat_ws(' ', coalesce(from_status, 'none'), array_to_string(via || to_status, ' ')), ' / ' ORDER BY id)
            AS steps
        FROM order_status_log GROUP BY order_id
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
      SELECT 'order ' || "order".id || ' (' || status || '): ' || coalesce(path.steps, 'no status log') AS broken
      FROM "order" LEFT JOIN path ON path.order_id = "order".id
      WHERE path.steps IS NULL OR (origin = 'export-api' AND (path.steps NOT LIKE '% ' || status
        OR path.steps NOT LIKE '% ' || held_from || ' held' OR path.steps IN (SELECT steps FROM illegal)))`,
  },
  {
    id: 'I17',
    title: 'order ids made here have 16 digits',
    population: MADE_HERE,
    query: `SELECT 'order ' || id AS broken FROM "order" WHERE origin = 'export-api' AND length(id::text) <> 16`,
  },
  {
    id: 'I18',
    title: 'no order of an excluded product',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id AS broken FROM order_item
      JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api'
      JOIN product ON product.id = order_item.product_id
      WHERE checkout_class <> 'standard' AND NOT EXISTS (SELECT FROM audit_entry
        WHERE (action = 'import.products' OR (action = 'product.put' AND data ->> 'id' = product.id::text))
          AND (audit_entry.at > "order".created_at OR clock_said_twice("order".created_at)))`,
  },
  {
    id: 'I19',
    title: 'no order was created in the future',
    population: '"order"',
    // Time alone repairs it, so it says for how long.
    query: `SELECT 'order ' || id || ' was created at ' || created_at || ', which the clock of the database has not reached: it '
        || 'was ahead when the order was placed, or is behind now. The order is sound, and time catches up with it in '
        || ceil(extract(epoch FROM created_at - clock_timestamp())) || ' s' AS broken
      FROM "order" WHERE created_at > clock_timestamp()`,
  },
  {
    id: 'I28',
    title: 'nothing was sold from an offer while it was paused',
    population: LOGGED_LINE,
    query: linesWithoutOfferThat(`period.status = 'active'`),
  },
  {
    id: 'I55',
    title: "the unit price was the offer's price at that moment",
    population: LOGGED_LINE,
    query: linesWithoutOfferThat('period.price_minor = unit_price_minor'),
  },
  {
    id: 'I49',
    title: 'an order made here has one line, numbered after it, of a product and seller of its offer',
    population: MADE_HERE,
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      LEFT JOIN order_item ON order_item.order_id = "order".id
      LEFT JOIN offer ON offer.id = order_item.offer_id
      WHERE origin = 'export-api' GROUP BY "order".id
      HAVING count(*) <> 1 OR bool_or(order_item.id IS DISTINCT FROM "order".id * 100 + 1
        OR (offer.product_id, offer.seller_id) IS DISTINCT FROM (order_item.product_id, order_item.seller_id))`,
  },
  {
    id: 'I50',
    title: 'an order has a time of completion exactly when it was complete once',
    population: MADE_HERE,
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      WHERE origin = 'export-api' AND (completed_at < created_at OR (completed_at IS NOT NULL) <> (
        status = 'complete' OR (status = 'closed' AND EXISTS (SELECT FROM order_status_log AS log
          WHERE log.order_id = "order".id AND 'complete' = ANY(log.via || log.to_status)))))`,
  },
];
