import type { Breaks } from './break.ts';
import type { World } from './world.ts';

const transferOf = (orderId: string, kind: string) => `order_id = ${orderId} AND kind = '${kind}'`;

export const MONEY_BREAKS: Breaks = {
  I1: {
    // One row names both sides, so only a redefined view can report a one-sided transfer.
    statements: ({ complete }) => [
      `CREATE OR REPLACE VIEW ledger_entry AS
        SELECT id AS transfer_id, from_ledger_account_id AS ledger_account_id, -amount_minor AS amount_minor, currency
          FROM ledger_transfer
        UNION ALL
        SELECT id, to_ledger_account_id, amount_minor, currency FROM ledger_transfer
          WHERE NOT (${transferOf(complete, 'charge')})`,
    ],
    also: ['I2'],
  },
  I2: {
    statements: () => [
      `CREATE OR REPLACE VIEW ledger_entry AS
        SELECT id AS transfer_id, from_ledger_account_id AS ledger_account_id, -amount_minor AS amount_minor, currency
          FROM ledger_transfer
        UNION ALL
        SELECT id, to_ledger_account_id, amount_minor,
          CASE WHEN kind = 'deposit' THEN 'USD' ELSE currency END FROM ledger_transfer`,
    ],
    also: ['I1', 'I10'],
  },
  I3: {
    statements: ({ accountId }) => [
      `UPDATE account SET balance_minor = balance_minor + 1 WHERE id = '${accountId}'`,
    ],
  },
  I4: {
    statements: ({ accountId }) => [
      'ALTER TABLE account DROP CONSTRAINT account_balance_ck',
      `UPDATE account SET balance_minor = -1 WHERE id = '${accountId}'`,
    ],
    also: ['I3'],
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
        `UPDATE ledger_transfer SET ${change} WHERE ${transferOf(complete, 'charge')}`,
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
          WHERE ledger_transfer.${transferOf(complete, 'charge').replace(' AND kind', ' AND ledger_transfer.kind')}
            AND other.${transferOf(partlyRefunded, 'charge').replace(' AND kind', ' AND other.kind')}`,
      ],
    },
  ],
  I67: {
    // Charges have no unique index on the reference, so the duplicate needs no change to the schema.
    statements: ({ accountId }) => [
      `UPDATE ledger_transfer SET reference = 'twice' WHERE account_id = '${accountId}' AND kind = 'charge'`,
    ],
  },
  I6: {
    statements: ({ gatewayPaid }) => [
      `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
          order_id, created_at)
        SELECT kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id, order_id, created_at
        FROM ledger_transfer WHERE ${transferOf(gatewayPaid, 'charge')}`,
    ],
    also: ['I47'],
  },
  I7: {
    statements: ({ gatewayPaid }) => [
      `UPDATE ledger_transfer SET amount_minor = amount_minor + 1 WHERE ${transferOf(gatewayPaid, 'charge')}`,
    ],
    also: ['I96', 'I125'],
  },
  I8: {
    statements: ({ accountId, gatewayPaid }) => [
      `UPDATE ledger_transfer SET account_id = '${accountId}' WHERE ${transferOf(gatewayPaid, 'charge')}`,
    ],
  },
  I9: {
    statements: ({ gatewayRefunded }) => [
      `UPDATE ledger_transfer SET amount_minor = amount_minor * 3 WHERE ${transferOf(gatewayRefunded, 'refund')}`,
    ],
    also: ['I48', 'I91', 'I96', 'I125'],
  },
  I10: {
    statements: ({ complete }) => [`UPDATE "order" SET currency = 'USD' WHERE id = ${complete}`],
  },
  I43: {
    statements: ({ gatewayRefunded }) => [
      `UPDATE ledger_transfer SET from_ledger_account_id = (SELECT id FROM ledger_account WHERE kind = 'cash')
        WHERE ${transferOf(gatewayRefunded, 'charge')}`,
    ],
    also: ['I96'],
  },
  I44: {
    statements: ({ gatewayRefunded }) => [
      `UPDATE "order" SET quantity_refunded = 0 WHERE id = ${gatewayRefunded}`,
    ],
    also: ['I52'],
  },
  I45: {
    statements: () => [
      'ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_uq',
      `INSERT INTO ledger_account (kind) VALUES ('gateway')`,
    ],
  },
  I46: {
    statements: ({ accountId }) => [`UPDATE account SET day_units = day_units + 1 WHERE id = '${accountId}'`],
  },
  I47: {
    statements: ({ gatewayPaid }) => [
      `UPDATE gateway_payment SET state = 'declined' WHERE order_id = ${gatewayPaid}`,
    ],
  },
  I48: {
    statements: ({ gatewayRefunded }) => [
      `INSERT INTO gateway_refund (order_id, amount_minor)
        SELECT order_id, amount_minor FROM gateway_refund WHERE order_id = ${gatewayRefunded}`,
    ],
  },
};
