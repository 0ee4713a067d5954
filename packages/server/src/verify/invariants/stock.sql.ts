import type { Invariant } from '../invariant.ts';

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
const computeUnits = (
  orders: string,
) => `(SELECT order_id, count(*) AS units, count(refunded_at) AS given_back
    FROM ${takenBy(orders)} JOIN stock_key USING (offer_id, number) GROUP BY order_id) AS held`;

const DELIVERED = `status IN ('complete', 'closed')`;

export const STOCK_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I20',
    title:
      'an order has as many units as it shipped; all of them or, if only images were left, none while it is unfinished; none once it is canceled',
    query: `SELECT 'order ' || id || ', which is ' || status || ', shipped ' || quantity_shipped || ' of ' || quantity_ordered
        || ' units and has ' || coalesce(units, 0) AS broken
      FROM "order" LEFT JOIN ${computeUnits('true')} ON held.order_id = id
      WHERE origin = 'export-api' AND coalesce(units, 0) <> CASE WHEN ${DELIVERED} THEN quantity_shipped
        WHEN status = 'canceled' OR first_unit IS NULL THEN 0 ELSE quantity_ordered END`,
  },
  {
    id: 'I22',
    title:
      'a unit below the next number of its offer is in exactly one order or reservation, and no other unit is in any',
    population: 'stock_key WHERE number IS NOT NULL',
    query: `SELECT 'unit ' || stock_key.id || ' is in ' || coalesce(times, 0) || ' orders and reservations' AS broken
      FROM stock_key JOIN offer ON offer.id = stock_key.offer_id
      LEFT JOIN (SELECT offer_id, number, count(*) AS times FROM ${HELD} GROUP BY offer_id, number) AS holder
        ON holder.offer_id = stock_key.offer_id AND holder.number = stock_key.number
      WHERE coalesce(times, 0) <> CASE WHEN stock_key.number < next_unit THEN 1 ELSE 0 END`,
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
      CROSS JOIN LATERAL (SELECT count(*) AS units FROM stock_key WHERE stock_key.offer_id = reservation.offer_id
        AND stock_key.number >= reservation.first_unit AND stock_key.number < reservation.first_unit + quantity) AS held
      WHERE CASE reservation.status WHEN 'active' THEN units <> quantity
        WHEN 'ordered' THEN ("order".account_id, "order".offer_id, "order".first_unit, quantity_ordered, "order".unit_price_minor,
            "order".discount_minor, "order".total_price_minor, "order".reservation)
          IS DISTINCT FROM (reservation.account_id, reservation.offer_id, reservation.first_unit, quantity::smallint,
            reservation.unit_price_minor, reservation.discount_minor, reservation.total_price_minor, number)
        ELSE units > 0 END`,
  },
  {
    id: 'I25',
    title: 'the counts of an offer match its units, and each number on sale belongs to one unit',
    population: 'offer',
    query: `SELECT 'offer ' || offer.id AS broken FROM offer LEFT JOIN stock_key ON stock_key.offer_id = offer.id
      GROUP BY offer.id, end_unit, available_text, available_image, offer.units, withdrawn_units
      HAVING available_text <> count(*) FILTER (WHERE number >= next_unit)
        OR available_image <> count(*) FILTER (WHERE kind = 'image' AND NOT is_withdrawn)
        OR units <> count(stock_key.id) OR withdrawn_units <> count(*) FILTER (WHERE is_withdrawn)
        OR max(number) >= end_unit`,
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
    title:
      'stamps are unique, none is ahead of the catalogue clock or before its product was added, and every product with an offer has one',
    population: 'product_stamp',
    query: `SELECT 'product ' || product_id || ' is ahead of the clock' AS broken FROM product_stamp
      WHERE stamp > (SELECT max(stamp) FROM change_log)
      UNION ALL
      SELECT 'stamp ' || stamp FROM stamped_product GROUP BY stamp HAVING count(*) > 1
      UNION ALL
      SELECT 'product ' || product_id || ' was changed before it was added' FROM stamped_product WHERE first_stamp > stamp
      UNION ALL
      SELECT DISTINCT 'product ' || product_id || ' has no stamp' FROM offer
      WHERE NOT EXISTS (SELECT FROM product_stamp WHERE product_stamp.product_id = offer.product_id)`,
  },
  {
    id: 'I52',
    title: 'the returned units of an order match its quantities',
    population: `"order" WHERE quantity_refunded > 0`,
    query: `SELECT 'order ' || id AS broken FROM "order" LEFT JOIN ${computeUnits(DELIVERED)} ON held.order_id = id
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
];
