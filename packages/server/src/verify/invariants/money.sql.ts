import { TRANSFER_KINDS as KINDS } from '@keyport/core/ledger';
import type { Invariant } from '../invariant.ts';

export const MONEY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I3',
    title: "an account's balance is the sum of its entries",
    population: 'account',
    query: `SELECT 'account ' || account.id || ' has ' || balance_minor || ', but its entries add up to ' || coalesce(entry.total, 0) AS broken
      FROM account
      LEFT JOIN ledger_account ON ledger_account.account_id = account.id AND ledger_account.kind = 'prepaid'
      LEFT JOIN (SELECT ledger_account_id, sum(amount_minor) AS total FROM ledger_entry GROUP BY 1) AS entry
        ON entry.ledger_account_id = ledger_account.id
      WHERE balance_minor <> coalesce(entry.total, 0) OR ledger_account.id IS NULL`,
  },
  {
    id: 'I5',
    title:
      'every statement line continues the one before it (number, time, balance and sums), no balance is below zero, and the account matches the last line',
    population: 'ledger_transfer WHERE line IS NOT NULL',
    // A line that moves no prepaid balance is also a violation.
    query: `WITH booked AS (
        SELECT transfer.*, CASE WHEN target.id IS NOT NULL THEN amount_minor WHEN source.id IS NOT NULL THEN -amount_minor END AS change
        FROM ledger_transfer AS transfer
        LEFT JOIN ledger_account AS source ON source.id = from_ledger_account_id AND source.kind = 'prepaid'
        LEFT JOIN ledger_account AS target ON target.id = to_ledger_account_id AND target.kind = 'prepaid'
      ), proven AS (
        SELECT *, row_number() OVER up_to_here AS number, max(created_at) OVER up_to_here AS latest,
          sum(change) OVER up_to_here AS running, ARRAY[${KINDS.map(
            (kind) => `coalesce(sum(change) FILTER (WHERE kind = '${kind}') OVER up_to_here, 0)`,
          ).join(', ')}] AS sums
        FROM booked WHERE line IS NOT NULL OR change IS NOT NULL
        WINDOW up_to_here AS (PARTITION BY account_id ORDER BY id ROWS UNBOUNDED PRECEDING)
      )
      SELECT 'transfer ' || id AS broken FROM proven WHERE change IS NULL OR line IS DISTINCT FROM number
        OR created_at < latest OR prepaid_balance_after_minor IS DISTINCT FROM running OR running < 0
        OR ARRAY[${KINDS.map((kind) => `${kind}_sum_minor::numeric`).join(', ')}] IS DISTINCT FROM sums
      UNION ALL
      SELECT 'account ' || account.id FROM account
      LEFT JOIN (SELECT DISTINCT ON (account_id) * FROM ledger_transfer WHERE line IS NOT NULL ORDER BY account_id, line DESC)
        AS last ON last.account_id = account.id
      WHERE (statement_line, statement_at, ${KINDS.map((kind) => `account.${kind}_sum_minor`).join(', ')})
        IS DISTINCT FROM (coalesce(line, 0), coalesce(last.created_at, to_timestamp(0)),
          ${KINDS.map((kind) => `coalesce(last.${kind}_sum_minor, 0)`).join(', ')})`,
  },
  {
    id: 'I6',
    title: 'a paid order is charged exactly once, its total price, and a free one never',
    query: `SELECT 'order ' || id || ' has ' || coalesce(times, 0) || ' charges of ' || coalesce(charged, 0) || ' in all instead of '
        || total_price_minor AS broken
      FROM "order"
      LEFT JOIN (SELECT order_id, count(*) AS times, sum(amount_minor) AS charged FROM ledger_transfer WHERE kind = 'charge'
        GROUP BY order_id) AS charge ON charge.order_id = id
      WHERE origin = 'export-api' AND (charged <> times * total_price_minor
        OR (total_price_minor = 0 OR quantity_invoiced > 0)
          AND coalesce(times, 0) <> CASE WHEN total_price_minor > 0 THEN 1 ELSE 0 END)`,
  },
  {
    id: 'I9',
    title:
      'refunds never exceed the charge and need refunded units or a canceled order; a closed or unpaid order is refunded in full',
    query: `SELECT 'order ' || id || ', charged ' || charged || ', refunded ' || refunded AS broken FROM "order"
      JOIN (SELECT order_id, coalesce(sum(amount_minor) FILTER (WHERE kind = 'charge'), 0) AS charged,
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0) AS refunded
        FROM ledger_transfer WHERE kind IN ('charge', 'refund') GROUP BY order_id) AS money ON money.order_id = id
      WHERE refunded > charged OR (refunded > 0 AND status <> 'canceled' AND coalesce(quantity_refunded, 0) = 0)
        OR (refunded <> charged AND (status IN ('closed', 'canceled', 'pending', 'pending_payment')
          OR held_from IN ('pending', 'pending_payment')))`,
  },
  {
    id: 'I43',
    title:
      'a transfer runs between the ledger accounts that its kind and the payment method prescribe, in their currency, and a charge or refund is for an order of its account',
    population: 'ledger_transfer',
    query: `SELECT 'transfer ' || transfer.id || ' (' || transfer.kind || ')' AS broken FROM ledger_transfer AS transfer
      LEFT JOIN ledger_account AS source ON source.id = from_ledger_account_id
      LEFT JOIN ledger_account AS target ON target.id = to_ledger_account_id
      LEFT JOIN "order" ON "order".id = transfer.order_id
      CROSS JOIN LATERAL (SELECT CASE payment_method WHEN 'balance' THEN 'prepaid' ELSE payment_method END AS payer) AS method
      WHERE coalesce(source.account_id, target.account_id, transfer.account_id) <> transfer.account_id
        OR (prepaid_balance_after_minor IS NULL) <> (source.account_id IS NULL AND target.account_id IS NULL)
        OR transfer.currency <> source.currency OR transfer.currency <> target.currency
        OR (transfer.kind IN ('charge', 'refund')
          AND ("order".origin, "order".account_id) IS DISTINCT FROM ('export-api', transfer.account_id))
        OR CASE transfer.kind
          WHEN 'deposit' THEN (source.kind, target.kind) = ('cash', 'prepaid')
          WHEN 'payout' THEN (source.kind, target.kind) = ('prepaid', 'cash')
          WHEN 'adjustment' THEN (source.kind, target.kind) IN (('adjustments', 'prepaid'), ('prepaid', 'adjustments'))
          WHEN 'charge' THEN (source.kind, target.kind) = (payer, 'sales')
          WHEN 'refund' THEN (source.kind, target.kind) = ('sales', payer) END IS NOT TRUE`,
  },
  {
    id: 'I46',
    title: "an account's daily sums are those of its orders of that UTC day",
    population: 'account',
    query: `SELECT 'account ' || account.id || ' counted ' || day_spend_minor || ' cents and ' || day_units || ' units on '
        || account.spend_day || ', but its orders add up to ' || coalesce(sum(placed.total), 0) || ' and ' || coalesce(sum(placed.units), 0)
        AS broken
      FROM account
      LEFT JOIN LATERAL (SELECT total_price_minor AS total, quantity_ordered AS units
        FROM "order" WHERE "order".account_id = account.id AND origin = 'export-api'
          AND "order".status <> 'canceled' AND NOT image_refunded AND "order".spend_day IS NULL
          AND "order".created_at >= account.spend_day AT TIME ZONE 'UTC'
          AND "order".created_at < (account.spend_day + 1) AT TIME ZONE 'UTC'
        UNION ALL
        SELECT total_price_minor, quantity_ordered
        FROM "order" WHERE "order".account_id = account.id AND "order".spend_day = account.spend_day
          AND "order".status <> 'canceled' AND NOT image_refunded) AS placed ON true
      GROUP BY account.id, account.spend_day, day_spend_minor, day_units
      HAVING (day_spend_minor, day_units) <> (coalesce(sum(placed.total), 0), coalesce(sum(placed.units), 0))`,
  },
  {
    id: 'I47',
    title:
      'exactly the gateway orders have a provider payment, of the right amount and state; an unpaid order waits for an open one',
    population: 'gateway_payment',
    query: `SELECT 'order ' || "order".id || ', payment ' || coalesce(payment.state, '(none)') || ', '
        || count(transfer.id) || ' charges' AS broken
      FROM "order" LEFT JOIN gateway_payment AS payment ON payment.order_id = "order".id
      LEFT JOIN ledger_transfer AS transfer ON transfer.order_id = "order".id AND transfer.kind = 'charge'
      WHERE origin = 'export-api' AND (payment_method = 'gateway' OR payment.order_id IS NOT NULL)
      GROUP BY "order".id, payment.order_id
      HAVING (payment.order_id IS NOT NULL) <> (payment_method = 'gateway' AND total_price_minor > 0)
        OR payment.amount_minor <> total_price_minor
        OR count(transfer.id) <> CASE WHEN payment.state = 'paid' THEN 1 ELSE 0 END
        OR (payment.state = 'open' AND "order".status NOT IN ('pending', 'pending_payment', 'held', 'canceled'))
        OR (payment.state <> 'open' AND "order".status IN ('pending', 'pending_payment'))
        OR (payment.state IN ('declined', 'abandoned', 'amount_mismatch') AND "order".status <> 'canceled')`,
  },
  {
    id: 'I48',
    title: 'the refunds sent to a provider are those that the books refunded through it',
    population: 'gateway_refund',
    query: `SELECT 'order ' || coalesce(reported.order_id, booked.order_id) AS broken
      FROM (SELECT order_id, sum(amount_minor) AS amount, count(*) AS times FROM gateway_refund
          WHERE is_booked GROUP BY order_id) AS reported
      FULL JOIN (SELECT transfer.order_id, sum(amount_minor) AS amount, count(*) AS times FROM ledger_transfer AS transfer
        JOIN ledger_account AS target ON target.id = to_ledger_account_id AND target.kind = 'gateway'
        WHERE transfer.kind = 'refund' GROUP BY transfer.order_id) AS booked ON booked.order_id = reported.order_id
      WHERE (reported.amount, reported.times) IS DISTINCT FROM (booked.amount, booked.times)`,
  },
];
