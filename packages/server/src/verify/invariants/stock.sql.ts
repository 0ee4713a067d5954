import type { Invariant } from '../invariant.ts';
import { DELETE, missingTriggers, TRUNCATE } from '../triggers.sql.ts';

/** PostgreSQL joins ranges only with nested loops, but single numbers with a hash. */
const takenBy = (orders: string) => `(SELECT id AS order_id, offer_id,
    generate_series(first_unit, first_unit + quantity_ordered - 1) AS number
    FROM "order" WHERE first_unit IS NOT NULL AND ${orders}) AS taken`;

/** Units held by orders and active reservations. */
const HELD = `(SELECT offer_id, number FROM ${takenBy('true')}
    UNION ALL SELECT offer_id, generate_series(first_unit, first_unit + quantity - 1) FROM reservation
    WHERE reservation.status = 'active') AS taken`;

/** UNION removes duplicates: an order has the units of its reservation. */
const RANGES = `(SELECT offer_id, first_unit, quantity_ordered AS quantity FROM "order" WHERE first_unit IS NOT NULL
    UNION SELECT offer_id, first_unit, quantity FROM reservation) AS taken`;

/** Orders without units have no row. */
const unitsOf = (orders: string) => `(SELECT order_id, count(*) AS units, count(refunded_at) AS given_back
    FROM ${takenBy(orders)} JOIN stock_key USING (offer_id, number) GROUP BY order_id) AS held`;

const OPEN = `status IN ('pending', 'pending_payment', 'processing', 'held')`;
const DELIVERED = `status IN ('complete', 'closed')`;

