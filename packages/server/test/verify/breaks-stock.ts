/** Cases that break the invariants of `src/verify/invariants/stock.sql.ts`. */
import type { Breaks } from './break.ts';

/** One unit of the order, in a state. */
const unitOf = (orderId: string, state: string) =>
  `id = (SELECT min(stock_key.id) FROM stock_key JOIN order_item ON order_item.id = order_item_id
    WHERE order_id = ${orderId} AND state = '${state}')`;

const UNIT_ON_SALE = `id = (SELECT min(id) FROM stock_key WHERE state = 'available' AND kind = 'text')`;

export const STOCK_BREAKS: Breaks = {
  I20: {
    statements: ({ complete }) => [
      `UPDATE order_item SET quantity_shipped = 1, quantity_refunded = 1 WHERE order_id = ${complete}`,
    ],
  },
  I21: {
    statements: ({ held }) => [
      `UPDATE stock_key SET state = 'withdrawn', order_item_id = NULL WHERE ${unitOf(held, 'reserved')}`,
    ],
  },
  I22: {
    statements: ({ complete }) => [
      'ALTER TABLE stock_key DROP CONSTRAINT stock_key_owner_ck',
      `UPDATE stock_key SET order_item_id = (SELECT id FROM order_item WHERE order_id = ${complete}) WHERE ${UNIT_ON_SALE}`,
    ],
  },
  I23: {
    statements: ({ imageRefunded, complete }) => [
      `UPDATE stock_key SET offer_id = (SELECT offer_id FROM order_item WHERE order_id = ${imageRefunded})
        WHERE ${unitOf(complete, 'sold')}`,
    ],
  },
  I25: {
    statements: ({ offerId }) => [
      `UPDATE offer SET available_text = available_text + 1 WHERE id = '${offerId}'`,
    ],
  },
  I26: {
    statements: ({ waiting }) => [
      `UPDATE stock_key SET reserved_until = clock_timestamp() - interval '61 seconds' WHERE ${unitOf(waiting, 'reserved')}`,
    ],
  },
  I27: {
    statements: () => [
      'ALTER TABLE stock_key DROP CONSTRAINT stock_key_code_mac_uq',
      `UPDATE stock_key SET code_mac = (SELECT code_mac FROM stock_key ORDER BY id DESC LIMIT 1) WHERE ${UNIT_ON_SALE}`,
    ],
  },
  I32: {
    statements: () => [
      `UPDATE stock_key SET nonce = (SELECT nonce FROM stock_key ORDER BY id DESC LIMIT 1) WHERE ${UNIT_ON_SALE}`,
    ],
  },
  I34: {
    statements: ({ complete }) => [
      `UPDATE audit_entry SET action = 'order.refund' WHERE order_id = ${complete} AND action = 'keys.read'`,
    ],
  },
  I37: {
    statements: ({ productId }) => [
      `UPDATE product_stamp SET stamp = (SELECT last_stamp + interval '1 second' FROM catalogue_clock)
        WHERE product_id = ${productId}`,
    ],
  },
  I61: {
    statements: ({ productId }) => [
      `UPDATE product_stamp SET first_stamp = stamp + interval '2 minutes' WHERE product_id = ${productId}`,
    ],
  },
  I24: {
    statements: () => ['DROP TRIGGER stock_key_kept ON stock_key'],
  },
  I56: {
    statements: ({ offerId }) => [`UPDATE offer SET price_minor = price_minor + 1 WHERE id = '${offerId}'`],
  },
  I51: {
    statements: ({ held }) => [
      `UPDATE stock_key SET reserved_until = clock_timestamp() WHERE ${unitOf(held, 'reserved')}`,
    ],
  },
  I52: {
    statements: ({ partlyRefunded }) => [
      `UPDATE stock_key SET refunded_at = clock_timestamp() WHERE order_item_id IN
        (SELECT id FROM order_item WHERE order_id = ${partlyRefunded})`,
    ],
  },
};
