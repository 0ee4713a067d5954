/** R7, A3 to A5. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '100.00' });

async function show(productId: string, query = '') {
  const texts: string[] = [];
  for (const path of ['products', 'product-offers']) {
    const response = await fetch(`${h.url}/export/v1/${path}/${productId}${query}`, {
      headers: { authorization: `Bearer ${reseller.token}` },
    });
    equal(response.status, 200);
    match(response.headers.get('content-type') ?? '', /^application\/json/);
    const text = await response.text();
    equal(JSON.parse(text).traceId, response.headers.get('x-trace-id'));
    texts.push(text.replace(JSON.parse(text).traceId, ''));
  }
  equal(texts[0], texts[1], 'byte for byte');
  const answer = await reseller.get(`/products/${productId}${query}`);
  return answer.body.data;
}

test('a product has exactly the documented members, under both paths', async () => {
  const { productId, offerId } = await h.seed.listing({ price: '12.30', stock: 4 });
  const listed = (await reseller.get(`/product-offers?productIds[]=${productId}`)).body.data[0];
  const { minPrice, ...expected } = listed;
  equal(minPrice, '12.30');
  const product = await show(productId);
  deepEqual(product, expected);
  deepEqual(product.offers, [{ id: offerId, price: '12.30', quantity: 4 }]);
});

test('maxPrice keeps only the offers at or below it, with their quantity', async () => {
  const productId = await h.seed.product();
  const cheap = await h.seed.offer({ productId, price: '5.00', stock: 2 });
  const dear = await h.seed.offer({ productId, price: '8.00', stock: 4 });
  const rows: [query: string, offers: string[], total: number][] = [
    ['?maxPrice=5', [cheap.id], 2],
    ['?maxPrice=7.99&totalQuantity=2', [cheap.id], 2],
    ['?maxPrice=8.00', [cheap.id, dear.id], 6],
    ['?totalQuantity=6', [cheap.id, dear.id], 6],
    ['?page=0&status=x', [cheap.id, dear.id], 6],
  ];
  for (const [query, offers, total] of rows) {
    const product = await show(productId, query);
    deepEqual(
      [product.offers.map(({ id }: { id: string }) => id), product.totalQuantity],
      [offers, total],
      query,
    );
  }
});

test('an order immediately lowers the remaining quantity and increases updatedAt', async () => {
  const { productId } = await h.seed.listing({ stock: 3 });
  const before = await show(productId);
  equal((await reseller.order(auto(productId, { quantity: 2 }))).status, 201);
  await h.seed.inStep();
  const later = await show(productId);
  deepEqual([later.totalQuantity, later.offers[0].quantity], [1, 1]);
  ok(later.updatedAt > before.updatedAt);
});

async function rejection(rest: string) {
  const [response, alias] = await Promise.all(
    ['products', 'product-offers'].map((path) => reseller.get(`/${path}/${rest}`)),
  );
  equal(response?.status, 400, rest);
  deepEqual(alias?.body.error, response.body.error, rest);
  return response.body.error;
}

async function assertNotFound(productId: string, query = '') {
  const error = await rejection(`${productId}${query}`);
  deepEqual([error.code, error.data], ['product-not-found', { productId }], query);
}

test('an unknown product and one without stock are not found', async () => {
  await assertNotFound('99999999999999');
  const { productId } = await h.seed.listing({ stock: 0 });
  await assertNotFound(productId);
});

test('a product that runs out is not found until it is restocked', async () => {
  const { productId, offerId } = await h.seed.listing({ stock: 1 });
  await reseller.order(auto(productId));
  await h.seed.inStep();
  await assertNotFound(productId);
  await h.seed.keys(offerId, 1);
  await h.seed.inStep();
  equal((await reseller.get(`/products/${productId}`)).status, 200);
});

test('a product whose only offer is paused is not found', async () => {
  const productId = await h.seed.product();
  await h.seed.offer({ productId, status: 'paused' });
  await assertNotFound(productId);
});

test('a product whose offers are all filtered out is not found', async () => {
  const { productId } = await h.seed.listing({ price: '10.00', stock: 5 });
  for (const query of ['?maxPrice=9.99', '?totalQuantity=6', '?maxPrice=10.00&totalQuantity=6']) {
    await assertNotFound(productId, query);
  }
});
