/**
 * The fixed baseline of orders: one transaction per order on its own seven small tables, which do not
 * change with our schema.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { summarize } from './load.ts';
import type { LoadResult } from './report.ts';

const DATABASE = 'plain_orders';
const ACCOUNTS = 100;
const OFFERS = 2000;
const UNITS_EACH = 200;

const TABLES = `
  CREATE TABLE account (id integer PRIMARY KEY, balance bigint NOT NULL);
  CREATE TABLE offer (id uuid PRIMARY KEY, product_id bigint NOT NULL, price bigint NOT NULL, quantity integer NOT NULL);
  CREATE TABLE unit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, offer_id uuid NOT NULL, code bytea NOT NULL,
    order_id bigint);
  CREATE INDEX ON unit (offer_id, id) WHERE order_id IS NULL;
  CREATE TABLE orders (id bigint PRIMARY KEY, account_id integer NOT NULL, status text NOT NULL, total bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON orders (account_id, created_at);
  CREATE TABLE order_item (order_id bigint PRIMARY KEY, offer_id uuid NOT NULL, quantity integer NOT NULL,
    price bigint NOT NULL);
  CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint, account_id integer,
    amount bigint);
  CREATE TABLE idempotency (account_id integer, key uuid, fingerprint bytea, response text,
    created_at timestamptz DEFAULT now(), PRIMARY KEY (account_id, key));
  INSERT INTO account SELECT id, 1000000000000 FROM generate_series(1, ${ACCOUNTS}) AS id;
  INSERT INTO offer SELECT gen_random_uuid(), 10000000000000 + n, 100 + n % 900, 1000000
    FROM generate_series(1, ${OFFERS}) AS n;
  INSERT INTO unit (offer_id, code) SELECT offer.id, sha256(random()::text::bytea)
    FROM offer, generate_series(1, ${UNITS_EACH});
  ANALYZE`;

const STATEMENTS = {
  claim: 'INSERT INTO idempotency (account_id, key, fingerprint) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
  offer: 'SELECT price, quantity FROM offer WHERE id = $1 FOR UPDATE',
  unit: `UPDATE unit SET order_id = $2 WHERE id IN (
    SELECT id FROM unit WHERE offer_id = $1 AND order_id IS NULL ORDER BY id LIMIT 1) RETURNING id`,
  stock: 'UPDATE offer SET quantity = quantity - 1 WHERE id = $1',
  debit: 'UPDATE account SET balance = balance - $2 WHERE id = $1 AND balance >= $2',
  order: `INSERT INTO orders (id, account_id, status, total) VALUES ($1, $2, 'complete', $3)`,
  item: 'INSERT INTO order_item VALUES ($1, $2, 1, $3)',
  entries:
    'INSERT INTO entry (order_id, account_id, amount) VALUES ($1, $2, -$3::bigint), ($1, 0, $3::bigint)',
  response: 'UPDATE idempotency SET response = $3 WHERE account_id = $1 AND key = $2',
};

export type PlainOrders = {
  run(connections: number, durationMs: number): Promise<LoadResult>;
};

export async function openPlainOrders(serverUrl: string): Promise<PlainOrders> {
  const administrator = await connect(serverUrl);
  await administrator.query(`CREATE DATABASE ${DATABASE}`);
  await administrator.end();
  const url = new URL(serverUrl);
  url.pathname = `/${DATABASE}`;
  const first = await connect(url.href);
  await first.query(TABLES);
  const { rows } = await first.query<{ id: string }>('SELECT id FROM offer');
  await first.end();
  let last = 1_000_000_000_000_000;

  return {
    async run(connections, durationMs) {
      const latencies: number[] = [];
      const startedAt = performance.now();
      const work = async () => {
        const client = await connect(url.href);
        while (performance.now() < startedAt + durationMs) {
          const sentAt = performance.now();
          last += 1;
          const id = last;
          await client.query('BEGIN');
          await placeOne(client, id, rows[randomInt(OFFERS)]?.id);
          await client.query('COMMIT');
          latencies.push(performance.now() - sentAt);
        }
        await client.end();
      };
      await Promise.all(Array.from({ length: connections }, work));
      return summarize(latencies, startedAt);
    },
  };
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function placeOne(client: Client, id: number, offerId: string | undefined): Promise<void> {
  const run = (name: keyof typeof STATEMENTS, values: unknown[]) =>
    client.query<{ price: string }>({ name, text: STATEMENTS[name], values });
  const accountId = 1 + randomInt(ACCOUNTS);
  const key = randomUUID();
  await run('claim', [accountId, key, Buffer.alloc(32)]);
  const { rows } = await run('offer', [offerId]);
  const price = rows[0]?.price;
  await run('unit', [offerId, id]);
  await run('stock', [offerId]);
  await run('debit', [accountId, price]);
  await run('order', [id, accountId, price]);
  await run('item', [id, offerId, price]);
  await run('entries', [id, accountId, price]);
  await run('response', [
    accountId,
    key,
    JSON.stringify({ id: String(id), status: 'complete', total: price }),
  ]);
}
