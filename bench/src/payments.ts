/**
 * Gateway orders while the payment provider hangs: how fast units return to sale, immediately for orders that
 * never reached the provider, and after the time limit for those it may have charged (docs/payments.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { providerSettings, startAdapterProvider } from '@keyport/server/test/support/providers/configured';
import { Client } from 'pg';
import { runLoad } from './load.ts';
import { type OrderShop, openOrderShop } from './order-shop.ts';

const CALLERS = 256;
const PLACING_MS = 10_000;
const OPEN_PAYMENTS = 20_000;
const LOOK_INTERVAL_MS = 1000;
const DRAIN_MAX_SECONDS = 90;

export async function benchPayments(): Promise<void> {
  const ends: (() => Promise<void> | void)[] = [];
  const provider = await startAdapterProvider({ onTestFinished: (end) => void ends.push(end) }, 'http');
  const postgres = await startPostgres({ durable: true });
  const settings = {
    ...providerSettings('http', provider.url),
    KEYPORT_GATEWAY_TIMEOUT_MS: '10000',
    KEYPORT_MODE: 'sandbox',
  };
  const shop = await openOrderShop({ databaseUrl: postgres.url }, settings);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query(`UPDATE account SET payment_method = 'gateway', gateway_customer = 'cus_pending'`);
    await leaveOpen(shop, client);
    provider.pause();
    await measureGivingUp(client);
    await measureOrders(shop, client);
  } finally {
    await client.end();
    await shop.stop();
    for (const end of ends) await end();
    await postgres.stop();
  }
}

/** As many orders whose charges the provider has in progress, all like one that was placed. */
async function leaveOpen(shop: OrderShop, client: Client): Promise<void> {
  await runLoad({ port: shop.port(), connectionCount: 1, durationMs: 1, nextRequest: shop.orderRequest });
  for (const statement of COPY_STATEMENTS) await client.query(statement);
}

const COPY_STATEMENTS = [
  `CREATE TEMP TABLE place AS SELECT first.id AS order_id, first.id + place AS new_order_id, free.*
    FROM (SELECT id FROM "order" WHERE status = 'pending_payment' LIMIT 1) AS first,
    (SELECT row_number() OVER () AS place, gen_random_uuid() AS key, offer_id, number FROM (
      SELECT offer_id, number FROM stock_key JOIN offer ON offer.id = offer_id WHERE number >= next_unit
      ORDER BY offer_id, number LIMIT ${OPEN_PAYMENTS}) AS unit) AS free`,
  copyRows('"order"', 'id', {
    id: 'new_order_id',
    idempotency_key: 'key',
    offer_id: 'place.offer_id',
    first_unit: 'number',
  }),
  copyRows('gateway_payment', 'order_id', { order_id: 'new_order_id' }),
  `UPDATE offer SET next_unit = next_unit + taken.units
    FROM (SELECT offer_id, count(*)::integer AS units FROM place GROUP BY offer_id) AS taken WHERE offer.id = taken.offer_id`,
  'ANALYZE',
];

/** Copies the first order's row of a table for every place, with these columns changed. */
function copyRows(table: string, column: string, changes: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(changes).flatMap(([name, value]) => [`'${name}'`, value]);
  return `INSERT INTO ${table} SELECT (jsonb_populate_record(original, jsonb_build_object(${pairs.join(', ')}))).*
    FROM place JOIN ${table} AS original ON original.${column} = place.order_id`;
}

async function measureGivingUp(client: Client): Promise<void> {
  const open = await countReserved(client);
  await client.query(
    `UPDATE gateway_payment SET expires_at = now() - interval '30 s', next_check_at = now()`,
  );
  const startedAtMs = performance.now();
  const seconds = () => (performance.now() - startedAtMs) / 1000;
  let left = open;
  let rateMax = 0;
  for (
    let look = { left, seconds: 0 };
    left > 0 && seconds() < DRAIN_MAX_SECONDS;
    look = { left, seconds: seconds() }
  ) {
    await sleep(LOOK_INTERVAL_MS);
    left = await countReserved(client);
    rateMax = Math.max(rateMax, (look.left - left) / (seconds() - look.seconds));
  }
  console.log(`The time is over for ${open} open payments at a provider that hangs`);
  console.log(
    `  ${open - left} given up after ${seconds().toFixed(1)} s, at most ${Math.round(rateMax)} in one second\n`,
  );
}

async function measureOrders(shop: OrderShop, client: Client): Promise<void> {
  const before = await countReserved(client);
  const { requestsPerSecond, p50Ms, p99Ms, statuses } = await order(shop, PLACING_MS);
  const after = await countReserved(client);
  console.log(`${CALLERS} callers order for ${PLACING_MS / 1000} s while the provider hangs`);
  console.log(
    `  ${Math.round(requestsPerSecond)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  ${JSON.stringify(statuses)}`,
  );
  console.log(`  ${after - before} orders still hold units\n`);
}

function order(shop: OrderShop, durationMs: number) {
  const { port, orderRequest: nextRequest } = shop;
  return runLoad({ port: port(), connectionCount: CALLERS, durationMs, nextRequest });
}

async function countReserved(client: Client): Promise<number> {
  const { rows } = await client.query<{ units: number }>(
    `SELECT coalesce(sum(quantity_ordered), 0)::integer AS units FROM "order"
      WHERE status = 'pending_payment' AND first_unit IS NOT NULL`,
  );
  return rows[0]?.units ?? 0;
}
