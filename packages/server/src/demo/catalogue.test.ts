import { deepEqual, equal, ok } from 'node:assert/strict';
import { IMPORT_LINES } from '@keyport/contract/catalogue/imports';
import { REQUEST_EXAMPLES } from '@keyport/contract/openapi/examples';
import { toSlug } from '@keyport/core/slug';
import { Compile } from 'typebox/compile';
import { test } from 'vitest';
import { loadOffers, loadProducts, loadSellers, toKeys } from './catalogue.ts';
import { type DemoOrderItem, loadHistory } from './history.ts';
import { parsePictureFile } from './pictures.ts';

const PUBLIC_URL = 'http://127.0.0.1:8080';
const NOW_MICROS = Date.parse('2026-11-21T09:30:00Z') * 1000;

const demo = load();

function load() {
  const sellers = loadSellers();
  const entries = loadProducts(PUBLIC_URL);
  const listings = loadOffers(entries, sellers);
  return {
    sellers,
    products: entries.map(({ product }) => product),
    offers: listings.map(({ offer }) => offer),
    listings,
    keys: listings.flatMap(toKeys),
    orders: loadHistory(listings, sellers, NOW_MICROS),
  };
}

test('the demo has 40 sellers, 1400 products, about 4000 offers, 10000 keys and 60 past orders', () => {
  deepEqual([demo.sellers.length, demo.products.length, demo.orders.length], [40, 1400, 60]);
  assertBetween(demo.offers.length, 3800, 4300);
  assertBetween(demo.keys.length, 9_000, 11_000);
});

test('every seller, product, offer and key is a valid line of its import', () => {
  assertValid('sellers', demo.sellers);
  assertValid('products', demo.products);
  assertValid('offers', demo.offers);
  assertValid('keys', demo.keys);
});

test('nothing that must be unique occurs twice', () => {
  assertUnique(demo.sellers.map(({ id }) => id));
  assertUnique(demo.sellers.map(({ name }) => name));
  assertUnique(demo.products.map(({ id }) => id));
  assertUnique(demo.products.map(({ name }) => name));
  assertUnique(demo.products.map(({ id, name }) => toSlug(name, id)));
  assertUnique(demo.offers.map(({ id }) => id));
  assertUnique(demo.offers.map(({ productId, sellerId }) => productId + sellerId));
  assertUnique([...demo.keys.map(({ code }) => code), ...orderItems().flatMap(({ codes }) => codes)]);
});

test('every picture URL is under the public URL, belongs to its product and is parsed by pictures.ts', () => {
  for (const product of demo.products) {
    const kinds = {
      thumbnail: product.thumbnail,
      portrait: product.portraitImage,
      cover: product.coverImage,
    };
    for (const [kind, url] of Object.entries(kinds))
      if (typeof url === 'string') assertPicture(product.id, url, kind, 0);
    product.images?.forEach((url, index) => {
      assertPicture(product.id, url, 'screenshot', index + 1);
    });
  }
});

test('amounts of a past order add up, and orders that were not imported have one text key per shipped or held unit', () => {
  for (const { items, status, discountMinor, totalPriceMinor, isImported } of demo.orders) {
    const sumMinor = items.reduce((sum, item) => sum + item.unitPriceMinor * item.quantity.ordered, 0);
    equal(totalPriceMinor, sumMinor - discountMinor);
    ok(Number.isSafeInteger(totalPriceMinor) && totalPriceMinor > 0 && discountMinor >= 0);
    for (const item of items) {
      ok(Number.isSafeInteger(item.unitPriceMinor) && item.unitPriceMinor > 0);
      const units = status === 'held' ? item.quantity.ordered : item.quantity.shipped;
      equal(item.codes.length, isImported ? 0 : units);
    }
  }
  ok(demo.orders.some(({ discountMinor }) => discountMinor > 0));
});

test('past orders are for active offers of products that may be ordered', () => {
  const offers = new Map(demo.offers.map((offer) => [offer.id, offer]));
  const products = new Map(demo.products.map((product) => [product.id, product]));
  for (const item of orderItems()) {
    const offer = offers.get(item.offerId);
    deepEqual([offer?.productId, offer?.sellerId, offer?.status], [item.productId, item.sellerId, 'active']);
    const product = products.get(item.productId);
    deepEqual([product?.name, product?.checkoutClass], [item.productName, 'standard']);
  }
});

function orderItems(): readonly DemoOrderItem[] {
  return demo.orders.flatMap(({ items }) => items);
}

function assertValid(kind: keyof typeof IMPORT_LINES, lines: readonly unknown[]): void {
  const schema = Compile(IMPORT_LINES[kind]);
  for (const line of lines) if (!schema.Check(line)) deepEqual([line, ...schema.Errors(line)], []);
}

function assertUnique(values: readonly string[]): void {
  const seen = new Set<string>();
  for (const value of values) {
    ok(!seen.has(value), `${value} occurs twice`);
    seen.add(value);
  }
}

function assertBetween(value: number, min: number, max: number): void {
  ok(value >= min && value <= max, `${value} is not between ${min} and ${max}`);
}

function assertPicture(productId: string, url: string, kind: string, index: number): void {
  const folder = `${PUBLIC_URL}/media/products/${productId}/`;
  ok(url.startsWith(folder), url);
  deepEqual(parsePictureFile(url.slice(folder.length)), { kind, index });
}

test('the items of the example orders in the reference are in stock at the prices shown', () => {
  const { keys, offers, products } = demo;
  const requests = Object.values(REQUEST_EXAMPLES.createOrder ?? {});
  equal(requests.length, 2);
  for (const request of requests) {
    const { auto, manual } = Object(request).items[0];
    const { quantity, maxPrice } = auto ?? manual;
    const stocks = offers
      .filter(({ id, productId }) => id === manual?.offerId || productId === auto?.productId)
      .filter((offer) => offer.status === 'active' && Number(offer.price) <= Number(maxPrice))
      .filter(({ productId }) => products.find(({ id }) => id === productId)?.checkoutClass === 'standard')
      .map(({ id }) => keys.filter((key) => key.offerId === id && key.kind !== 'image').length);
    ok(Math.max(...stocks) >= 20 * quantity, 'enough for many readers');
  }
});
