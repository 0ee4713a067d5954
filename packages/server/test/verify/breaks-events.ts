import type { Breaks } from './break.ts';

export const EVENT_BREAKS: Breaks = {
  I90: [
    { statements: ({ complete }) => [`DELETE FROM event WHERE order_id = ${complete}`] },
    {
      statements: ({ closedUndelivered }) => [
        `DELETE FROM event WHERE order_id = ${closedUndelivered} AND type = 'order.closed'`,
      ],
    },
    {
      statements: ({ held }) => [
        `INSERT INTO event SELECT id + 1, order_id, account_id, 'order.complete', data FROM event WHERE order_id = ${held}`,
      ],
    },
  ],
  I91: {
    statements: ({ partlyRefunded }) => [
      `UPDATE event SET data = jsonb_set(data, '{refund,amountMinor}', '999')
        WHERE order_id = ${partlyRefunded} AND type = 'order.refunded'`,
    ],
  },
  I92: [
    {
      statements: () => [
        `UPDATE stream_position SET position = (SELECT min(id) FROM event) WHERE stream = 'forgotten-event'`,
      ],
    },
    {
      statements: () => [
        `UPDATE event SET id = id + (3600000000::bigint << 10) WHERE id = (SELECT max(id) FROM event)`,
      ],
    },
    {
      statements: () => [
        `UPDATE stream_position SET position = position + 3600000000 WHERE stream = 'event'`,
      ],
    },
    {
      statements: ({ complete }) => [
        `UPDATE event SET account_id = gen_random_uuid() WHERE order_id = ${complete}`,
      ],
      also: ['I86'],
    },
    {
      statements: ({ complete }) => [
        `INSERT INTO event SELECT id + place, order_id, account_id, 'order.keys_expiring', data
          FROM event CROSS JOIN generate_series(1, 2) AS place WHERE order_id = ${complete}`,
      ],
    },
  ],
};
