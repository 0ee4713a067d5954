/** Single product, 400: not on offer, or a bad request; the same under its alias. R7, A3 to A5. */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '100.00' });

/** The error, which has to be the same under both paths. */
async function rejection(rest: string) {
  const [response, alias] = await Promise.all(
    ['products', 'product-offers'].map((path) => reseller.get(`/${path}/${rest}`)),
  );
  assert.equal(response?.status, 400, rest);
  assert.deepEqual(alias?.body.error, response.body.error, rest);
  return response.body.error;
}

async function assertNotFound(productId: string, query = '') {
  const error = await rejection(`${productId}${query}`);
  assert.deepEqual([error.code, error.data], ['product-not-found', { productId }], query);
}

test('an unknown product and one without stock are not found', async () => {
  await assertNotFound('99999999999999');
  const { productId } = await h.seed.listing({ stock: 0 });
  await assertNotFound(productId);
});

test('a product that runs out is not found until it comes back', async () => {
  const { productId, offerId } = await h.seed.listing({ stock: 1 });
  await reseller.order(auto(productId));
  await h.seed.inStep();
  await assertNotFound(productId);
  await h.seed.keys(offerId, 1);
  await h.seed.inStep();
  assert.equal((await reseller.get(`/products/${productId}`)).status, 200);
});

test('a product whose only offer is paused is not found', async () => {
  const productId = await h.seed.product();
  await h.seed.offer({ productId, status: 'paused' });
  await assertNotFound(productId);
});

test('a product of which the filters leave nothing is not found', async () => {
  const { productId } = await h.seed.listing({ price: '10.00', stock: 5 });
  for (const query of ['?maxPrice=9.99', '?totalQuantity=6', '?maxPrice=10.00&totalQuantity=6']) {
    await assertNotFound(productId, query);
  }
});

test('a product id must have 14 digits, the first not 0', async () => {
  for (const id of [
    '1',
    '00000000000017',
    '100000000000170',
    '1000000000000x',
    '%2010000000000017',
    '1e13',
  ]) {
    const error = await rejection(id);
    assert.deepEqual([error.code, error.errors[0].field], ['validation-error', 'path.productId'], id);
    assert.match(error.message, /14 digits/);
  }
});

test('filters must be within their bounds and given once', async () => {
  const { productId } = await h.seed.listing();
  const rows: [query: string, name: string][] = [
    ['maxPrice=0', 'maxPrice'],
    ['maxPrice=1.234', 'maxPrice'],
    ['maxPrice=1&maxPrice=1', 'maxPrice'],
    ['totalQuantity=0', 'totalQuantity'],
    ['totalQuantity=1000001', 'totalQuantity'],
    ['totalQuantity[]=1', 'totalQuantity'],
  ];
  for (const [query, name] of rows) {
    const error = await rejection(`${productId}?${query}`);
    assert.deepEqual([error.code, error.errors[0].field], ['validation-error', `query.${name}`], query);
  }
});
