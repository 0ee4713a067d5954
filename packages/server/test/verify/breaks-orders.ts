/** Cases that break the invariants of `src/verify/invariants/orders.sql.ts`. */
import type { Breaks } from './break.ts';

export const ORDER_BREAKS: Breaks = {
  I13: {
    statements: ({ imported }) => [
      `UPDATE "order" SET discount_minor = discount_minor + 1 WHERE id = ${imported}`,
    ],
  },
  I14: {
    statements: ({ waiting }) => [`UPDATE order_item SET quantity_invoiced = 1 WHERE order_id = ${waiting}`],
    also: ['I6'],
  },
  I15: {
    statements: ({ complete }) => [
      `UPDATE order_item SET max_price_minor = unit_price_minor - 1 WHERE order_id = ${complete}`,
    ],
  },
  I16: {
    statements: ({ complete }) => [
      `INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
        SELECT id, 'complete', 'processing', created_at, 'test', 'test' FROM "order" WHERE id = ${complete}`,
    ],
  },
  I17: {
    statements: ({ declined }) => [
      `UPDATE "order" SET id = id / 100 WHERE id = ${declined}`,
      ...['order_item', 'order_status_log', 'idempotency_record', 'gateway_payment'].map(
        (table) => `UPDATE ${table} SET order_id = order_id / 100 WHERE order_id = ${declined}`,
      ),
      `UPDATE order_item SET id = order_id * 100 + 1 WHERE order_id = ${declined} / 100`,
    ],
  },
  I18: {
    statements: ({ productId }) => [`UPDATE product SET checkout_class = 'esim' WHERE id = ${productId}`],
  },
  I19: {
    statements: ({ imported }) => [
      `UPDATE "order" SET created_at = clock_timestamp() + interval '1 minute' WHERE id = ${imported}`,
    ],
    also: ['I60'],
  },
  I28: {
    statements: ({ offerId }) => [
      `UPDATE offer_log SET status = 'paused' WHERE id = (SELECT min(id) FROM offer_log WHERE offer_id = '${offerId}')`,
    ],
  },
  I55: {
    statements: ({ offerId }) => [
      `UPDATE offer_log SET price_minor = price_minor + 1
        WHERE id = (SELECT min(id) FROM offer_log WHERE offer_id = '${offerId}')`,
    ],
  },
  I49: {
    statements: ({ complete }) => [
      `UPDATE order_item SET seller_id = gen_random_uuid() WHERE order_id = ${complete}`,
    ],
  },
  I50: {
    statements: ({ closed }) => [`UPDATE "order" SET completed_at = NULL WHERE id = ${closed}`],
  },
};
