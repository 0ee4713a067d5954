/**
 * Writes orders of the last months to the tables with all that belongs to them, so that `verify` finds no
 * violation. One statement fills each table without foreign key checks, which needs a superuser.
 */
import { Client } from 'pg';

export type PastOrders = {
  readonly databaseUrl: string;
  /** Orders are spread over them in turn; their balances must suffice. */
  readonly accountIds: readonly string[];
  readonly count: number;
  readonly isReferred?: boolean;
};

/**
 * 90 of 100 orders are complete, 5 closed because no text unit was left, 4 declined by a provider, and one is held.
 */
const STATUS = `CASE WHEN n % 100 < 90 THEN 'complete' WHEN n % 100 < 95 THEN 'closed'
  WHEN n % 100 < 99 THEN 'canceled' ELSE 'held' END`;

/**
 * n continues after the orders of earlier calls. Ids are below all ids that the service creates today. The
 * orders sell the existing offers in turn, at 10 cents, and number the units from `next_unit`.
 */
const PLAN = `
  CREATE TEMPORARY TABLE past AS
  WITH offers AS (SELECT array_agg(id ORDER BY id) AS ids FROM offer),
  first AS (SELECT count(*) AS n FROM "order" WHERE id < 1100000000000000),
  numbered AS (
    SELECT first.n + step AS n, step, ($1::uuid[])[1 + step % cardinality($1::uuid[])] AS account_id,
      offers.ids[1 + step % cardinality(offers.ids)] AS offer_id
    FROM first, offers, generate_series(0, $2::integer - 1) AS step
  ), placed AS (
    SELECT *, ${STATUS} AS status FROM numbered
  )
  SELECT n, 1000000000000000 + n AS id, placed.account_id, ledger_account.id AS ledger_account_id, offer_id,
    product.name AS product_name, seller.name AS seller_name, placed.status, gen_random_uuid() AS key,
    CASE WHEN $3::boolean THEN 'Shop-' || n * 7919 END AS reference,
    now() - interval '300 days' + step * (interval '299 days' / $2::integer) AS created_at,
    CASE WHEN placed.status <> 'closed'
      THEN next_unit - 1 + count(*) FILTER (WHERE placed.status <> 'closed') OVER (PARTITION BY offer_id ORDER BY n)
    END AS first_unit
  FROM placed
  JOIN ledger_account ON ledger_account.account_id = placed.account_id AND ledger_account.kind = 'prepaid'
  JOIN offer ON offer.id = offer_id
  JOIN product ON product.id = offer.product_id
  JOIN seller ON seller.id = offer.seller_id
  ORDER BY n`;

