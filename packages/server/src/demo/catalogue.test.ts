import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { IMPORT_LINES } from '@keyport/contract/catalogue/imports';
import { REQUEST_EXAMPLES } from '@keyport/contract/openapi/examples';
import { parseMinor } from '@keyport/core/money';
import { CHECKOUT_CLASSES } from '@keyport/core/orders/checkout-class';
import type { Quantities } from '@keyport/core/orders/placed-order';
import { slugOf } from '@keyport/core/slug';
import { Compile } from 'typebox/compile';
import { test } from 'vitest';
import { type DemoProduct, keysOf, loadOffers, loadProducts, loadSellers } from './catalogue.ts';
import { type DemoOrder, type DemoOrderItem, loadHistory } from './history.ts';
import { parsePictureFile } from './pictures.ts';

const PUBLIC_URL = 'http://127.0.0.1:8080';
const NOW_MICROS = Date.parse('2026-11-21T09:30:00Z') * 1000;
const DAY_MICROS = 24 * 60 * 60 * 1_000_000;

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
    keys: listings.flatMap(keysOf),
    orders: loadHistory(listings, sellers, NOW_MICROS),
  };
}

test('the demo has 40 sellers, 1400 products, about 4000 offers, 20000 keys and 60 past orders', () => {
  deepEqual([demo.sellers.length, demo.products.length, demo.orders.length], [40, 1400, 60]);
  assertBetween(demo.offers.length, 3800, 4300);
  assertBetween(demo.keys.length, 18_000, 22_000);
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
  assertUnique(demo.products.map(({ id, name }) => slugOf(name, id)));
  assertUnique(demo.offers.map(({ id }) => id));
  assertUnique(demo.offers.map(({ productId, sellerId }) => productId + sellerId));
  assertUnique([...demo.keys.map(({ code }) => code), ...orderItems().flatMap(({ codes }) => codes)]);
});

test('product ids increase in insertion order', () => {
  const ids = demo.products.map(({ id }) => id);
  deepEqual(ids, ids.toSorted());
});

test('three fifths of the catalogue are games, a fifth gift cards, 15 % software and each excluded class 1 %', () => {
  const standard = demo.products.filter(({ checkoutClass }) => checkoutClass === 'standard');
  const named = (category: string) =>
    standard.filter((product) => product.categories?.[0]?.name === category).length;
  assertBetween(named('Games'), 770, 860);
  assertBetween(named('Gift Cards'), 250, 290);
  assertBetween(named('Software'), 190, 230);
  for (const checkoutClass of CHECKOUT_CLASSES.filter((one) => one !== 'standard')) {
    equal(
      demo.products.filter((product) => product.checkoutClass === checkoutClass).length,
      21,
      checkoutClass,
    );
  }
});

test('the first page of the list already has games, gift cards and software', () => {
  const kinds = new Set(demo.products.slice(0, 20).map(({ categories }) => categories?.[0]?.name));
  for (const kind of ['Games', 'Gift Cards', 'Software']) ok(kinds.has(kind), kind);
});

test('regions, platforms, editions, add-ons and both rating boards all occur', () => {
  const regions = new Set(demo.products.map(({ region }) => region));
  for (const region of ['Global', 'Europe', 'North America', 'Turkey', 'Argentina', 'Poland', 'Japan']) {
    ok(regions.has(region), region);
  }
  const platforms = new Set(demo.products.map(({ platform }) => platform));
  for (const platform of ['Steam', 'GOG', 'Epic Games', 'Xbox', 'PlayStation', 'Nintendo']) {
    ok(platforms.has(platform), platform);
  }
  for (const part of [
    'Deluxe Edition',
    'Ultimate Edition',
    '(DLC)',
    'Gift Card',
    'EUR',
    'PLN',
    'Devices',
    'Lifetime',
  ]) {
    assertSome(({ name }) => name.includes(part), part);
  }
  assertSome(({ restrictions }) => restrictions?.rating.startsWith('PEGI') === true, 'PEGI');
  assertSome(({ restrictions }) => restrictions?.rating.startsWith('ESRB') === true, 'ESRB');
  assertSome(
    ({ requirements }) => requirements?.recommended === undefined && requirements !== null,
    'minimal only',
  );
});

test('every nullable field is null in some products and set in others', () => {
  const fields = [
    'region',
    'developer',
    'publisher',
    'releaseDate',
    'platform',
    'categories',
    'requirements',
    'restrictions',
    'thumbnail',
    'portraitImage',
    'coverImage',
    'images',
    'videos',
  ] as const;
  for (const field of fields) {
    assertSome((product) => product[field] === null, `${field} null`);
    assertSome((product) => product[field] !== null, `${field} filled`);
  }
});

