/** A46. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('every read of keys has an entry with the reader, time, keys and count, and no code', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing();
  const order = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
  const reads = [
    await reseller.get(`/orders/${order.id}/keys`),
    await reseller.get(`/orders/${order.id}/keys`),
  ];
  const response = await h.call('GET', `/admin/v1/audit?orderId=${order.id}&action=keys.read`, {
    token: h.operatorToken,
  });
  equal(response.body.meta.totalResults, 2);
  const text = JSON.stringify(response.body);
  for (const code of codes) ok(!text.includes(code));
  type Entry = { clientId: string; accountId: string; orderId: string; traceId: string };
  deepEqual(
    response.body.data.map(({ clientId, accountId, orderId, traceId }: Entry) => [
      clientId,
      accountId,
      orderId,
      traceId,
    ]),
    reads.reverse().map(({ body }) => [reseller.clientId, reseller.accountId, order.id, body.traceId]),
    'newest first',
  );
});

test('every operator action has an entry without secrets and codes', async () => {
  const reseller = await h.seed.reseller({ balance: '1.00' });
  const { clientSecret } = await h.operate('POST', `/clients/${reseller.clientId}/secrets`);
  const { codes } = await h.seed.listing();
  const entries = await h.operate('GET', '/audit?clientId=test-operator&itemsPerPage=100');
  const actions = new Set(entries.map(({ action }: { action: string }) => action));
  for (const action of [
    'account.create',
    'client.create',
    'client.secret',
    'product.put',
    'offer.put',
    'keys.add',
  ]) {
    ok(actions.has(action), action);
  }
  const text = JSON.stringify(entries);
  for (const secret of [clientSecret, reseller.clientSecret, ...codes]) ok(!text.includes(secret));
});

test('bounds are inclusive, and a dateTo before dateFrom is rejected', async () => {
  await h.seed.seller();
  const [newest] = await h.operate('GET', '/audit?itemsPerPage=10');
  const found = await h.operate('GET', `/audit?dateFrom=${newest.at}&dateTo=${newest.at}`);
  ok(found.some(({ id }: { id: string }) => id === newest.id));
  const response = await h.call(
    'GET',
    '/admin/v1/audit?dateFrom=2026-01-02T00:00:00Z&dateTo=2026-01-01T00:00:00Z',
    { token: h.operatorToken },
  );
  deepEqual([response.status, response.body.error.errors[0].field], [400, 'query.dateTo']);
});
