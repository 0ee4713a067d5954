/** Invariants of docs/invariants.md: balances, transfers, charges and refunds. How to add one: invariant.ts. */
import { type Invariant, MADE_HERE } from '../invariant.ts';

export const MONEY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    title: 'every transfer is balanced: two entries that add up to zero in one currency',
    scope: 'whole',
    population: 'ledger_transfer',
    query: `SELECT 'transfer ' || transfer_id AS broken FROM ledger_entry GROUP BY transfer_id
      HAVING sum(amount_minor) <> 0 OR count(*) <> 2 OR count(DISTINCT currency) > 1`,
  },
  {
    id: 'I2',
    title: 'money is conserved: all entries of a currency add up to zero',
    scope: 'whole',
    population: 'ledger_entry',
    query: `SELECT currency AS broken FROM ledger_entry GROUP BY currency HAVING sum(amount_minor) <> 0`,
  },
  {
    id: 'I3',
    title: "an account's balance is the sum of its entries",
    scope: 'whole',
    population: 'account',
    query: `SELECT 'account ' || account.id || ' has ' || balance_minor || ', its entries say ' || coalesce(entry.total, 0) AS broken
      FROM account
      LEFT JOIN ledger_account ON ledger_account.account_id = account.id AND ledger_account.kind = 'prepaid'
      LEFT JOIN (SELECT ledger_account_id, sum(amount_minor) AS total FROM ledger_entry GROUP BY 1) AS entry
        ON entry.ledger_account_id = ledger_account.id
      WHERE balance_minor <> coalesce(entry.total, 0) OR ledger_account.id IS NULL`,
  },
  {
    id: 'I4',
    title: 'no balance is below zero, now or after any line of its statement',
    scope: 'whole',
    population: 'ledger_transfer',
    query: `SELECT 'account ' || id AS broken FROM account WHERE balance_minor < 0
      UNION ALL SELECT 'transfer ' || id FROM ledger_transfer WHERE prepaid_balance_after_minor < 0`,
  },
  {
    id: 'I5',
    title: 'every statement line continues the one before it: number, time, balance and sums by kind',
    scope: 'whole',
    population: 'ledger_transfer WHERE prepaid_balance_after_minor IS NOT NULL',
    query: `SELECT 'transfer ' || id AS broken FROM (
        SELECT transfer.*, row_number() OVER up_to_here AS number, max(created_at) OVER up_to_here AS latest,
          sum(entry.amount_minor) OVER up_to_here AS running,
          coalesce(sum(entry.amount_minor) FILTER (WHERE transfer.kind = 'deposit') OVER up_to_here, 0) AS deposits,
          coalesce(sum(entry.amount_minor) FILTER (WHERE transfer.kind = 'charge') OVER up_to_here, 0) AS charges,
          coalesce(sum(entry.amount_minor) FILTER (WHERE transfer.kind = 'refund') OVER up_to_here, 0) AS refunds,
          coalesce(sum(entry.amount_minor) FILTER (WHERE transfer.kind = 'adjustment') OVER up_to_here, 0) AS adjustments,
          coalesce(sum(entry.amount_minor) FILTER (WHERE transfer.kind = 'payout') OVER up_to_here, 0) AS payouts
        FROM ledger_entry AS entry
        JOIN ledger_account ON ledger_account.id = entry.ledger_account_id AND ledger_account.kind = 'prepaid'
        JOIN ledger_transfer AS transfer ON transfer.id = entry.transfer_id
        WINDOW up_to_here AS (PARTITION BY entry.ledger_account_id ORDER BY entry.transfer_id)
      ) AS line WHERE prepaid_balance_after_minor IS DISTINCT FROM running OR line IS DISTINCT FROM number
        OR created_at < latest OR (deposit_sum_minor, charge_sum_minor, refund_sum_minor, adjustment_sum_minor,
          payout_sum_minor) IS DISTINCT FROM (deposits, charges, refunds, adjustments, payouts)`,
  },
  {
    id: 'I6',
    title: 'a paid order is charged exactly once',
    scope: 'order',
    population: MADE_HERE,
    query: `SELECT 'order ' || paid.id || ' has ' || count(transfer.id) || ' charges' AS broken
      FROM (SELECT "order".id FROM "order" JOIN order_item ON order_item.order_id = "order".id
        WHERE origin = 'export-api' AND total_price_minor > 0
        GROUP BY "order".id HAVING sum(quantity_invoiced) > 0) AS paid
      LEFT JOIN ledger_transfer AS transfer ON transfer.order_id = paid.id AND transfer.kind = 'charge'
      GROUP BY paid.id HAVING count(transfer.id) <> 1`,
  },
  {
    id: 'I7',
    title: "a charge is the order's total price",
    scope: 'order',
    population: `ledger_transfer WHERE kind = 'charge'`,
    query: `SELECT 'order ' || "order".id AS broken FROM ledger_transfer
      JOIN "order" ON "order".id = ledger_transfer.order_id
      WHERE kind = 'charge' AND amount_minor <> total_price_minor`,
  },
  {
    id: 'I8',
    title: 'no charge without an order, none for an unpaid or canceled order without its reversal',
    scope: 'order',
    population: `ledger_transfer WHERE kind IN ('charge', 'refund')`,
    query: `SELECT 'transfer ' || ledger_transfer.id AS broken FROM ledger_transfer
      LEFT JOIN "order" ON "order".id = ledger_transfer.order_id
      WHERE kind IN ('charge', 'refund') AND ("order".id IS NULL OR "order".account_id <> ledger_transfer.account_id)
      UNION ALL
      SELECT 'order ' || "order".id FROM "order" JOIN ledger_transfer AS transfer ON transfer.order_id = "order".id
      WHERE "order".status IN ('pending', 'pending_payment', 'canceled') GROUP BY "order".id
      HAVING sum(CASE transfer.kind WHEN 'charge' THEN amount_minor WHEN 'refund' THEN -amount_minor ELSE 0 END) <> 0`,
  },
  {
    id: 'I9',
    title: 'refunds never exceed the charge, and a closed order is refunded whole',
    scope: 'order',
    population: MADE_HERE,
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      LEFT JOIN LATERAL (SELECT
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'charge'), 0) AS charged,
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0) AS refunded
        FROM ledger_transfer WHERE order_id = "order".id) AS money ON true
      WHERE origin = 'export-api' AND (refunded > charged OR (status = 'closed' AND refunded <> charged))`,
  },
  {
    id: 'I10',
    title: 'orders made here and the entries of their account are in EUR',
    scope: 'whole',
    population: MADE_HERE,
    query: `SELECT 'order ' || id AS broken FROM "order" WHERE origin = 'export-api' AND (currency <> 'EUR' OR decimals <> 2)
      UNION ALL
      SELECT 'transfer ' || transfer_id FROM ledger_entry JOIN ledger_account ON ledger_account.id = ledger_account_id
      WHERE ledger_entry.currency <> ledger_account.currency`,
  },
];
