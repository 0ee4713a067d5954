/**
 * Measures deliveries to healthy receivers while 64 endpoints hang, fail or are slow; resources while a
 * million deliveries are pending; and the time for 10,000 deliveries that become due together.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '@keyport/proof/load/operator';
import { type Buyer, type Offer, openShop } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import { type Child, readUsage, startChild } from './processes.ts';
import { quantiles } from './quantiles.ts';
import { startService } from './service.ts';

const ENDPOINTS_EACH = 16;
const HEALTHY_ORDERS_PER_SECOND = 63;
const SICK_ACCOUNTS = 4;
const SICK_ORDERS_PER_SECOND = 4;
const SICK_PATHS = ['/hang', '/500', '/reset', '/slow'];
const WARM_UP_MS = 10_000;
const MEASURED_MS = 20_000;
const PENDING = 1_000_000;
const PENDING_MS = 20_000;
const BURST = 10_000;

export async function benchWebhooks(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const receivers = await startChild('./webhook-receivers.ts');
  const service = await startService({ databaseUrl: postgres.url });
  try {
    const size = { products: 100, offersEach: 1, stockEach: 2000, resellers: 1 + SICK_ACCOUNTS };
    const { offers, buyers } = await openShop(service.url, size);
    const [healthy, ...sick] = buyers;
    if (healthy === undefined) throw new Error('the shop has no resellers');
    await addEndpoints(service, healthy, () => `${receivers.url}/ok`);
    for (const buyer of sick) {
      await addEndpoints(
        service,
        buyer,
        (index) => `${receivers.url}${SICK_PATHS[index % SICK_PATHS.length]}`,
      );
    }
    const orders = { service, offers, healthy, sick };
    console.log(
      `webhooks: ${ENDPOINTS_EACH} healthy endpoints, and 64 that hang, return 500, reset the connection or respond slowly`,
    );
    await orderFor(orders, WARM_UP_MS);
    await measure('with failing endpoints', receivers, orders, MEASURED_MS);
    await makePending(postgres.url);
    await measure(`with ${PENDING} pending deliveries to failing endpoints`, receivers, orders, PENDING_MS);
    await measureBurst(postgres.url, receivers);
  } finally {
    await service.stop();
    await receivers.stop();
    await postgres.stop();
  }
}

type Orders = {
  readonly service: Child;
  readonly offers: readonly Offer[];
  readonly healthy: Buyer;
  readonly sick: readonly Buyer[];
};

async function addEndpoints({ url }: Child, { token }: Buyer, urlOf: (index: number) => string) {
  for (let index = 0; index < ENDPOINTS_EACH; index += 1) {
    const body = JSON.stringify({ url: urlOf(index), types: ['*'] });
    const response = await call(url, { method: 'POST', path: '/export/v1/webhook-endpoints', token, body });
    if (response.status !== 201) throw new Error(response.text());
  }
}

/** Orders at steady rates, regardless of responses. Returns the number of orders of the healthy account. */
async function orderFor({ service, offers, healthy, sick }: Orders, durationMs: number): Promise<number> {
  let placed = 0;
  const order = async ({ token }: Buyer) => {
    const offerId = offers[Math.floor(Math.random() * offers.length)]?.id;
    const body = JSON.stringify({ items: [{ manual: { offerId, quantity: 1, maxPrice: '1000.00' } }] });
    const headers = { 'idempotency-key': randomUUID() };
    const response = await call(service.url, {
      method: 'POST',
      path: '/export/v1/orders',
      token,
      body,
      headers,
    });
    if (response.status !== 201) throw new Error(response.text());
    return true;
  };
  const sent: Promise<unknown>[] = [];
  const startedAtMs = performance.now();
  let [healthySent, sickSent] = [0, 0];
  for (;;) {
    const elapsedMs = performance.now() - startedAtMs;
    if (elapsedMs >= durationMs) break;
    for (; healthySent < (elapsedMs / 1000) * HEALTHY_ORDERS_PER_SECOND; healthySent += 1) {
      sent.push(order(healthy).then(() => (placed += 1)));
    }
    for (; sickSent < (elapsedMs / 1000) * SICK_ORDERS_PER_SECOND; sickSent += 1) {
      const buyer = sick[sickSent % sick.length];
      if (buyer !== undefined) sent.push(order(buyer));
    }
    await sleep(10);
  }
  await Promise.all(sent);
  return placed;
}

async function measure(what: string, receivers: Child, orders: Orders, durationMs: number): Promise<void> {
  await readDelays(receivers);
  await readUsage(orders.service);
  const placed = await orderFor(orders, durationMs);
  await sleep(2000);
  const delays = await readDelays(receivers);
  const usage = await readUsage(orders.service);
  const quantile = quantiles(delays);
  const rate = Math.round(delays.length / (durationMs / 1000));
  console.log(
    `  ${what}: ${rate} deliveries/s to healthy receivers (${delays.length} of ${placed * ENDPOINTS_EACH}), ` +
      `p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(1)} ms after commit (goal: p99 below 1000); ` +
      `service: ${Math.round(usage.residentMb)} MB, ${(usage.processorMs / (durationMs + 2000)).toFixed(2)} processors`,
  );
}

function readDelays({ process: child }: Child): Promise<number[]> {
  return new Promise((resolve) => {
    child.once('message', (delays) => resolve(delays as number[]));
    child.send('delays');
  });
}

/** Makes deliveries to the healthy endpoints due in one statement, as after an outage or a replay. */
async function measureBurst(url: string, receivers: Child): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await readDelays(receivers);
    const startedAtMs = performance.now();
    await client.query(
      `UPDATE webhook_delivery SET next_attempt_at = now(), tries = 0, is_delivered = false
        WHERE (endpoint, event_id) IN (
          SELECT endpoint, event_id FROM webhook_delivery JOIN webhook_endpoint ON number = endpoint
          WHERE url LIKE '%/ok' ORDER BY event_id DESC LIMIT $1)`,
      [BURST],
    );
    let delivered = 0;
    while (delivered < BURST) {
      await sleep(50);
      delivered += (await readDelays(receivers)).length;
    }
    const seconds = (performance.now() - startedAtMs) / 1000;
    console.log(
      `  ${BURST} deliveries due at the same time: all delivered in ${seconds.toFixed(1)} s, ${Math.round(delivered / seconds)}/s`,
    );
  } finally {
    await client.end();
  }
}

/** Adds deliveries of the existing events, and of copies of one event, to the failing endpoints. */
async function makePending(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `CREATE TEMP TABLE sick AS SELECT number, account_id FROM webhook_endpoint WHERE url NOT LIKE '%/ok'`,
    );
    await client.query(
      `INSERT INTO event (id, account_id, type, order_id, data)
        SELECT first.id - place * 64 - row_number() OVER (PARTITION BY place), first.account_id, type, order_id, data
        FROM (SELECT DISTINCT ON (account_id) * FROM event
          WHERE account_id IN (SELECT account_id FROM sick) ORDER BY account_id, id) AS first
        CROSS JOIN generate_series(1, $1::bigint / 64) AS place`,
      [PENDING],
    );
    await client.query(
      `INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at)
        SELECT number, id, now() FROM sick JOIN event USING (account_id) ON CONFLICT DO NOTHING`,
    );
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}
