/** Invariants of docs/invariants.md: orders, their lines and their status logs. How to add one: invariant.ts. */
import { type Invariant, MADE_HERE } from '../invariant.ts';

export const ORDER_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I13',
    title: "an order's total is the sum of its lines less the discount",
    scope: 'order',
    population: '"order"',
    query: `SELECT 'order ' || "order".id AS broken FROM "order" LEFT JOIN order_item ON order_item.order_id = "order".id
      GROUP BY "order".id
      HAVING total_price_minor IS DISTINCT FROM sum(unit_price_minor * quantity_ordered) - discount_minor`,
  },
  {
    id: 'I14',
    title: 'quantities of a line are within their bounds and agree with the status',
    scope: 'order',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id || ' of a ' || status || ' order' AS broken
      FROM order_item JOIN "order" ON "order".id = order_item.order_id
      WHERE NOT (quantity_ordered BETWEEN 1 AND 25 AND quantity_shipped BETWEEN 0 AND quantity_ordered
          AND quantity_invoiced BETWEEN 0 AND quantity_ordered AND quantity_refunded BETWEEN 0 AND quantity_invoiced)
        OR (origin = 'export-api' AND (
          (status IN ('pending', 'pending_payment', 'canceled') AND quantity_invoiced > 0)
          OR (status IN ('processing', 'complete', 'closed') AND quantity_invoiced <> quantity_ordered)
          OR (status = 'complete' AND quantity_shipped + quantity_refunded < quantity_ordered)
          OR (status = 'closed' AND quantity_refunded <> quantity_ordered)))`,
  },
  {
    id: 'I15',
    title: 'the unit price never exceeds the maxPrice of the request',
    scope: 'order',
    population: 'order_item WHERE max_price_minor IS NOT NULL',
    query: `SELECT 'item ' || id AS broken FROM order_item WHERE unit_price_minor > max_price_minor`,
  },
  {
    id: 'I16',
    title: 'the status log is a legal path that ends in the present status',
    scope: 'order',
    population: 'order_status_log',
    query: `WITH step AS (
        SELECT log.order_id, log.id, status.place, status.name AS to_status,
          lag(status.name) OVER (PARTITION BY log.order_id ORDER BY log.id, status.place) AS before,
          CASE WHEN status.place = 1 THEN log.from_status END AS stated_before,
          lead(status.name) OVER (PARTITION BY log.order_id ORDER BY log.id, status.place) AS next
        FROM order_status_log AS log CROSS JOIN LATERAL unnest(log.via || log.to_status) WITH ORDINALITY AS status (name, place)
      ), legal (from_status, to_status) AS (VALUES
        ('pending', 'pending_payment'), ('pending', 'processing'), ('pending', 'canceled'), ('pending', 'held'),
        ('pending_payment', 'processing'), ('pending_payment', 'canceled'), ('pending_payment', 'held'),
        ('processing', 'complete'), ('processing', 'held'), ('processing', 'closed'),
        ('held', 'pending'), ('held', 'pending_payment'), ('held', 'processing'), ('held', 'canceled'), ('held', 'closed'),
        ('complete', 'complete'), ('complete', 'closed'))
      SELECT 'order ' || step.order_id || ': ' || coalesce(step.before, '(none)') || ' to ' || step.to_status AS broken
      FROM step JOIN "order" ON "order".id = step.order_id
      WHERE origin = 'export-api' AND (
        (step.before IS NULL AND step.to_status <> 'pending')
        OR (step.before IS NOT NULL AND NOT EXISTS (SELECT FROM legal
          WHERE legal.from_status = step.before AND legal.to_status = step.to_status))
        OR (step.place = 1 AND step.stated_before IS DISTINCT FROM step.before)
        OR (step.next IS NULL AND step.to_status <> "order".status))
      UNION ALL
      SELECT 'order ' || id || ' has no status log' FROM "order"
      WHERE NOT EXISTS (SELECT FROM order_status_log WHERE order_id = "order".id)`,
  },
  {
    id: 'I17',
    title: 'order ids made here have 16 digits',
    scope: 'order',
    population: MADE_HERE,
    query: `SELECT 'order ' || id AS broken FROM "order" WHERE origin = 'export-api' AND length(id::text) <> 16`,
  },
  {
    id: 'I18',
    title: 'no order of an excluded product',
    scope: 'whole',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id AS broken FROM order_item
      JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api'
      JOIN product ON product.id = order_item.product_id
      WHERE checkout_class <> 'standard' AND NOT EXISTS (SELECT FROM audit_entry
        WHERE action IN ('product.put', 'import.products') AND audit_entry.at > "order".created_at)`,
  },
  {
    id: 'I19',
    title: 'no order was created in the future',
    scope: 'order',
    population: '"order"',
    query: `SELECT 'order ' || id AS broken FROM "order" WHERE created_at > clock_timestamp()`,
  },
];
