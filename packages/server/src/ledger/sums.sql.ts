/** Triggers in the migrations compute the same sums. */

export const ORDER_SUM_COLUMNS = 'hour, status, orders, units, refunded_units, total_minor';

/** For GROUP BY 1, 2. Excludes units of imported orders and amounts in other currencies. */
export const SUMMED_ORDERS = `hour_of(created_at) AS hour, status, count(*) AS orders,
  coalesce(sum(quantity_invoiced), 0)::bigint AS units, coalesce(sum(quantity_refunded), 0)::bigint AS refunded_units,
  coalesce(sum(total_price_minor) FILTER (WHERE currency = 'EUR' AND decimals = 2), 0) AS total_minor`;

/** The code is the first member of the error. */
export const REJECTION_CODE = `coalesce(substring(body FROM '"code":"([a-z0-9-]+)"'), 'unknown')`;
