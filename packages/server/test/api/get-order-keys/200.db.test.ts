/** A43, A1, A36, A46. */
import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { type ApiResponse, auto, manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

function toCodes(response: ApiResponse): string[] {
  equal(response.status, 200, JSON.stringify(response.body));
  return response.body.data.flatMap((element: { keys: { code: string }[] }) =>
    element.keys.map((key) => key.code),
  );
}

test('the response has one element per item with as many codes as units, oldest stock first', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing({ stock: 5 });
  const { data } = (await reseller.order(auto(productId, { quantity: 3 }))).body;
  const response = await reseller.get(`/orders/${data.id}/keys`);
  deepEqual(response.body.data, [
    {
      item: { id: data.transactions[0].items[0].id },
      keys: codes.slice(0, 3).map((code) => ({ code })),
    },
  ]);
});

test('every read returns the same codes', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const { id } = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
  const first = toCodes(await reseller.get(`/orders/${id}/keys`));
  deepEqual(toCodes(await reseller.get(`/orders/${id}/keys`)), first);
});

test('no code is delivered to two orders', async () => {
  const buyers = [await h.seed.reseller({ balance: '100.00' }), await h.seed.reseller({ balance: '100.00' })];
  const { offerId, codes } = await h.seed.listing({ price: '1.00', stock: 20 });
  const orders = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const buyer = buyers[index % 2];
      ok(buyer !== undefined);
      const response = await buyer.order(manual(offerId, { quantity: 2 }));
      return { buyer, id: response.body.data.id };
    }),
  );
  const handedOut: string[] = [];
  for (const { buyer, id } of orders) handedOut.push(...toCodes(await buyer.get(`/orders/${id}/keys`)));
  deepEqual(handedOut.sort(), [...codes].sort());
});

test('the audit log has every read with its reader, order, items and number of keys, never a code', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const { data } = (await reseller.order(auto(productId, { quantity: 2 }))).body;
  const reads = [
    await reseller.get(`/orders/${data.id}/keys`),
    await reseller.get(`/orders/${data.id}/keys`),
  ];
  const entries = await h.operate('GET', `/audit?orderId=${data.id}&action=keys.read`);
  equal(entries.length, 2);
  for (const entry of entries) {
    deepEqual([entry.clientId, entry.accountId], [reseller.clientId, reseller.accountId]);
    deepEqual(entry.data, { items: [data.transactions[0].items[0].id], keys: 2 });
    ok(reads.some((read) => read.body.traceId === entry.traceId));
    for (const code of toCodes(reads[0] ?? fail())) ok(!JSON.stringify(entry).includes(code));
  }
});

test('a code with any characters inside it is returned exactly', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId } = await h.seed.listing({ stock: 0 });
  const codes = ['Ключ-Ω-鍵-🔑', 'quo"ted\\back slash"', '<b>&amp;</b>', 'x'.repeat(1000), "1' OR 1=1 --"];
  await h.operate('POST', `/offers/${offerId}/keys`, { keys: codes.map((code) => ({ code })) });
  const { id } = (await reseller.order(auto(productId, { quantity: codes.length }))).body.data;
  deepEqual(toCodes(await reseller.get(`/orders/${id}/keys`)), codes);
});

test('the keys of refunded units stay readable, and those of returned units leave the order', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing({ stock: 3 });
  const { data } = (await reseller.order(auto(productId, { quantity: 3 }))).body;
  const items = [{ id: data.transactions[0].items[0].id, quantity: 1 }];
  await h.operate('POST', `/orders/${data.id}/refund`, { reason: 'x', items, returnToStock: true });
  await h.operate('POST', `/orders/${data.id}/refund`, { reason: 'x', items });
  deepEqual(toCodes(await reseller.get(`/orders/${data.id}/keys`)), codes.slice(0, 2));
});

test('a returned unit is sold again, and only its new owner can read it', async () => {
  const [first, second] = [
    await h.seed.reseller({ balance: '100.00' }),
    await h.seed.reseller({ balance: '100.00' }),
  ];
  const { offerId, codes } = await h.seed.listing({ stock: 1 });
  const returned = (await first.order(manual(offerId))).body.data;
  await h.operate('POST', `/orders/${returned.id}/refund`, { reason: 'unread', returnToStock: true });
  const bought = (await second.order(manual(offerId))).body.data;
  deepEqual(toCodes(await second.get(`/orders/${bought.id}/keys`)), codes);
  equal((await first.get(`/orders/${returned.id}/keys`)).body.error.code, 'order-not-complete');
});

test('a suspended account still reads the keys of its orders', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing({ stock: 1 });
  const { id } = (await reseller.order(auto(productId))).body.data;
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { status: 'suspended' });
  deepEqual(toCodes(await reseller.get(`/orders/${id}/keys`)), codes);
});

test('a read during the release of the order returns all keys or none', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
  const { productId, codes } = await h.seed.listing({ stock: 5, price: '1.00' });
  const { id } = (await reseller.order(auto(productId, { quantity: 5 }))).body.data;
  const reads = Array.from({ length: 10 }, () => reseller.get(`/orders/${id}/keys`));
  const release = h.operate('POST', `/orders/${id}/release`, { reason: 'checked' });
  reads.push(...Array.from({ length: 10 }, () => reseller.get(`/orders/${id}/keys`)));
  await release;
  for (const response of await Promise.all(reads)) {
    if (response.status === 400) equal(response.body.error.code, 'order-not-complete');
    else deepEqual(toCodes(response), codes);
  }
});
