/** Single product, 200: as in the list but without minPrice, the same under its alias. R7, A3 to A5. */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '100.00' });

/** The body's text, which must be the same under both paths except for the trace id. */
async function show(productId: string, query = '') {
  const texts: string[] = [];
  for (const path of ['products', 'product-offers']) {
    const response = await fetch(`${h.url}/export/v1/${path}/${productId}${query}`, {
      headers: { authorization: `Bearer ${reseller.token}` },
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    const text = await response.text();
    assert.equal(JSON.parse(text).traceId, response.headers.get('x-trace-id'));
    texts.push(text.replace(JSON.parse(text).traceId, ''));
  }
  assert.equal(texts[0], texts[1], 'byte for byte');
  const answer = await reseller.get(`/products/${productId}${query}`);
  return answer.body.data;
}

test('a product shows its members, and no others, under both paths', async () => {
  const { productId, offerId } = await h.seed.listing({ price: '12.30', stock: 4 });
  const listed = (await reseller.get(`/product-offers?productIds[]=${productId}`)).body.data[0];
  const { minPrice, ...expected } = listed;
  assert.equal(minPrice, '12.30');
  const product = await show(productId);
  assert.deepEqual(product, expected);
  assert.deepEqual(product.offers, [{ id: offerId, price: '12.30', quantity: 4 }]);
});

test('at most three offers, cheapest first; paused and empty ones are left out', async () => {
  const productId = await h.seed.product();
  for (const price of ['9.00', '7.00', '8.00', '6.00']) await h.seed.offer({ productId, price, stock: 2 });
  await h.seed.offer({ productId, price: '1.00', status: 'paused' });
  await h.seed.offer({ productId, price: '2.00', stock: 0 });
  const product = await show(productId);
  assert.deepEqual(
    product.offers.map(({ price }: { price: string }) => price),
    ['6.00', '7.00', '8.00'],
  );
  assert.equal(product.totalQuantity, 8);
});

test('maxPrice leaves the offers at or below it, with their quantity', async () => {
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
    assert.deepEqual(
      [product.offers.map(({ id }: { id: string }) => id), product.totalQuantity],
      [offers, total],
      query,
    );
  }
});

test('an order shows at once in what is left, under a larger updatedAt', async () => {
  const { productId } = await h.seed.listing({ stock: 3 });
  const before = await show(productId);
  assert.equal((await reseller.order(auto(productId, { quantity: 2 }))).status, 201);
  await h.seed.inStep();
  const later = await show(productId);
  assert.deepEqual([later.totalQuantity, later.offers[0].quantity], [1, 1]);
  assert.ok(later.updatedAt > before.updatedAt);
});
