/**
 * Puts orders of the last months into the tables, as if they had been placed here one after the other: with items,
 * status logs, stored responses, transfers and sold keys, so that `verify` finds nothing broken. A million takes a minute
 * or two, because every table is filled by one statement and foreign keys are not checked row by row. That needs a
 * superuser, so it is for a benchmark's own server only.
 */
import { Client } from 'pg';

export type PastOrders = {
  readonly databaseUrl: string;
  /** Accounts made with a balance that pays for the orders, which go round among them. */
  readonly accountIds: readonly string[];
  readonly count: number;
};

/** Of a hundred orders 90 are complete, 5 closed, 4 canceled, and one is held. */
const STATUS = `CASE WHEN n % 100 < 90 THEN 'complete' WHEN n % 100 < 95 THEN 'closed'
  WHEN n % 100 < 99 THEN 'canceled' ELSE 'held' END`;

/**
 * n counts on from the orders that earlier calls made. Ids lie below every id that the service makes today. The offers
 * that exist are sold in turn, at 10 cents.
 */
const PLAN = `
  CREATE TEMPORARY TABLE past AS
  WITH offers AS (SELECT array_agg(id ORDER BY id) AS ids FROM offer),
  first AS (SELECT count(*) AS n FROM "order" WHERE id < 1100000000000000),
  numbered AS (
    SELECT first.n + step AS n, step, ($1::uuid[])[1 + step % cardinality($1::uuid[])] AS account_id,
      offers.ids[1 + step % cardinality(offers.ids)] AS offer_id
    FROM first, offers, generate_series(0, $2::integer - 1) AS step
  )
  SELECT n, 1000000000000000 + n AS id, (1000000000000000 + n) * 100 + 1 AS item_id, numbered.account_id,
    ledger_account.id AS ledger_account_id, offer_id, offer.product_id, product.name AS product_name, offer.seller_id,
    seller.name AS seller_name, ${STATUS} AS status, gen_random_uuid() AS key,
    now() - interval '300 days' + step * (interval '299 days' / $2::integer) AS created_at
  FROM numbered
  JOIN ledger_account ON ledger_account.account_id = numbered.account_id AND ledger_account.kind = 'prepaid'
  JOIN offer ON offer.id = offer_id
  JOIN product ON product.id = offer.product_id
  JOIN seller ON seller.id = offer.seller_id
  ORDER BY n`;

const STATEMENTS = [
  `INSERT INTO "order" (id, account_id, status, held_from, created_at, completed_at, currency, discount_minor,
    total_price_minor, payment_method, origin, idempotency_key, image_refunded)
  SELECT id, account_id, status, CASE WHEN status = 'held' THEN 'pending' END, created_at,
    CASE WHEN status = 'complete' THEN created_at END, 'EUR', 0, 10, 'balance', 'export-api', key, status = 'closed'
  FROM past ORDER BY n`,
  `INSERT INTO order_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name, unit_price_minor,
    max_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
  SELECT item_id, id, offer_id, product_id, product_name, seller_id, seller_name, 10, 10, 1,
    (status IN ('complete', 'closed'))::integer, (status = 'complete')::integer, (status = 'closed')::integer
  FROM past ORDER BY n`,
  `INSERT INTO order_status_log (order_id, via, to_status, at, actor, reason)
  SELECT id, CASE WHEN status IN ('complete', 'closed') THEN '{pending,processing}'::text[] ELSE '{pending}' END, status,
    created_at, 'bench', 'past order'
  FROM past ORDER BY n`,
  `INSERT INTO idempotency_record (account_id, operation, idempotency_key, fingerprint, status, body, order_id,
    created_at, finished_at)
  SELECT account_id, 'createOrder', key, '1|manual|' || offer_id || '|1|10|EUR', 201,
    json_build_object('data', json_build_object('id', id::text, 'status', status, 'createdAt', created_at,
      'discount', '0.00', 'totalPrice', '0.10', 'currency', 'EUR', 'transactions', json_build_array(json_build_object(
        'id', id || '-1', 'seller', json_build_object('id', seller_id, 'name', seller_name), 'items',
        json_build_array(json_build_object('id', item_id::text, 'product', json_build_object('id', product_id::text,
          'name', product_name), 'offer', json_build_object('id', offer_id), 'price', '0.10', 'totalPrice', '0.10'))
    )))), id, created_at, created_at
  FROM past ORDER BY n`,
  `INSERT INTO stock_key (id, offer_id, kind, state, order_item_id, data_key_id, nonce, ciphertext, code_mac)
  SELECT nextval('stock_key_id_seq'), offer_id, 'text', 'sold', item_id, (SELECT min(id) FROM data_key),
    decode('ff' || lpad(to_hex(n), 22, '0'), 'hex'), sha256('ciphertext'), sha256(('past ' || n)::bytea)
  FROM past WHERE status = 'complete' ORDER BY n`,
  // A charge for each paid order, and the refund of each closed one right after it.
  `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
    prepaid_balance_after_minor, order_id, created_at)
  SELECT movement.kind, CASE movement.kind WHEN 'charge' THEN ledger_account_id ELSE sales.id END,
    CASE movement.kind WHEN 'charge' THEN sales.id ELSE ledger_account_id END, 10, past.account_id,
    account.balance_minor + sum(change) OVER (PARTITION BY past.account_id ORDER BY n, movement.kind), past.id,
    past.created_at
  FROM past
  JOIN account ON account.id = past.account_id
  JOIN ledger_account AS sales ON sales.kind = 'sales'
  JOIN (VALUES ('complete', 'charge', -10), ('closed', 'charge', -10), ('closed', 'refund', 10))
    AS movement (status, kind, change) ON movement.status = past.status
  ORDER BY n, movement.kind`,
  `UPDATE account SET balance_minor = balance_minor - spent.amount
  FROM (SELECT account_id, 10 * count(*) FILTER (WHERE status = 'complete') AS amount FROM past GROUP BY account_id) AS spent
  WHERE account.id = spent.account_id`,
  // The triggers that count late orders were off, so the history worker counts everything again.
  'TRUNCATE history_bucket',
  `UPDATE history_horizon SET counted_until = '-infinity'`,
];

/** Adds `count` past orders. The database needs offers and at least one product key. */
export async function seedPastOrders(wanted: PastOrders): Promise<void> {
  const client = new Client({ connectionString: wanted.databaseUrl });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL session_replication_role = replica`);
    await client.query(PLAN, [wanted.accountIds, wanted.count]);
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query('COMMIT');
    // What autovacuum would do within minutes, and the benchmark cannot wait for.
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
