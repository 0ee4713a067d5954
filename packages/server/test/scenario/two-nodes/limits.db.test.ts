/** A63. */
import { equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { testEngine } from '../../support/database.ts';
import { auto, type Reseller } from '../../support/harness.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';

const READS_PER_SECOND = 20;
const LIMITS = { KEYPORT_RATE_LIMIT_READS_PER_SECOND: String(READS_PER_SECOND) };

const onPostgres = { skip: testEngine === 'embedded' };

/** Returns how many requests passed. */
async function countPassed(reseller: Reseller, path: string, untilMs: number): Promise<number> {
  let passed = 0;
  while (performance.now() < untilMs) {
    const { status, headers } = await reseller.get(path);
    ok([200, 429].includes(status));
    equal(headers.get('ratelimit-limit'), String(READS_PER_SECOND));
    if (status === 200) passed += 1;
    // Without a pause the requests would leave the nodes too little processor time to count.
    else await sleep(5);
  }
  return passed;
}

test(
  'a client that sends requests to both nodes for ten seconds gets one budget, not two',
  onPostgres,
  async (t) => {
    const { h, nodes } = await startTwoNodes(t, LIMITS);
    const reseller = await h.seed.reseller();
    const startedAtMs = performance.now();
    const untilMs = startedAtMs + 10_000;
    // Reads of the catalogue and of the account share a budget.
    const counts = await Promise.all([
      countPassed(reseller.at(nodes[0].url), '/product-offers', untilMs),
      countPassed(reseller.at(nodes[1].url), '/account', untilMs),
    ]);
    const passed = counts[0] + counts[1];
    const seconds = (performance.now() - startedAtMs) / 1000;
    // Each node begins with its share of a burst.
    const passedMax = READS_PER_SECOND * (seconds + 1) + 1;
    ok(passed <= passedMax, `${passed} of at most ${passedMax} in ${seconds} s`);
  },
);

test(
  'a caller that waits as long as Retry-After says passes again, on either node',
  onPostgres,
  async (t) => {
    const { h, nodes } = await startTwoNodes(t, LIMITS);
    const reseller = await h.seed.reseller();
    for (const node of nodes) {
      const responses = await Promise.all(
        Array.from({ length: 3 * READS_PER_SECOND }, () => reseller.at(node.url).get('/account')),
      );
      ok(responses.some(({ status }) => status === 429));
    }
    for (const node of nodes) {
      let response = await reseller.at(node.url).get('/account');
      for (let tries = 0; response.status === 429 && tries < 10; tries += 1) {
        await sleep(1000 * Number(response.headers.get('retry-after')));
        response = await reseller.at(node.url).get('/account');
      }
      equal(response.status, 200);
    }
  },
);

test('orders have a separate budget, which both nodes share', onPostgres, async (t) => {
  const { h, nodes } = await startTwoNodes(t, { KEYPORT_RATE_LIMIT_ORDERS_PER_SECOND: '1' });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 50 });
  for (const node of nodes) equal((await reseller.at(node.url).order(auto(productId))).status, 201);
  equal((await reseller.get('/account')).headers.get('ratelimit-limit'), null);
  const rejected = await reseller.order(auto(productId));
  equal(rejected.status, 429);
  ok(Number(rejected.headers.get('retry-after')) >= 1);
});

test('each node lets its share of on-demand deliveries to webhook endpoints pass', onPostgres, async (t) => {
  const { h, nodes } = await startTwoNodes(t);
  const { token } = await h.seed.reseller();
  const body = { url: 'http://127.0.0.1:9/', types: ['*'] };
  const created = await h.call('POST', '/export/v1/webhook-endpoints', { token, body });
  const path = `/export/v1/webhook-endpoints/${created.body.data.id}/test`;
  const countAccepted = async (url: string) => {
    for (let accepted = 0; ; accepted += 1)
      if ((await h.callAt(url, 'POST', path, { token })).status === 429) return accepted;
  };
  for (const { url } of nodes) {
    const accepted = await countAccepted(url);
    ok(accepted >= 30 && accepted < 60, `${accepted}`);
  }
});

test('a node that has lost its database continues with its own limit', onPostgres, async (t) => {
  const { h, nodes, link } = await startTwoNodes(t, LIMITS, { isLinked: true });
  const reseller = (await h.seed.reseller()).at(nodes[1].url);
  equal((await reseller.get('/product-offers')).status, 200);
  link?.down();
  const responses = await Promise.all(
    Array.from({ length: 3 * READS_PER_SECOND }, () => reseller.get('/product-offers')),
  );
  const passed = responses.filter(({ status }) => status === 200).length;
  ok(passed >= READS_PER_SECOND / 2 - 1);
  ok(responses.some(({ status }) => status === 429));
  link?.restore();
  await nodes[1].catalogueInStep();
});

test('each node lets its share of wrong secrets from one address pass', onPostgres, async (t) => {
  const { h, nodes } = await startTwoNodes(t);
  const { clientId, clientSecret } = await h.seed.reseller();
  const ask = (url: string, client_secret: string) =>
    h.callAt(url, 'POST', '/oauth/token', {
      body: { grant_type: 'client_credentials', client_id: clientId, client_secret },
    });
  for (const { url } of nodes) {
    equal((await ask(url, clientSecret)).status, 200);
    const guesses = await Promise.all(Array.from({ length: 50 }, () => ask(url, 'kpsec_wrong')));
    ok(guesses.every(({ status }) => status === 401));
    const limited = await ask(url, clientSecret);
    equal(limited.status, 429);
    ok(Number(limited.headers.get('retry-after')) <= 60);
  }
});
