/**
 * Every invariant of docs/invariants.md as SQL: each query returns the broken rows, so a sound database answers none.
 * Used by the tests after every run, by `keyport verify` and by the operator interface. Runs in one snapshot.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

type Invariant = {
  /** The number in docs/invariants.md. */
  readonly id: string;
  readonly title: string;
  /** Counts what is looked at. */
  readonly population: string;
  /** One text column `broken`: what is wrong, for people. */
  readonly query: string;
};

/** Broken rows that are shown of one invariant. */
const EXAMPLES_MAX = 10;

const MADE_HERE = `"order" WHERE origin = 'export-api'`;

export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    title: 'every transfer is balanced: two entries that add up to zero in one currency',
    population: 'ledger_transfer',
    query: `SELECT 'transfer ' || transfer_id AS broken FROM ledger_entry GROUP BY transfer_id
      HAVING sum(amount_minor) <> 0 OR count(*) <> 2 OR count(DISTINCT currency) > 1`,
  },
  {
    id: 'I2',
    title: 'money is conserved: all entries of a currency add up to zero',
    population: 'ledger_entry',
    query: `SELECT currency AS broken FROM ledger_entry GROUP BY currency HAVING sum(amount_minor) <> 0`,
  },
  {
    id: 'I3',
    title: "an account's balance is the sum of its entries",
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
    population: 'ledger_transfer',
    query: `SELECT 'account ' || id AS broken FROM account WHERE balance_minor < 0
      UNION ALL SELECT 'transfer ' || id FROM ledger_transfer WHERE prepaid_balance_after_minor < 0`,
  },
  {
    id: 'I5',
    title: 'the running balance of every statement line is the sum up to it',
    population: 'ledger_transfer WHERE prepaid_balance_after_minor IS NOT NULL',
    query: `SELECT 'transfer ' || transfer_id AS broken FROM (
        SELECT entry.transfer_id, transfer.prepaid_balance_after_minor AS stored,
          sum(entry.amount_minor) OVER (PARTITION BY entry.ledger_account_id ORDER BY entry.transfer_id) AS running
        FROM ledger_entry AS entry
        JOIN ledger_account ON ledger_account.id = entry.ledger_account_id AND ledger_account.kind = 'prepaid'
        JOIN ledger_transfer AS transfer ON transfer.id = entry.transfer_id
      ) AS line WHERE stored IS DISTINCT FROM running`,
  },
  {
    id: 'I6',
    title: 'a paid order is charged exactly once',
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
    population: `ledger_transfer WHERE kind = 'charge'`,
    query: `SELECT 'order ' || "order".id AS broken FROM ledger_transfer
      JOIN "order" ON "order".id = ledger_transfer.order_id
      WHERE kind = 'charge' AND amount_minor <> total_price_minor`,
  },
  {
    id: 'I8',
    title: 'no charge without an order, none for an unpaid or canceled order without its reversal',
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
    population: MADE_HERE,
    query: `SELECT 'order ' || id AS broken FROM "order" WHERE origin = 'export-api' AND (currency <> 'EUR' OR decimals <> 2)
      UNION ALL
      SELECT 'transfer ' || transfer_id FROM ledger_entry JOIN ledger_account ON ledger_account.id = ledger_account_id
      WHERE ledger_entry.currency <> ledger_account.currency`,
  },
  {
    id: 'I12',
    title: 'transfers, status log and audit are append-only',
    population: `pg_trigger WHERE tgname LIKE '%_append_only'`,
    query: `SELECT expected.name || ' is missing or disabled' AS broken
      FROM (VALUES ('ledger_transfer_append_only'), ('order_status_log_append_only'), ('audit_entry_append_only'))
        AS expected (name)
      LEFT JOIN pg_trigger ON tgname = expected.name AND tgenabled <> 'D' WHERE pg_trigger.oid IS NULL`,
  },
  {
    id: 'I13',
    title: "an order's total is the sum of its lines less the discount",
    population: '"order"',
    query: `SELECT 'order ' || "order".id AS broken FROM "order" LEFT JOIN order_item ON order_item.order_id = "order".id
      GROUP BY "order".id
      HAVING total_price_minor IS DISTINCT FROM sum(unit_price_minor * quantity_ordered) - discount_minor`,
  },
  {
    id: 'I14',
    title: 'quantities of a line are within their bounds and agree with the status',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id || ' of a ' || status || ' order' AS broken
      FROM order_item JOIN "order" ON "order".id = order_item.order_id
      WHERE NOT (quantity_ordered BETWEEN 1 AND 25 AND quantity_shipped BETWEEN 0 AND quantity_ordered
          AND quantity_invoiced BETWEEN 0 AND quantity_ordered AND quantity_refunded BETWEEN 0 AND quantity_invoiced)
        OR (origin = 'export-api' AND (
          (status IN ('pending', 'pending_payment', 'canceled') AND quantity_invoiced > 0)
          OR (status IN ('processing', 'complete', 'closed') AND quantity_invoiced <> quantity_ordered)
          OR (status = 'complete' AND quantity_shipped + quantity_refunded < quantity_ordered)
          OR (status = 'closed' AND quantity_refunded <> quantity_ordered)))`,
  },
  {
    id: 'I15',
    title: 'the unit price never exceeds the maxPrice of the request',
    population: 'order_item WHERE max_price_minor IS NOT NULL',
    query: `SELECT 'item ' || id AS broken FROM order_item WHERE unit_price_minor > max_price_minor`,
  },
  {
    id: 'I16',
    title: 'the status log is a legal path that ends in the present status',
    population: 'order_status_log',
    query: `WITH step AS (
        SELECT log.order_id, log.id, status.place, status.name AS to_status,
          lag(status.name) OVER (PARTITION BY log.order_id ORDER BY log.id, status.place) AS before,
          CASE WHEN status.place = 1 THEN log.from_status END AS stated_before,
          lead(status.name) OVER (PARTITION BY log.order_id ORDER BY log.id, status.place) AS next
        FROM order_status_log AS log CROSS JOIN LATERAL unnest(log.via || log.to_status) WITH ORDINALITY AS status (name, place)
      ), legal (from_status, to_status) AS (VALUES
        ('pending', 'pending_payment'), ('pending', 'processing'), ('pending', 'canceled'), ('pending', 'held'),
        ('pending_payment', 'processing'), ('pending_payment', 'canceled'), ('pending_payment', 'held'),
        ('processing', 'complete'), ('processing', 'held'), ('processing', 'closed'),
        ('held', 'pending'), ('held', 'pending_payment'), ('held', 'processing'), ('held', 'canceled'), ('held', 'closed'),
        ('complete', 'complete'), ('complete', 'closed'))
      SELECT 'order ' || step.order_id || ': ' || coalesce(step.before, '(none)') || ' to ' || step.to_status AS broken
      FROM step JOIN "order" ON "order".id = step.order_id
      WHERE origin = 'export-api' AND (
        (step.before IS NULL AND step.to_status <> 'pending')
        OR (step.before IS NOT NULL AND NOT EXISTS (SELECT FROM legal
          WHERE legal.from_status = step.before AND legal.to_status = step.to_status))
        OR (step.place = 1 AND step.stated_before IS DISTINCT FROM step.before)
        OR (step.next IS NULL AND step.to_status <> "order".status))
      UNION ALL
      SELECT 'order ' || id || ' has no status log' FROM "order"
      WHERE NOT EXISTS (SELECT FROM order_status_log WHERE order_id = "order".id)`,
  },
  {
    id: 'I17',
    title: 'order ids made here have 16 digits',
    population: MADE_HERE,
    query: `SELECT 'order ' || id AS broken FROM "order" WHERE origin = 'export-api' AND length(id::text) <> 16`,
  },
  {
    id: 'I18',
    title: 'no order of an excluded product',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id AS broken FROM order_item
      JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api'
      JOIN product ON product.id = order_item.product_id
      WHERE checkout_class <> 'standard' AND NOT EXISTS (SELECT FROM audit_entry
        WHERE action IN ('product.put', 'import.products') AND audit_entry.at > "order".created_at)`,
  },
  {
    id: 'I19',
    title: 'no order was created in the future',
    population: '"order"',
    query: `SELECT 'order ' || id AS broken FROM "order" WHERE created_at > clock_timestamp()`,
  },
  {
    id: 'I20',
    title: 'a shipped unit is a sold key of that line, and none more',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id || ' shipped ' || quantity_shipped || ', sold keys ' || count(stock_key.id) AS broken
      FROM order_item JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api'
      LEFT JOIN stock_key ON stock_key.order_item_id = order_item.id AND state = 'sold'
      GROUP BY order_item.id HAVING count(stock_key.id) <> quantity_shipped`,
  },
  {
    id: 'I21',
    title: 'a line has all its units or none',
    population: 'order_item',
    query: `SELECT 'item ' || order_item.id AS broken
      FROM order_item JOIN "order" ON "order".id = order_item.order_id AND origin = 'export-api'
      LEFT JOIN stock_key ON stock_key.order_item_id = order_item.id
      WHERE status IN ('pending', 'pending_payment', 'processing', 'held')
      GROUP BY order_item.id HAVING count(stock_key.id) NOT IN (0, quantity_ordered)`,
  },
  {
    id: 'I22',
    title: 'sold and reserved units belong to a line, others to none',
    population: 'stock_key',
    query: `SELECT 'unit ' || id AS broken FROM stock_key
      WHERE (state IN ('sold', 'reserved')) <> (order_item_id IS NOT NULL)`,
  },
  {
    id: 'I23',
    title: 'a unit belongs to a line of its own offer, and that line exists',
    population: 'stock_key WHERE order_item_id IS NOT NULL',
    query: `SELECT 'unit ' || stock_key.id AS broken FROM stock_key
      LEFT JOIN order_item ON order_item.id = stock_key.order_item_id
      WHERE order_item_id IS NOT NULL AND (order_item.id IS NULL OR stock_key.offer_id <> order_item.offer_id)`,
  },
  {
    id: 'I25',
    title: "an offer's counts are its available units",
    population: 'offer',
    query: `SELECT 'offer ' || offer.id AS broken FROM offer
      LEFT JOIN (SELECT offer_id, count(*) FILTER (WHERE kind = 'text') AS texts, count(*) FILTER (WHERE kind = 'image') AS images
        FROM stock_key WHERE state = 'available' GROUP BY offer_id) AS unit ON unit.offer_id = offer.id
      WHERE available_text <> coalesce(texts, 0) OR available_image <> coalesce(images, 0)`,
  },
  {
    id: 'I26',
    title: 'no reservation outlives its time limit',
    population: `stock_key WHERE state = 'reserved'`,
    query: `SELECT 'unit ' || id AS broken FROM stock_key
      WHERE state = 'reserved' AND reserved_until < clock_timestamp() - interval '60 seconds'`,
  },
  {
    id: 'I27',
    title: 'no code is held twice',
    population: 'stock_key',
    query: `SELECT 'units ' || string_agg(id::text, ', ') AS broken FROM stock_key GROUP BY code_mac HAVING count(*) > 1`,
  },
  {
    id: 'I29',
    title: 'every order of this interface has one idempotency record',
    population: MADE_HERE,
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      LEFT JOIN idempotency_record ON idempotency_record.order_id = "order".id
      WHERE origin = 'export-api' GROUP BY "order".id HAVING count(idempotency_record.order_id) <> 1`,
  },
  {
    id: 'I30',
    title: 'record and order agree: account, key, and the order in the stored body',
    population: 'idempotency_record',
    query: `SELECT 'record ' || record.idempotency_key AS broken FROM idempotency_record AS record
      LEFT JOIN "order" ON "order".id = record.order_id
      WHERE (record.order_id IS NOT NULL AND ("order".id IS NULL OR "order".account_id <> record.account_id
          OR "order".idempotency_key <> record.idempotency_key))
        OR (record.status = 201 AND (record.order_id IS NULL
          OR record.body::jsonb #>> '{data,id}' IS DISTINCT FROM record.order_id::text))
        OR (record.status IS NULL AND "order".status NOT IN ('pending_payment', 'held'))`,
  },
  {
    id: 'I31',
    title: 'no idempotency key made two orders',
    population: MADE_HERE,
    query: `SELECT 'key ' || idempotency_key AS broken FROM "order" WHERE idempotency_key IS NOT NULL
      GROUP BY account_id, idempotency_key HAVING count(*) > 1`,
  },
  {
    id: 'I32',
    title: 'no nonce was used twice with one data key',
    population: 'stock_key',
    query: `SELECT 'data key ' || data_key_id AS broken FROM stock_key GROUP BY data_key_id, nonce HAVING count(*) > 1`,
  },
  {
    id: 'I34',
    title: 'every revealed unit was revealed by an entry of the audit log, for the line that holds it',
    population: 'key_reveal',
    query: `SELECT 'unit ' || key_reveal.stock_key_id AS broken FROM key_reveal
      JOIN stock_key ON stock_key.id = key_reveal.stock_key_id
      LEFT JOIN audit_entry ON audit_entry.id = key_reveal.audit_entry_id AND audit_entry.action = 'keys.read'
      WHERE audit_entry.id IS NULL OR stock_key.order_item_id IS DISTINCT FROM key_reveal.order_item_id`,
  },
  {
    id: 'I37',
    title: 'stamps are unique and none is above the catalogue clock',
    population: 'product_stamp',
    query: `SELECT 'product ' || product_id AS broken FROM product_stamp, catalogue_clock WHERE stamp > last_stamp`,
  },
];

export type InvariantResult = {
  readonly id: string;
  readonly title: string;
  /** Rows looked at. */
  readonly checked: number;
  readonly broken: number;
  /** The first broken rows, for people. */
  readonly examples: readonly string[];
};

/** Checks one invariant. Reads whole tables: minutes on a big database. */
export async function checkInvariant(db: Kysely<Schema>, invariant: Invariant): Promise<InvariantResult> {
  const population = await sql<{
    count: number;
  }>`SELECT count(*) AS count FROM ${sql.raw(invariant.population)}`.execute(db);
  const { rows } = await sql<{ broken: string; total: number }>`
    SELECT broken, count(*) OVER () AS total FROM (${sql.raw(invariant.query)}) AS found LIMIT ${EXAMPLES_MAX}`.execute(
    db,
  );
  return {
    id: invariant.id,
    title: invariant.title,
    checked: population.rows[0]?.count ?? 0,
    broken: rows[0]?.total ?? 0,
    examples: rows.map((row) => row.broken),
  };
}
