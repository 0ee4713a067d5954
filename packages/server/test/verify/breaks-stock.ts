import type { Breaks } from './break.ts';
import type { World } from './world.ts';

const toFirstUnit = (orderId: string) =>
  `(offer_id, number) = (SELECT offer_id, first_unit FROM "order" WHERE id = ${orderId})`;

const UNIT_ON_SALE = `id = (SELECT min(id) FROM unit WHERE state = 'available' AND kind = 'text')`;
const LAST_ON_SALE = `id = (SELECT max(id) FROM unit WHERE state = 'available' AND kind = 'text')`;

/** It keeps the order's number. */
const WITHDRAWN_UNIT = `id = (SELECT min(id) FROM stock_key WHERE is_withdrawn)`;

export const STOCK_BREAKS: Breaks = {
  I20: [
    {
      statements: ({ complete }) => [
        `UPDATE "order" SET quantity_shipped = 1, quantity_refunded = 1 WHERE id = ${complete}`,
      ],
    },
    {
      statements: ({ held }) => [
        `UPDATE stock_key SET is_withdrawn = true, number = NULL WHERE ${toFirstUnit(held)}`,
      ],
      also: ['I25', 'I110'],
    },
    {
      statements: ({ declined }) => [
        `UPDATE stock_key SET is_withdrawn = false, number = (SELECT first_unit FROM "order" WHERE id = ${declined})
          WHERE ${WITHDRAWN_UNIT}`,
      ],
      also: ['I25', 'I110'],
    },
  ],
  I22: [
    {
      statements: () => [`UPDATE stock_key SET is_withdrawn = false, number = 0 WHERE ${WITHDRAWN_UNIT}`],
      also: ['I25', 'I110'],
    },
    {
      // The unit is on sale and in an order.
      statements: ({ waiting }) => [
        `UPDATE "order" SET first_unit = end_unit - 2 FROM offer WHERE "order".id = ${waiting} AND offer.id = offer_id`,
      ],
      also: ['I74'],
    },
    {
      statements: ({ waiting }) => [`UPDATE "order" SET first_unit = first_unit - 1 WHERE id = ${waiting}`],
      also: ['I74', 'I110'],
    },
  ],
  I74: [
    {
      // This leaves a gap without a unit.
      statements: ({ closedUndelivered }) => [
        `UPDATE "order" SET first_unit = end_unit + 100 FROM offer
          WHERE "order".id = ${closedUndelivered} AND offer.id = offer_id`,
      ],
    },
    {
      // No order took these numbers.
      statements: ({ imageRefunded }) => [
        `UPDATE offer SET next_unit = 2, end_unit = 2
          WHERE id = (SELECT offer_id FROM "order" WHERE id = ${imageRefunded})`,
      ],
    },
    {
      // Two ranges begin at the same number.
      statements: ({ declined, closedUndelivered }) => [
        'DROP INDEX order_first_unit_uq',
        `UPDATE "order" SET first_unit = (SELECT first_unit FROM "order" WHERE id = ${closedUndelivered})
          WHERE id = ${declined}`,
      ],
    },
  ],
  I25: [
    ...['available_image', 'units', 'withdrawn_units'].map((count) => ({
      statements: ({ offerId }: World) => [
        `UPDATE offer SET ${count} = ${count} + 1 WHERE id = '${offerId}'`,
      ],
    })),
    {
      statements: ({ offerId }) => [
        `UPDATE stock_key SET number = number + 100 WHERE ${LAST_ON_SALE} AND offer_id = '${offerId}'`,
      ],
    },
    {
      statements: ({ offerId }) => [`UPDATE offer SET end_unit = end_unit + 1 WHERE id = '${offerId}'`],
    },
  ],
  I26: [
    {
      statements: ({ waiting }) => [
        `UPDATE gateway_payment SET expires_at = clock_timestamp() - interval '61 seconds' WHERE order_id = ${waiting}`,
      ],
    },
    {
      statements: ({ reservation }) => [
        `UPDATE reservation SET expires_at = clock_timestamp() - interval '61 seconds' WHERE id = '${reservation}'`,
      ],
    },
  ],
  I110: {
    statements: ({ reservation }) => [
      `UPDATE reservation SET quantity = quantity - 1 WHERE id = '${reservation}'`,
    ],
    also: ['I22', 'I74'],
  },
  I111: [
    {
      statements: ({ reservation }) => [
        `UPDATE reservation SET status = 'released' WHERE id = '${reservation}'`,
      ],
      also: ['I22', 'I110'],
    },
    {
      statements: ({ orderedReservation }) => [
        `UPDATE reservation SET total_price_minor = total_price_minor + 1 WHERE id = '${orderedReservation}'`,
      ],
    },
    {
      statements: ({ orderedReservation, complete }) => [
        `UPDATE reservation SET order_id = ${complete} WHERE id = '${orderedReservation}'`,
      ],
    },
  ],
  I32: {
    statements: () => [
      `UPDATE stock_key SET nonce = (SELECT nonce FROM stock_key ORDER BY id DESC LIMIT 1) WHERE ${UNIT_ON_SALE}`,
    ],
  },
  I34: [
    {
      statements: ({ complete }) => [
        `UPDATE audit_entry SET action = 'order.refund' WHERE order_id = ${complete} AND action = 'keys.read'`,
      ],
    },
    ...[({ partlyRefunded }: World) => partlyRefunded, ({ imported }: World) => imported, () => 1].map(
      (other) => ({
        statements: (world: World) => [
          `UPDATE key_reveal SET order_id = ${other(world)} WHERE order_id = ${world.complete}`,
        ],
      }),
    ),
  ],
  I37: [
    {
      statements: ({ productId }) => [
        `UPDATE product_stamp SET stamp = (SELECT max(stamp) + interval '1 second' FROM change_log)
        WHERE product_id = ${productId}`,
      ],
    },
    {
      statements: ({ productId }) => [
        `UPDATE product_stamp SET first_stamp = stamp + interval '2 minutes' WHERE product_id = ${productId}`,
      ],
    },
  ],
  I52: [
    {
      statements: ({ partlyRefunded }) => [
        `UPDATE stock_key SET refunded_at = clock_timestamp() FROM "order" WHERE "order".id = ${partlyRefunded}
          AND stock_key.offer_id = "order".offer_id AND number >= first_unit AND number < first_unit + quantity_ordered`,
      ],
    },
    { statements: () => [`UPDATE stock_key SET refunded_at = clock_timestamp() WHERE ${UNIT_ON_SALE}`] },
    {
      statements: ({ held }) => [
        `UPDATE stock_key SET refunded_at = clock_timestamp() WHERE ${toFirstUnit(held)}`,
      ],
    },
  ],
  I100: [
    {
      statements: () => ['UPDATE key_replacement SET stock_key_id = replaced_by'],
    },
    {
      statements: ({ imageRefunded }) => [`UPDATE key_replacement SET order_id = ${imageRefunded}`],
    },
  ],
};