const STATEMENTS = [
  `INSERT INTO "order" (id, account_id, status, held_from, hold_reason, created_at, completed_at, currency, discount_minor,
    total_price_minor, payment_method, origin, idempotency_key, trace_id, is_auto, image_refunded, offer_id, product_name,
    seller_name, unit_price_minor, max_price_minor, first_unit, quantity_ordered, quantity_invoiced, quantity_shipped,
    quantity_refunded, reference)
  SELECT id, account_id, status, CASE WHEN status = 'held' THEN 'processing' END,
    CASE WHEN status = 'held' THEN 'the account is under review' END, created_at,
    CASE WHEN status = 'complete' THEN created_at END, 'EUR', 0, 10,
    CASE WHEN status = 'canceled' THEN 'gateway' ELSE 'balance' END, 'export-api', key, md5('trace ' || n)::uuid, false,
    status = 'closed', offer_id, product_name, seller_name, 10, 10, first_unit, 1, (status <> 'canceled')::integer, (status = 'complete')::integer,
    (status = 'closed')::integer, reference
  FROM past ORDER BY n`,
  `INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
  SELECT id, 'pending_payment', 'canceled', created_at, 'bench', 'past order' FROM past WHERE status = 'canceled' ORDER BY n`,
  `INSERT INTO gateway_payment (order_id, customer, amount_minor, state, expires_at, next_check_at, response_status,
    response_body, answered_at)
  SELECT id, 'past', 10, 'declined', created_at + interval '30 minutes', created_at, 402,
    json_build_object('error', json_build_object('code', 'payment-went-wrong', 'message', 'The payment was declined.',
      'status', 402, 'data', json_build_object('orderId', id::text))), created_at
  FROM past WHERE status = 'canceled' ORDER BY n`,
  // Units on sale get higher numbers, which frees theirs for sold units. The unit numbers of canceled orders
  // stay unused.
  'ALTER TABLE stock_key DROP CONSTRAINT stock_key_number_uq',
  `UPDATE stock_key SET number = number + sold.units
  FROM (SELECT offer_id, count(first_unit)::integer AS units FROM past GROUP BY offer_id) AS sold
  JOIN offer ON offer.id = sold.offer_id
  WHERE stock_key.offer_id = offer.id AND number >= next_unit`,
  `INSERT INTO stock_key (id, offer_id, kind, number, data_key_id, nonce, ciphertext, code_mac)
  SELECT nextval('stock_key_id_seq'), offer_id, 'text', first_unit, (SELECT min(id) FROM data_key),
    decode('ff' || lpad(to_hex(n), 22, '0'), 'hex'), sha256('ciphertext'), sha256(('past ' || n)::bytea)
  FROM past WHERE status IN ('complete', 'held') ORDER BY n`,
  'ALTER TABLE stock_key ADD CONSTRAINT stock_key_number_uq UNIQUE (offer_id, number)',
  `UPDATE offer SET next_unit = next_unit + sold.numbers, end_unit = end_unit + sold.numbers, units = offer.units + sold.units
  FROM (SELECT offer_id, count(first_unit)::integer AS numbers,
      count(*) FILTER (WHERE status IN ('complete', 'held'))::integer AS units
    FROM past GROUP BY offer_id) AS sold
  WHERE offer.id = sold.offer_id`,
  // A paid order gets a charge, and a closed one also a refund. Line numbers continue the account's
  // statement.
  `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
    prepaid_balance_after_minor, order_id, created_at, line, deposit_sum_minor, charge_sum_minor, refund_sum_minor,
    adjustment_sum_minor, payout_sum_minor)
  SELECT movement.kind, CASE movement.kind WHEN 'charge' THEN ledger_account_id ELSE sales.id END,
    CASE movement.kind WHEN 'charge' THEN sales.id ELSE ledger_account_id END, 10, past.account_id,
    last.prepaid_balance_after_minor + sum(change) OVER up_to_here, past.id, greatest(past.created_at, last.created_at),
    last.line + row_number() OVER up_to_here, last.deposit_sum_minor,
    last.charge_sum_minor + coalesce(sum(change) FILTER (WHERE movement.kind = 'charge') OVER up_to_here, 0),
    last.refund_sum_minor + coalesce(sum(change) FILTER (WHERE movement.kind = 'refund') OVER up_to_here, 0),
    last.adjustment_sum_minor, last.payout_sum_minor
  FROM past
  JOIN (SELECT DISTINCT ON (account_id) * FROM ledger_transfer WHERE line IS NOT NULL ORDER BY account_id, line DESC) AS last
    ON last.account_id = past.account_id
  JOIN ledger_account AS sales ON sales.kind = 'sales'
  JOIN (VALUES ('complete', 'charge', -10), ('held', 'charge', -10), ('closed', 'charge', -10), ('closed', 'refund', 10))
    AS movement (status, kind, change) ON movement.status = past.status
  WINDOW up_to_here AS (PARTITION BY past.account_id ORDER BY n, movement.kind)
  ORDER BY n, movement.kind`,
  `UPDATE account SET balance_minor = balance_minor - spent.amount
  FROM (SELECT account_id, 10 * count(*) AS amount FROM past WHERE status IN ('complete', 'held') GROUP BY account_id) AS spent
  WHERE account.id = spent.account_id`,
  `UPDATE account SET statement_line = line, statement_at = last.created_at, charge_sum_minor = last.charge_sum_minor,
    refund_sum_minor = last.refund_sum_minor
  FROM (SELECT DISTINCT ON (account_id) * FROM ledger_transfer WHERE line IS NOT NULL ORDER BY account_id, line DESC) AS last
  WHERE last.account_id = account.id`,
];

/** The database needs offers and at least one product key. */
export async function seedPastOrders(wanted: PastOrders): Promise<void> {
  const client = new Client({ connectionString: wanted.databaseUrl });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL session_replication_role = replica`);
    await client.query(PLAN, [wanted.accountIds, wanted.count, wanted.isReferred ?? false]);
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query('COMMIT');
    // Autovacuum would do this within minutes.
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/** The worker of the sums counts past orders automatically. */
export async function waitUntilCounted(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query(
        `SELECT (SELECT position FROM stream_position WHERE stream = 'order') >= (SELECT max(serial) FROM "order")
          AND (SELECT position FROM stream_position WHERE stream = 'transfer') >= (SELECT max(id) FROM ledger_transfer)
          AS counted`,
      );
      if (rows[0].counted) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await client.query('VACUUM ANALYZE bucket_sum');
  } finally {
    await client.end();
  }
}
