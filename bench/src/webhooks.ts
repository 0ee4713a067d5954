/** Measures deliveries to healthy receivers while 64 endpoints hang, fail or are slow. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '@keyport/proof/load/operator';
import { type Buyer, type Offer, openShop } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { demand, quantiles } from './report.ts';
import { type Child, startChild, startService } from './service.ts';

const ENDPOINTS_EACH = 16;
const HEALTHY_ORDERS_PER_SECOND = 63;
const SICK_ACCOUNTS = 4;
const SICK_ORDERS_PER_SECOND = 4;
const SICK_PATHS = ['/hang', '/500', '/reset', '/slow'];
const WARM_UP_MS = 10_000;
const MEASURED_MS = 20_000;

export async function benchWebhooks(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const receivers = await startChild('./webhook-receivers.ts');
  const service = await startService(postgres.url);
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
    await orderFor(orders, WARM_UP_MS);
    await readDelays(receivers);
    await orderFor(orders, MEASURED_MS);
    const delays = await readDelays(receivers);
    console.log(`         webhooks: p99 ${quantiles(delays)(0.99)} ms after the commit`);
    const name = 'webhooks/s beside 64 endpoints that hang, fail or are slow';
    demand(name, delays.length / (MEASURED_MS / 1000), { atLeast: 500 });
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

/** Orders at steady rates, regardless of responses. */
async function orderFor({ service, offers, healthy, sick }: Orders, durationMs: number): Promise<void> {
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
  };
  const sent: Promise<unknown>[] = [];
  const startedAtMs = performance.now();
  let [healthySent, sickSent] = [0, 0];
  for (;;) {
    const elapsedMs = performance.now() - startedAtMs;
    if (elapsedMs >= durationMs) break;
    for (; healthySent < (elapsedMs / 1000) * HEALTHY_ORDERS_PER_SECOND; healthySent += 1) {
      sent.push(order(healthy));
    }
    for (; sickSent < (elapsedMs / 1000) * SICK_ORDERS_PER_SECOND; sickSent += 1) {
      const buyer = sick[sickSent % sick.length];
      if (buyer !== undefined) sent.push(order(buyer));
    }
    await sleep(10);
  }
  await Promise.all(sent);
}

function readDelays({ process: child }: Child): Promise<number[]> {
  return new Promise((resolve) => {
    child.once('message', (delays) => resolve(delays as number[]));
    child.send('delays');
  });
}
