/** A2, A5, A10. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '100.00' });

const MEMBERS = [
  ...['id', 'name', 'totalQuantity', 'minPrice', 'slug', 'region', 'developer', 'publisher', 'releaseDate'],
  ...['platform', 'categories', 'requirements', 'restrictions', 'thumbnail', 'portraitImage', 'coverImage'],
  ...['images', 'videos', 'updatedAt', 'currency'],
].sort();

const FULL = {
  name: 'Game',
  slug: 'game-global',
  region: 'Global',
  developer: 'Developer',
  publisher: 'Publisher',
  releaseDate: '2024-02-29',
  platform: 'Steam',
  categories: [{ id: '7', name: 'Puzzle' }],
  requirements: { minimal: { processor: 'any', graphics: null, memory: '4 GB' } },
  restrictions: { rating: 'PEGI 12', descriptors: ['Violence'] },
  thumbnail: 'https://img.example/58.png',
  portraitImage: 'https://img.example/230.png',
  coverImage: 'https://img.example/cover.png',
  images: ['https://img.example/1.png'],
  videos: ['https://video.example/1'],
};

async function details(productIds: readonly string[]) {
  const response = await reseller.get(`/products?${productIds.map((id) => `productIds[]=${id}`).join('&')}`);
  equal(response.status, 200, JSON.stringify(response.body));
  return response.body.data;
}

async function detailIds(productIds: readonly string[]): Promise<string[]> {
  return (await details(productIds)).map(({ id }: { id: string }) => id);
}

test('products are returned once, in the requested order, without unknown and sold-out ones', async () => {
  const [first, second] = [await h.seed.listing(), await h.seed.listing()];
  const empty = await h.seed.listing({ stock: 0 });
  const [a, b] = [first.productId, second.productId];
  deepEqual(await detailIds([b, a]), [b, a]);
  deepEqual(await detailIds([a, b, a, a]), [a, b]);
  deepEqual(await detailIds([b, '99999999999999', empty.productId, a]), [b, a]);
  deepEqual(await detailIds(['99999999999999']), []);
  deepEqual(await detailIds([a, ...Array.from({ length: 19 }, () => b)]), [a, b], '20 values');
  const encoded = await reseller.get(`/products?productIds%5B%5D=${b}&productIds[]=${a}`);
  deepEqual(encoded.body.data.length, 2);
});

test('a product that runs out is left out', async () => {
  const { productId } = await h.seed.listing({ stock: 1 });
  deepEqual(await detailIds([productId]), [productId]);
  await reseller.order(auto(productId));
  await h.seed.inStep();
  deepEqual(await detailIds([productId]), []);
});

test('a product without details has every member, and nullable ones are null', async () => {
  const { productId } = await h.seed.listing({ price: '3.00', stock: 2 });
  const [product] = await details([productId]);
  deepEqual(Object.keys(product).sort(), MEMBERS);
  const { id, name, slug, updatedAt, totalQuantity, minPrice, currency, ...others } = product;
  deepEqual([id, totalQuantity, minPrice, currency], [productId, 2, '3.00', 'EUR']);
  ok(name.length > 0 && slug.length > 0);
  equal(updatedAt, (await reseller.get(`/products/${productId}`)).body.data.updatedAt);
  deepEqual(new Set(Object.values(others)), new Set([null]));
});

test('details are returned as the operator sent them, and requirements have all their fields', async () => {
  const { productId } = await h.seed.listing({ product: FULL });
  const [product] = await details([productId]);
  deepEqual(Object.keys(product).sort(), MEMBERS);
  const { requirements, ...rest } = FULL;
  for (const [name, value] of Object.entries(rest)) deepEqual(product[name], value, name);
  deepEqual(product.requirements, {
    minimal: { ...requirements.minimal, diskSpace: null, system: null, other: null },
  });
});

test('changed details are visible with a larger updatedAt, and omitted members become null', async () => {
  const { productId } = await h.seed.listing({ product: FULL });
  const [before] = await details([productId]);
  const changed = { name: 'Game 2', checkoutClass: 'standard', region: 'Europe', restrictions: null };
  await h.operate('PUT', `/products/${productId}`, changed);
  await h.seed.inStep();
  const [product] = await details([productId]);
  deepEqual(
    [product.name, product.region, product.restrictions, product.developer],
    ['Game 2', 'Europe', null, null],
  );
  ok(product.updatedAt > before.updatedAt);
});

test('totals and the price are those of the offers that can be bought', async () => {
  const { productId } = await h.seed.listing({ price: '10.00', stock: 2 });
  await h.seed.offer({ productId, price: '8.00', stock: 3 });
  await h.seed.offer({ productId, price: '1.00', stock: 3, status: 'paused' });
  const [product] = await details([productId]);
  deepEqual([product.totalQuantity, product.minPrice], [5, '8.00']);
});