export const STOCK_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I20',
    title: 'an order has as many sold keys as shipped units',
    query: `SELECT 'order ' || id || ' shipped ' || quantity_shipped || ', sold keys ' || coalesce(units, 0) AS broken
      FROM "order" LEFT JOIN ${unitsOf(DELIVERED)} ON held.order_id = id
      WHERE origin = 'export-api' AND quantity_shipped <> coalesce(units, 0)`,
  },
  {
    id: 'I21',
    title: 'an unfinished order has all its units or none',
    population: `"order" WHERE origin = 'export-api' AND ${OPEN}`,
    query: `SELECT 'order ' || id AS broken FROM "order" LEFT JOIN ${unitsOf(OPEN)} ON held.order_id = id
      WHERE origin = 'export-api' AND ${OPEN}
        AND coalesce(units, 0) <> CASE WHEN first_unit IS NULL THEN 0 ELSE quantity_ordered END`,
  },
  {
    id: 'I22',
    title: 'a text unit is withdrawn, on sale, reserved or in an order, and its number shows which',
    population: 'stock_key',
    query: `SELECT 'unit ' || stock_key.id AS broken FROM stock_key JOIN offer ON offer.id = stock_key.offer_id
      LEFT JOIN ${HELD} ON taken.offer_id = stock_key.offer_id AND taken.number = stock_key.number
      WHERE (stock_key.number IS NOT NULL) <> (kind = 'text' AND NOT is_withdrawn)
        OR (stock_key.number < next_unit) <> (taken.number IS NOT NULL)`,
  },
  {
    id: 'I23',
    title: 'no unit belongs to two orders or reservations',
    population: 'stock_key WHERE number IS NOT NULL',
    query: `SELECT 'unit ' || stock_key.id || ' is taken ' || count(*) || ' times' AS broken
      FROM ${HELD} JOIN stock_key USING (offer_id, number) GROUP BY stock_key.id HAVING count(*) > 1`,
  },
  {
    id: 'I74',
    title:
      'orders and reservations of an offer took every number below the next one, each once, in contiguous ranges',
    population: '"order" WHERE first_unit IS NOT NULL',
    query: `WITH range AS (
        SELECT offer_id, first_unit, first_unit + quantity AS end_unit,
          lag(first_unit + quantity, 1, 1) OVER (PARTITION BY offer_id ORDER BY first_unit, quantity) AS continues
        FROM ${RANGES}
      )
      SELECT 'the numbers of offer ' || offer_id || ' from ' || first_unit || ' should begin at ' || continues AS broken
      FROM range WHERE first_unit <> continues
      UNION ALL
      SELECT 'offer ' || offer.id || ' continues at ' || next_unit || ', its orders end at ' || coalesce(last.end_unit, 1)
      FROM offer LEFT JOIN (SELECT offer_id, max(end_unit) AS end_unit FROM range GROUP BY offer_id) AS last
        ON last.offer_id = offer.id
      WHERE next_unit <> coalesce(last.end_unit, 1)`,
  },
  {
    id: 'I110',
    title: 'the reserved units of an offer are those of its active reservations and unfinished orders',
    population: 'offer',
    query: `SELECT 'offer ' || offer_id || ' has ' || count(unit.id) || ' reserved units instead of ' || reserved AS broken
      FROM unit_count LEFT JOIN unit USING (offer_id)
      WHERE unit.state IS NULL OR unit.state = 'reserved'
      GROUP BY offer_id, reserved HAVING count(unit.id) <> reserved`,
  },
  {
    id: 'I111',
    title: 'a reservation has its units while it is active, and its order has them afterwards',
    population: 'reservation',
    query: `SELECT 'reservation ' || reservation.id AS broken FROM reservation
      LEFT JOIN "order" ON "order".id = reservation.order_id
      LEFT JOIN reservation_order AS noted ON noted.order_id = reservation.order_id AND noted.reservation = number
      CROSS JOIN LATERAL (SELECT count(*) AS units FROM stock_key WHERE stock_key.offer_id = reservation.offer_id
        AND stock_key.number >= reservation.first_unit AND stock_key.number < reservation.first_unit + quantity) AS held
      WHERE CASE reservation.status WHEN 'active' THEN units <> quantity
        WHEN 'ordered' THEN ("order".account_id, "order".offer_id, "order".first_unit, quantity_ordered, "order".unit_price_minor,
            "order".discount_minor, "order".total_price_minor, noted.reservation)
          IS DISTINCT FROM (reservation.account_id, reservation.offer_id, reservation.first_unit, quantity::smallint,
            reservation.unit_price_minor, reservation.discount_minor, reservation.total_price_minor, number)
        ELSE units > 0 END`,
  },
  {
    id: 'I75',
    title: 'every number that an offer has on sale is that of one unit, and no unit has a higher number',
    population: 'offer',
    query: `SELECT 'offer ' || offer.id || ' has ' || count(number) || ' units from ' || next_unit || ' to before ' || end_unit
        AS broken
      FROM offer LEFT JOIN stock_key ON stock_key.offer_id = offer.id AND number >= next_unit
      GROUP BY offer.id, next_unit, end_unit HAVING count(number) <> end_unit - next_unit OR count(DISTINCT number) <> end_unit - next_unit
        OR max(number) >= end_unit`,
  },
  {
    id: 'I24',
    title: 'units, orders, reservations, offers, accounts and approvals are never deleted',
    population: `pg_trigger WHERE tgname LIKE '%_kept'`,
    query: missingTriggers(
      ['stock_key', 'order', 'offer', 'account', 'approval', 'reservation'].map((table) => ({
        table: `"${table}"`,
        trigger: `${table}_kept`,
        rejected: DELETE + TRUNCATE,
      })),
    ),
  },
  {
    id: 'I25',
    title: "an offer's counts match its units",
    population: 'offer',
    query: `SELECT 'offer ' || offer.id AS broken FROM offer LEFT JOIN stock_key ON stock_key.offer_id = offer.id
      GROUP BY offer.id, available_text, available_image, offer.units, withdrawn_units
      HAVING available_text <> count(*) FILTER (WHERE number >= next_unit)
        OR available_image <> count(*) FILTER (WHERE kind = 'image' AND NOT is_withdrawn)
        OR units <> count(stock_key.id) OR withdrawn_units <> count(*) FILTER (WHERE is_withdrawn)`,
  },
  {
    id: 'I26',
    title: 'no reservation outlives its time limit',
    population: `(SELECT FROM gateway_payment WHERE state = 'open'
      UNION ALL SELECT FROM reservation WHERE status = 'active') AS limited`,
    query: `SELECT 'order ' || id AS broken FROM gateway_payment JOIN "order" ON "order".id = order_id
      WHERE state = 'open' AND status IN ('pending', 'pending_payment')
        AND expires_at < clock_timestamp() - interval '60 seconds'
      UNION ALL
      SELECT 'reservation ' || id FROM reservation WHERE status = 'active'
        AND expires_at < clock_timestamp() - interval '60 seconds'`,
  },
  {
    id: 'I27',
    title: 'no code is stored twice',
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
    title: 'every revealed unit has an audit entry and stays with its order unless withdrawn',
    population: 'key_reveal',
    query: `SELECT 'unit ' || stock_key_id AS broken FROM key_reveal
      LEFT JOIN stock_key ON stock_key.id = stock_key_id
      LEFT JOIN "order" ON "order".id = key_reveal.order_id
      LEFT JOIN audit_entry ON audit_entry.id = audit_entry_id AND action = 'keys.read'
      WHERE audit_entry.id IS NULL OR "order".id IS NULL OR (is_withdrawn OR (stock_key.offer_id = "order".offer_id
        AND number >= first_unit AND number < first_unit + quantity_ordered)) IS NOT TRUE`,
  },
  {
    id: 'I37',
    title: 'stamps are unique, none is ahead of the catalogue clock, and every product with an offer has one',
    population: 'product_stamp',
    query: `SELECT 'product ' || product_id || ' is ahead of the clock' AS broken FROM product_stamp
      WHERE stamp > (SELECT max(stamp) FROM change_log)
      UNION ALL
      SELECT 'stamp ' || stamp FROM stamped_product GROUP BY stamp HAVING count(*) > 1
      UNION ALL
      SELECT DISTINCT 'product ' || product_id || ' has no stamp' FROM offer
      WHERE NOT EXISTS (SELECT FROM product_stamp WHERE product_stamp.product_id = offer.product_id)`,
  },
  {
    id: 'I61',
    title: 'no product was changed before it was added to the catalogue',
    population: 'product_stamp',
    query: `SELECT 'product ' || product_id AS broken FROM stamped_product
      WHERE first_stamp > stamp`,
  },
  {
    id: 'I56',
    title: "the last line of an offer's log has its current price and status",
    population: 'offer',
    query: `SELECT 'offer ' || offer.id AS broken FROM offer
      LEFT JOIN (SELECT DISTINCT ON (offer_id) offer_id, price_minor, status FROM offer_log ORDER BY offer_id, id DESC) AS last
        ON last.offer_id = offer.id
      WHERE (offer.price_minor, offer.status) IS DISTINCT FROM (last.price_minor, last.status)`,
  },
  {
    id: 'I51',
    title: 'reserved units belong to an unfinished order, for a limited time while it awaits its payment',
    population: `"order" WHERE origin = 'export-api' AND status NOT IN ('complete', 'closed')`,
    query: `SELECT 'order ' || order_id || ', which is canceled, has ' || units || ' units' AS broken
      FROM ${unitsOf(`status = 'canceled'`)}
      UNION ALL
      SELECT 'order ' || id || ' has no open payment but is ' || status FROM "order"
      LEFT JOIN gateway_payment AS payment ON payment.order_id = id AND state = 'open'
      WHERE origin = 'export-api' AND status IN ('pending', 'pending_payment') AND payment.order_id IS NULL`,
  },
  {
    id: 'I52',
    title: 'the returned units of an order match its quantities',
    population: `"order" WHERE quantity_refunded > 0`,
    query: `SELECT 'order ' || id AS broken FROM "order" LEFT JOIN ${unitsOf(DELIVERED)} ON held.order_id = id
      WHERE origin = 'export-api' AND ${DELIVERED}
        AND coalesce(given_back, 0) <> quantity_shipped + quantity_refunded - quantity_ordered
      UNION ALL
      SELECT 'unit ' || stock_key.id FROM stock_key
      LEFT JOIN ${takenBy(DELIVERED)} ON taken.offer_id = stock_key.offer_id AND taken.number = stock_key.number
      WHERE refunded_at IS NOT NULL AND NOT is_withdrawn AND taken.order_id IS NULL`,
  },
  {
    id: 'I100',
    title: 'a replaced key was withdrawn, and both keys are of the offer of their order',
    population: 'key_replacement',
    query: `SELECT 'unit ' || bad.id AS broken FROM key_replacement
      JOIN stock_key AS bad ON bad.id = stock_key_id JOIN stock_key AS fresh ON fresh.id = replaced_by
      JOIN "order" ON "order".id = order_id
      WHERE NOT bad.is_withdrawn OR bad.offer_id <> "order".offer_id OR fresh.offer_id <> "order".offer_id
        OR bad.id = fresh.id`,
  },
  {
    id: 'I99',
    title: 'keys recorded as undone are withdrawn, and only an undone import has outcomes for its keys',
    population: 'import_key WHERE outcome IS NOT NULL',
    query: `SELECT 'unit ' || unit_id AS broken FROM import_key
      JOIN import_run ON import_run.number = run JOIN stock_key ON stock_key.id = unit_id
      WHERE outcome IS NOT NULL AND (undone_at IS NULL OR (outcome = 'undone' AND NOT is_withdrawn))`,
  },
];
