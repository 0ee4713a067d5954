/** A525. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto, type Reseller, startHarness } from '../../support/harness.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);
const shop = await h.seed.listing({ price: '1.00', stock: 100 });

const NONE = { readsPerSecondMax: null, ordersPerSecondMax: null };

const setLimits = (by: Reseller, limits: unknown) =>
  h.call('PATCH', '/sandbox/v1/account', { token: by.token, body: { limits } });

async function untilLimited(send: () => ReturnType<Reseller['get']>) {
  for (;;) {
    const response = await send();
    if (response.status === 429) return response;
  }
}

test('each budget follows its own limit, only for the clients of this account', async () => {
  const [own, other] = [await h.seed.reseller({ balance: '100.00' }), await h.seed.reseller()];
  const before = (await own.get('/account')).body.data.limits;
  deepEqual({ ...before, ...NONE }, before);
  equal((await own.get('/account')).headers.get('ratelimit-limit'), null);

  const changed = await setLimits(own, { readsPerSecondMax: 3, dailyUnitsMax: 50 });
  deepEqual(changed.body.data.limits, { ...before, readsPerSecondMax: 3, dailyUnitsMax: 50 });
  const read = await own.get('/account');
  deepEqual([read.headers.get('ratelimit-limit'), read.body.data.limits], ['3', changed.body.data.limits]);
  const limited = await untilLimited(() => own.get('/product-offers'));
  deepEqual([limited.body.error.code, limited.body.error.data.limit], ['too-many-requests', 3]);
  ok(Number(limited.headers.get('retry-after')) >= 1);

  equal((await own.order(auto(shop.productId))).headers.get('ratelimit-limit'), null);
  await setLimits(own, { ordersPerSecondMax: 1 });
  const rejected = await untilLimited(() => own.order(auto(shop.productId)));
  equal(rejected.body.error.data.limit, 1);

  equal((await other.get('/account')).headers.get('ratelimit-limit'), null);
  const reset = await setLimits(own, NONE);
  deepEqual(reset.body.data.limits, { ...before, dailyUnitsMax: 50 });
  for (const path of ['/account', '/product-offers'])
    equal((await own.get(path)).headers.get('ratelimit-limit'), null);
});

test('a forced 429 names the account’s own limit, and the audit log has the old and the new value', async () => {
  const reseller = await h.seed.reseller();
  await setLimits(reseller, { ordersPerSecondMax: 7 });
  const { status, body } = await reseller.order(auto(shop.productId), randomUUID(), {
    'keyport-scenario': 'rate-limited',
  });
  deepEqual([status, body.error.data.limit], [429, 7]);
  const [entry] = await h.operate('GET', `/audit?accountId=${reseller.accountId}&action=account.update`);
  deepEqual(entry.data, { ordersPerSecondMax: { from: null, to: 7 } });
});

test('a limit applies on every node until it is changed', async (t) => {
  const both = await startTwoNodes(t);
  const reseller = await both.h.seed.reseller();
  const limitsAt = (url: string) =>
    reseller
      .at(url)
      .get('/account')
      .then(({ headers }) => headers.get('ratelimit-limit'));
  for (const { url } of both.nodes) equal(await limitsAt(url), null);
  for (const [limit, shown] of [
    [5, '5'],
    [1000, '1000'],
    [null, null],
  ] as const) {
    const { token } = reseller;
    const body = { limits: { readsPerSecondMax: limit } };
    equal((await both.h.call('PATCH', '/sandbox/v1/account', { token, body })).status, 200);
    equal(await limitsAt(both.h.service.url), shown);
    for (const { url } of both.nodes) while ((await limitsAt(url)) !== shown);
  }
});
