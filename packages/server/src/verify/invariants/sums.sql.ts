import { ORDER_SUM_COLUMNS, REJECTION_CODE, SUMMED_ORDERS } from '../../ledger/sums.sql.ts';
import type { Invariant } from '../invariant.ts';

export const SUM_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I95',
    title: 'the sums by hour and status are those of the orders up to the horizon',
    population: 'order_sum',
    query: `WITH counted AS (
        SELECT ${SUMMED_ORDERS} FROM "order" CROSS JOIN history_horizon WHERE created_at <= counted_until GROUP BY 1, 2
      ), summed AS (
        SELECT hour, status, sum(orders) AS orders, sum(units) AS units, sum(refunded_units) AS refunded_units,
          sum(total_minor) AS total_minor
        FROM (SELECT ${ORDER_SUM_COLUMNS} FROM order_sum UNION ALL SELECT ${ORDER_SUM_COLUMNS} FROM order_sum_change) AS part
        GROUP BY 1, 2
        HAVING (sum(orders), sum(units), sum(refunded_units), sum(total_minor)) <> (0, 0, 0, 0)
      )
      SELECT 'hour ' || hour || ', ' || status || ': ' || coalesce(summed.orders, 0) || ' orders instead of '
        || coalesce(counted.orders, 0) AS broken
      FROM counted FULL JOIN summed USING (hour, status)
      WHERE (counted.orders, counted.units, counted.refunded_units, counted.total_minor)
        IS DISTINCT FROM (summed.orders, summed.units, summed.refunded_units, summed.total_minor)`,
  },
  {
    id: 'I96',
    title:
      'the sums by hour and kind, and by day and seller, are those of the transfers up to their position',
    population: 'book_sum',
    query: `WITH folded AS (
        SELECT transfer.*, source.kind AS from_kind, target.kind AS to_kind, seller_id
        FROM ledger_transfer AS transfer
        JOIN ledger_account AS source ON source.id = from_ledger_account_id
        JOIN ledger_account AS target ON target.id = to_ledger_account_id
        LEFT JOIN "order" ON "order".id = transfer.order_id LEFT JOIN offer ON offer.id = offer_id
        WHERE transfer.id <= (SELECT transfer_id FROM sum_position)
      ), booked AS (
        SELECT hour_of(created_at) AS hour, kind, from_kind, to_kind, count(*) AS transfers, sum(amount_minor) AS amount_minor
        FROM folded GROUP BY 1, 2, 3, 4
      ), sold AS (
        SELECT (created_at AT TIME ZONE 'UTC')::date AS day, seller_id, count(*) FILTER (WHERE kind = 'charge') AS charges,
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'charge'), 0) AS charged_minor,
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0) AS refunded_minor
        FROM folded WHERE seller_id IS NOT NULL GROUP BY 1, 2
      )
      SELECT 'hour ' || hour || ', ' || kind || ' from ' || from_kind || ' to ' || to_kind AS broken
      FROM booked FULL JOIN book_sum USING (hour, kind, from_kind, to_kind)
      WHERE (booked.transfers, booked.amount_minor) IS DISTINCT FROM (book_sum.transfers, book_sum.amount_minor)
      UNION ALL
      SELECT 'day ' || day || ', seller ' || seller_id FROM sold FULL JOIN seller_sum USING (day, seller_id)
      WHERE (sold.charges, sold.charged_minor, sold.refunded_minor)
        IS DISTINCT FROM (seller_sum.charges, seller_sum.charged_minor, seller_sum.refunded_minor)`,
  },
  {
    id: 'I97',
    title: 'every rejection up to the position of the sums is in them, even after it is deleted',
    population: 'rejection_sum',
    query: `SELECT code || ': ' || coalesce(summed, 0) || ' instead of ' || stored || ' or more' AS broken
      FROM (
        SELECT ${REJECTION_CODE} AS code, count(*) AS stored FROM rejected_order
        WHERE number <= (SELECT rejection_number FROM sum_position) GROUP BY 1
      ) AS kept
      LEFT JOIN (SELECT code, sum(rejections) AS summed FROM rejection_sum GROUP BY 1) AS summed USING (code)
      WHERE stored > coalesce(summed, 0)`,
  },
  {
    id: 'I125',
    title: 'sales by day include every transfer up to their position, in every dimension',
    population: 'sale_sum',
    query: `WITH folded AS (
        SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*) FILTER (WHERE kind = 'charge') AS orders,
          count(*) FILTER (WHERE kind = 'refund') AS refunds,
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'charge'), 0) AS charged_minor,
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0) AS refunded_minor
        FROM ledger_transfer
        WHERE id <= (SELECT transfer_id FROM sale_position) AND kind IN ('charge', 'refund') GROUP BY 1
      ), expected AS (
        SELECT * FROM folded CROSS JOIN unnest(ARRAY['all', 'account', 'product', 'seller', 'region']) AS of (dimension)
      ), summed AS (
        SELECT dimension, day, sum(orders) AS orders, sum(refunds) AS refunds, sum(charged_minor) AS charged_minor,
          sum(refunded_minor) AS refunded_minor
        FROM sale_sum GROUP BY 1, 2
      )
      SELECT 'day ' || day || ', ' || dimension AS broken FROM expected FULL JOIN summed USING (dimension, day)
      WHERE (expected.orders, expected.refunds, expected.charged_minor, expected.refunded_minor)
        IS DISTINCT FROM (summed.orders, summed.refunds, summed.charged_minor, summed.refunded_minor)`,
  },
];
