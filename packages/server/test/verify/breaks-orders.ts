import type { Breaks } from './break.ts';
import type { World } from './world.ts';

export const ORDER_BREAKS: Breaks = {
  I13: [
    {
      statements: ({ imported }) => [
        `UPDATE "order" SET discount_minor = discount_minor + 1 WHERE id = ${imported}`,
      ],
    },
    {
      statements: ({ complete }) => [
        `UPDATE "order" SET discount_minor = discount_minor + 1 WHERE id = ${complete}`,
      ],
    },
    {
      statements: ({ complete }) => [
        `UPDATE "order" SET max_price_minor = unit_price_minor - 1 WHERE id = ${complete}`,
      ],
    },
    { statements: ({ complete }) => [`UPDATE "order" SET currency = 'USD' WHERE id = ${complete}`] },
  ],
  I14: [
    {
      statements: ({ waiting }) => [`UPDATE "order" SET quantity_invoiced = 1 WHERE id = ${waiting}`],
      also: ['I6'],
    },
    { statements: ({ closed }) => [`UPDATE "order" SET completed_at = NULL WHERE id = ${closed}`] },
    {
      statements: ({ closedUndelivered }) => [
        `UPDATE "order" SET completed_at = created_at WHERE id = ${closedUndelivered}`,
      ],
    },
  ],
  I16: [
    {
      statements: ({ complete }) => [
        `INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
          SELECT id, 'complete', 'processing', created_at, 'test', 'test' FROM "order" WHERE id = ${complete}`,
      ],
      also: ['I90'],
    },
    // The first entry of the log names the status at placement.
    ...[`'held'`, `'canceled'`, 'NULL'].map((placed) => ({
      statements: ({ partlyRefunded }: World) => [
        `UPDATE order_status_log SET from_status = ${placed} WHERE order_id = ${partlyRefunded}`,
      ],
      also: [...(placed === `'held'` ? ['I77'] : []), ...(placed === 'NULL' ? [] : ['I90'])],
    })),
    // Without a log the current status counts as the one at placement, and no order is placed as canceled.
    {
      statements: ({ declined }) => [`DELETE FROM order_status_log WHERE order_id = ${declined}`],
      also: ['I77', 'I90'],
    },
  ],
  I18: {
    statements: ({ productId }) => [`UPDATE product SET checkout_class = 'esim' WHERE id = ${productId}`],
  },
  I19: {
    statements: ({ imported }) => [
      `UPDATE "order" SET created_at = clock_timestamp() + interval '1 minute' WHERE id = ${imported}`,
    ],
    also: ['I95'],
  },
  I28: [
    {
      statements: ({ offerId }) => [
        `UPDATE offer_log SET status = 'paused' WHERE id = (SELECT min(id) FROM offer_log WHERE offer_id = '${offerId}')`,
      ],
    },
    {
      statements: ({ offerId }) => [
        `UPDATE offer_log SET price_minor = price_minor + 1
        WHERE id = (SELECT min(id) FROM offer_log WHERE offer_id = '${offerId}')`,
      ],
    },
  ],
  I77: [
    { statements: ({ held }) => [`UPDATE "order" SET hold_reason = NULL WHERE id = ${held}`] },
    { statements: ({ complete }) => [`UPDATE "order" SET hold_reason = 'test' WHERE id = ${complete}`] },
    {
      statements: ({ imageRefunded }) => [
        `UPDATE "order" SET image_refunded = false WHERE id = ${imageRefunded}`,
      ],
      also: ['I46'],
    },
    {
      statements: ({ imageRefunded }) => [`UPDATE "order" SET first_unit = 1 WHERE id = ${imageRefunded}`],
      also: ['I74'],
    },
  ],
};