test('release dates are calendar days before 2026', () => {
  for (const { releaseDate } of demo.products) {
    if (typeof releaseDate !== 'string') continue;
    equal(new Date(`${releaseDate}T00:00:00Z`).toISOString().slice(0, 10), releaseDate);
    ok(releaseDate < '2026', releaseDate);
  }
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

test('a trailing slash in the public URL is not doubled', () => {
  const [entry] = loadProducts('https://keys.example/');
  match(entry?.product.coverImage ?? '', /^https:\/\/keys\.example\/media\/products\/[0-9]{14}\/cover\.svg$/);
});

test('each product has 1 to 8 offers of known sellers at similar prices, and a few are paused', () => {
  const sellerIds = new Set(demo.sellers.map(({ id }) => id));
  const offersByProduct = Map.groupBy(demo.offers, ({ productId }) => productId);
  deepEqual([...offersByProduct.keys()].toSorted(), demo.products.map(({ id }) => id).toSorted());
  deepEqual(new Set([...offersByProduct.values()].map((offers) => offers.length)).size, 8);
  for (const offers of offersByProduct.values()) {
    const cents = offers.map(({ price }) => parseMinor(price) ?? 0);
    // The spread is 0.92 to 1.17 of the base price; rounding may shift the cheapest by a cent.
    ok(Math.max(...cents) <= Math.min(...cents) * 1.28 + 1, cents.join(' '));
    for (const { sellerId, price } of offers) {
      ok(sellerIds.has(sellerId));
      match(price, /^(0|[1-9][0-9]*)\.[0-9]{2}$/);
    }
  }
  assertBetween(demo.offers.filter(({ status }) => status === 'paused').length, 100, 300);
});

test('some offers have no key, some only image keys, a few both kinds and a handful 200 keys', () => {
  const keysByOffer = Map.groupBy(demo.keys, ({ offerId }) => offerId);
  const stocks = [...keysByOffer.values()];
  assertBetween(demo.offers.length - stocks.length, 80, 170);
  const imageCounts = stocks.map((keys) => ({
    all: keys.length,
    images: keys.filter(({ kind }) => kind === 'image').length,
  }));
  assertBetween(imageCounts.filter(({ all, images }) => all === images).length, 30, 100);
  assertBetween(imageCounts.filter(({ all, images }) => images > 0 && images < all).length, 10, 60);
  assertBetween(stocks.filter(({ length }) => length === 200).length, 5, 25);
  ok(stocks.every(({ length }) => length <= 12 || length === 200));
  for (const { code, kind } of demo.keys) equal(code.startsWith('image:'), kind === 'image', code);
});

test('past orders are from the last 90 days, oldest first, and open ones are recent', () => {
  const times = demo.orders.map(({ createdAtMicros }) => createdAtMicros);
  deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  assertUnique(times.map(String));
  const ageOf = ({ createdAtMicros }: DemoOrder) => NOW_MICROS - createdAtMicros;
  for (const order of demo.orders) {
    const ageDaysMax = { held: 2, processing: 1 / 48, pending_payment: 1 / 48 }[order.status as string] ?? 90;
    ok(ageOf(order) > 0 && ageOf(order) <= ageDaysMax * DAY_MICROS, `${order.status} ${ageOf(order)}`);
  }
  ok(
    demo.orders.some(
      (order) => order.status === 'complete' && !order.isImported && ageOf(order) < 2 * DAY_MICROS,
    ),
  );
});

test('past orders have six statuses and six currencies, and only finished or held ones in EUR are not imported', () => {
  deepEqual(new Set(demo.orders.map(({ status }) => status)).size, 6);
  deepEqual([...new Set(demo.orders.map(({ currency, decimals }) => `${currency} ${decimals}`))].toSorted(), [
    'EUR 2',
    'GBP 2',
    'JPY 0',
    'KWD 3',
    'PLN 2',
    'USD 2',
  ]);
  for (const { currency, status, isImported, items } of demo.orders) {
    equal(isImported, currency !== 'EUR' || !['complete', 'closed', 'held'].includes(status));
    if (!isImported) equal(items.length, 1);
  }
});

test('quantities of a past order fit its status', () => {
  const rules: Record<DemoOrder['status'], (quantity: Quantities) => boolean> = {
    complete: ({ ordered, invoiced, shipped, refunded }) =>
      invoiced === ordered && shipped === ordered && refunded < ordered,
    closed: ({ ordered, invoiced, shipped, refunded }) =>
      invoiced === ordered && refunded === ordered && (shipped === ordered || shipped === 0),
    pending: () => false,
    canceled: ({ invoiced, shipped, refunded }) => invoiced + shipped + refunded === 0,
    pending_payment: ({ invoiced, shipped, refunded }) => invoiced + shipped + refunded === 0,
    held: ({ ordered, invoiced, shipped, refunded }) => invoiced === ordered && shipped + refunded === 0,
    processing: ({ ordered, invoiced, shipped, refunded }) =>
      invoiced === ordered && shipped + refunded === 0,
  };
  for (const { status, items } of demo.orders) {
    for (const { quantity } of items) {
      ok(rules[status](quantity), `${status} ${JSON.stringify(quantity)}`);
      assertBetween(quantity.ordered, 1, 25);
    }
  }
  ok(
    demo.orders.some(
      ({ status, items }) => status === 'complete' && items.some((item) => item.quantity.refunded > 0),
    ),
  );
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

function assertSome(matches: (product: DemoProduct) => boolean, what: string): void {
  ok(demo.products.some(matches), `no product: ${what}`);
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
