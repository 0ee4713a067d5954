import type { Breaks } from './break.ts';
import type { World } from './world.ts';

const toTransfer = (orderId: string, kind: string) => `order_id = ${orderId} AND kind = '${kind}'`;

export const MONEY_BREAKS: Breaks = {
  I3: {
    statements: ({ accountId }) => [
      `UPDATE account SET balance_minor = balance_minor + 1 WHERE id = '${accountId}'`,
    ],
  },
  I5: [
    ...[
      'prepaid_balance_after_minor = prepaid_balance_after_minor + 1',
      'line = line + 1000',
      'line = NULL, prepaid_balance_after_minor = NULL',
      // The sums of its hour and day stay as they are.
      `created_at = date_trunc('hour', created_at)`,
      ...['deposit', 'charge', 'refund', 'adjustment', 'payout'].map(
        (kind) => `${kind}_sum_minor = ${kind}_sum_minor + 1`,
      ),
      'charge_sum_minor = NULL',
    ].map((change) => ({
      statements: ({ complete }: World) => [
        `UPDATE ledger_transfer SET ${change} WHERE ${toTransfer(complete, 'charge')}`,
      ],
      also: change.startsWith('line = NULL') ? ['I43'] : [],
    })),
    ...[
      'statement_line = statement_line + 1',
      `statement_at = statement_at + interval '1 hour'`,
      'charge_sum_minor = 0',
    ].map((change) => ({
      statements: ({ accountId }: World) => [`UPDATE account SET ${change} WHERE id = '${accountId}'`],
    })),
    {
      statements: ({ complete, partlyRefunded }) => [
        'DROP INDEX ledger_transfer_line_uq',
        `UPDATE ledger_transfer SET line = other.line FROM ledger_transfer AS other
          WHERE ledger_transfer.${toTransfer(complete, 'charge').replace(' AND kind', ' AND ledger_transfer.kind')}
            AND other.${toTransfer(partlyRefunded, 'charge').replace(' AND kind', ' AND other.kind')}`,
      ],
    },
    {
      // A statement whose first line takes money that the second brings.
      statements: () => [
        `WITH owner AS (INSERT INTO account (id, name, statement_line, statement_at, deposit_sum_minor, adjustment_sum_minor)
            VALUES (gen_random_uuid(), 'early', 2, now(), 5, -5) RETURNING id),
          prepaid AS (INSERT INTO ledger_account (kind, account_id) SELECT 'prepaid', id FROM owner RETURNING id, account_id)
        INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id, reference,
            reason, created_at, line, prepaid_balance_after_minor, deposit_sum_minor, charge_sum_minor, refund_sum_minor,
            adjustment_sum_minor, payout_sum_minor)
          SELECT 'adjustment', prepaid.id, house.id, 5, prepaid.account_id, 'early', 'test', now(), 1, -5, 0, 0, 0, -5, 0
            FROM prepaid JOIN ledger_account AS house ON house.kind = 'adjustments'
          UNION ALL
          SELECT 'deposit', house.id, prepaid.id, 5, prepaid.account_id, 'late', NULL, now(), 2, 0, 5, 0, 0, -5, 0
            FROM prepaid JOIN ledger_account AS house ON house.kind = 'cash'`,
      ],
    },
  ],
  I6: [
    {
      statements: ({ gatewayPaid }) => [
        `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
          order_id, created_at)
        SELECT kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id, order_id, created_at
        FROM ledger_transfer WHERE ${toTransfer(gatewayPaid, 'charge')}`,
      ],
      also: ['I47'],
    },
    {
      statements: ({ gatewayPaid }) => [
        `UPDATE ledger_transfer SET amount_minor = amount_minor + 1 WHERE ${toTransfer(gatewayPaid, 'charge')}`,
      ],
      also: ['I95'],
    },
  ],
  I9: [
    {
      statements: ({ gatewayRefunded }) => [
        `UPDATE ledger_transfer SET amount_minor = amount_minor * 3 WHERE ${toTransfer(gatewayRefunded, 'refund')}`,
      ],
      also: ['I48', 'I91', 'I95'],
    },
    {
      statements: ({ closed }) => [
        `UPDATE ledger_transfer SET amount_minor = amount_minor - 1 WHERE ${toTransfer(closed, 'refund')}`,
      ],
      also: ['I3', 'I5', 'I91', 'I95', 'I121'],
    },
    {
      statements: ({ declined, gatewayPaid }) => [
        `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id, order_id,
            created_at)
          SELECT kind, from_ledger_account_id, to_ledger_account_id, total_price_minor, "order".account_id, "order".id, now()
          FROM ledger_transfer CROSS JOIN "order" WHERE "order".id = ${declined}
            AND ledger_transfer.${toTransfer(gatewayPaid, 'charge')}`,
      ],
      also: ['I47'],
    },
    {
      statements: ({ gatewayRefunded }) => [
        `UPDATE "order" SET quantity_refunded = 0 WHERE id = ${gatewayRefunded}`,
      ],
      also: ['I52'],
    },
  ],
  I43: [
    {
      statements: ({ gatewayRefunded }) => [
        `UPDATE ledger_transfer SET from_ledger_account_id = (SELECT id FROM ledger_account WHERE kind = 'cash')
        WHERE ${toTransfer(gatewayRefunded, 'charge')}`,
      ],
      also: ['I95'],
    },
    {
      statements: ({ accountId, gatewayPaid }) => [
        `UPDATE ledger_transfer SET account_id = '${accountId}' WHERE ${toTransfer(gatewayPaid, 'charge')}`,
      ],
    },
    {
      statements: ({ gatewayPaid }) => [
        `UPDATE ledger_transfer SET currency = 'USD' WHERE ${toTransfer(gatewayPaid, 'charge')}`,
      ],
    },
  ],
  I46: {
    statements: ({ accountId }) => [`UPDATE account SET day_units = day_units + 1 WHERE id = '${accountId}'`],
  },
  I47: [
    {
      statements: ({ gatewayPaid }) => [
        `UPDATE gateway_payment SET state = 'declined' WHERE order_id = ${gatewayPaid}`,
      ],
    },
    {
      statements: ({ waiting }) => [
        `UPDATE gateway_payment SET state = 'declined' WHERE order_id = ${waiting}`,
      ],
    },
    {
      statements: ({ waiting }) => [`UPDATE gateway_payment SET state = 'paid' WHERE order_id = ${waiting}`],
    },
  ],
  I48: {
    statements: ({ gatewayRefunded }) => [
      `INSERT INTO gateway_refund (order_id, amount_minor)
        SELECT order_id, amount_minor FROM gateway_refund WHERE order_id = ${gatewayRefunded}`,
    ],
  },
};
