/** Invariants of docs/rules.md: units (product keys), offers and the stamps of the catalogue. How to add one: invariant.ts. */
import type { Invariant } from '../invariant.ts';
import { DELETE, missingTriggers, TRUNCATE } from '../triggers.sql.ts';

export const STOCK_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I20',
    title: 'a shipped unit is a sold key of that line, and none more',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id || ' shipped ' || quantity_shipped || ', sold keys ' || count(stock_key.id) AS broken
      FROM order_item JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api'
      LEFT JOIN stock_key ON stock_key.order_item_id = order_item.id AND state = 'sold'
      GROUP BY order_item.id HAVING count(stock_key.id) <> quantity_shipped`,
  },
  {
    id: 'I21',
    title: 'a line has all its units or none',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id AS broken
      FROM order_item JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api'
      LEFT JOIN stock_key ON stock_key.order_item_id = order_item.id
      WHERE status IN ('pending', 'pending_payment', 'processing', 'held')
      GROUP BY order_item.id HAVING count(stock_key.id) NOT IN (0, quantity_ordered)`,
  },
  {
    id: 'I22',
    title: 'sold and reserved units belong to a line, others to none',
    population: 'stock_key',
    query: `SELECT 'unit ' || id AS broken FROM stock_key
      WHERE (state IN ('sold', 'reserved')) <> (order_item_id IS NOT NULL)`,
  },
  {
    id: 'I23',
    title: 'a unit belongs to a line of its own offer, and that line exists',
    population: 'stock_key WHERE order_item_id IS NOT NULL',
    query: `SELECT 'unit ' || stock_key.id AS broken FROM stock_key
      LEFT JOIN order_item ON order_item.id = stock_key.order_item_id
      WHERE order_item_id IS NOT NULL AND (order_item.id IS NULL OR stock_key.offer_id <> order_item.offer_id)`,
  },
  {
    id: 'I24',
    title: 'units are never deleted',
    population: `pg_trigger WHERE tgname = 'stock_key_kept'`,
    query: missingTriggers([{ table: 'stock_key', trigger: 'stock_key_kept', refused: DELETE + TRUNCATE }]),
  },
  {
    id: 'I25',
    title: "an offer's counts are its available units",
    population: 'offer',
    query: `SELECT 'offer ' || offer.id AS broken FROM offer
      LEFT JOIN (SELECT offer_id, count(*) FILTER (WHERE kind = 'text') AS texts, count(*) FILTER (WHERE kind = 'image') AS images
        FROM stock_key WHERE state = 'available' GROUP BY offer_id) AS unit ON unit.offer_id = offer.id
      WHERE available_text <> coalesce(texts, 0) OR available_image <> coalesce(images, 0)`,
  },
  {
    id: 'I26',
    title: 'no reservation outlives its time limit',
    population: `stock_key WHERE state = 'reserved'`,
    query: `SELECT 'unit ' || id AS broken FROM stock_key
      WHERE state = 'reserved' AND reserved_until
        < clock_timestamp() - interval '60 seconds' - clock_lead(interval '31 minutes')`,
  },
  {
    id: 'I27',
    title: 'no code is held twice',
    population: 'stock_key',
    query: `SELECT 'units ' || string_agg(id::text, ', ') AS broken FROM stock_key GROUP BY code_mac HAVING count(*) > 1`,
  },
  {
    id: 'I32',
    title: 'no nonce was used twice with one data key',
    population: 'stock_key',
    query: `SELECT 'data key ' || data_key_id AS broken FROM stock_key GROUP BY data_key_id, nonce HAVING count(*) > 1`,
  },
  {
    id: 'I34',
    title:
      'every revealed unit was revealed by an entry of the audit log, and its line holds it or it is withdrawn',
    population: 'key_reveal',
    query: `SELECT 'unit ' || key_reveal.stock_key_id AS broken FROM key_reveal
      JOIN stock_key ON stock_key.id = key_reveal.stock_key_id
      LEFT JOIN audit_entry ON audit_entry.id = key_reveal.audit_entry_id AND audit_entry.action = 'keys.read'
      WHERE audit_entry.id IS NULL
        OR (stock_key.order_item_id IS DISTINCT FROM key_reveal.order_item_id AND state <> 'withdrawn')`,
  },
  {
    id: 'I37',
    title: 'stamps are unique, none is above the catalogue clock, and every product on offer has one',
    population: 'product_stamp',
    query: `SELECT 'product ' || product_id || ' is above the clock' AS broken FROM product_stamp, catalogue_clock
      WHERE stamp > last_stamp
      UNION ALL
      SELECT 'stamp ' || stamp FROM product_stamp GROUP BY stamp HAVING count(*) > 1
      UNION ALL
      SELECT DISTINCT 'product ' || product_id || ' has no stamp' FROM offer
      WHERE NOT EXISTS (SELECT FROM product_stamp WHERE product_stamp.product_id = offer.product_id)`,
  },
  {
    id: 'I61',
    title: 'no product was changed before it came into the catalogue',
    population: 'product_stamp',
    // A node of the version before lets the database draw the first stamp, a moment after the other one (A120).
    query: `SELECT 'product ' || product_id AS broken FROM product_stamp
      WHERE first_stamp > stamp + interval '1 minute'`,
  },
  {
    id: 'I56',
    title: "the last line of an offer's log is its present price and status",
    population: 'offer',
    query: `SELECT 'offer ' || offer.id AS broken FROM offer
      LEFT JOIN (SELECT DISTINCT ON (offer_id) offer_id, price_minor, status FROM offer_log ORDER BY offer_id, id DESC) AS last
        ON last.offer_id = offer.id
      WHERE (offer.price_minor, offer.status) IS DISTINCT FROM (last.price_minor, last.status)`,
  },
  {
    id: 'I51',
    title:
      'reserved units belong to an order on its way, and their time is limited while a payment is waited for',
    population: `stock_key WHERE state = 'reserved'`,
    query: `SELECT 'unit ' || stock_key.id || ' of order ' || "order".id || ', which is ' || "order".status AS broken
      FROM stock_key JOIN order_item ON order_item.id = order_item_id JOIN "order" ON "order".id = order_item.order_id
      WHERE state = 'reserved' AND ("order".status NOT IN ('pending', 'pending_payment', 'processing', 'held')
        OR (reserved_until IS NULL AND "order".status = 'pending_payment')
        OR (reserved_until IS NOT NULL AND "order".status NOT IN ('pending', 'pending_payment')))
      UNION ALL
      SELECT 'unit ' || id FROM stock_key WHERE state <> 'reserved' AND reserved_until IS NOT NULL`,
  },
  {
    id: 'I52',
    title: 'the units of a line that were given back are those that its quantities say',
    population: `order_item WHERE quantity_refunded > 0`,
    query: `SELECT 'item ' || order_item.id AS broken FROM order_item
      JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api' AND status IN ('complete', 'closed')
      LEFT JOIN stock_key ON stock_key.order_item_id = order_item.id
      GROUP BY order_item.id
      HAVING count(refunded_at) <> quantity_shipped + quantity_refunded - quantity_ordered
      UNION ALL
      SELECT 'unit ' || id FROM stock_key WHERE refunded_at IS NOT NULL AND state NOT IN ('sold', 'withdrawn')`,
  },
];
