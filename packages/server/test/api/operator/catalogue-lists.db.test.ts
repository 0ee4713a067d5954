import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, test } from 'vitest';
import { auto, startHarness } from '../../support/harness.ts';
import { readList } from '../../support/lists.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);

const get = (path: string) => h.admin('GET', path);

const readAll = (path: string, limit?: number) => readList(h, path, limit);

const toIds = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const seeded = { sellers: [] as string[], products: [] as string[], offers: [] as string[] };

beforeAll(async () => {
  for (let index = 0; index < 3; index += 1) {
    const { sellerId, productId, offerId } = await h.seed.listing({ stock: 1 });
    seeded.sellers.push(sellerId);
    seeded.products.push(productId);
    seeded.offers.push(offerId);
  }
});

test('every seller, product and offer is listed once, in the order of the ids', async () => {
  deepEqual(toIds(await readAll('/sellers')), seeded.sellers.toSorted());
  deepEqual(toIds(await readAll('/products')), seeded.products.toSorted());
  const offers = await readAll('/offers');
  deepEqual(toIds(offers), seeded.offers.toSorted());
  const [{ productName, sellerName, ...first }] = offers;
  deepEqual(first, await h.operate('GET', `/offers/${first.id}`));
  const [{ activeOffers, quantity, minPrice, ...product }] = await readAll('/products');
  deepEqual(product, await h.operate('GET', `/products/${product.id}`));
  deepEqual(
    [productName, sellerName, activeOffers, quantity, minPrice],
    ['Product 1', 'Seller', 1, 1, '10.00'].with(
      0,
      (await h.operate('GET', `/products/${first.productId}`)).name,
    ),
  );
});

test('a page that ends with the last element has no next page', async () => {
  const { data, meta } = (await get('/sellers?limit=3')).body;
  deepEqual([data.length, meta], [3, { nextCursor: null, hasMore: false }]);
  deepEqual((await get(`/offers?sellerId=${randomUUID()}`)).body.data, []);
});

test('filters return only matching elements', async () => {
  const [sellerId = '', otherSellerId = ''] = seeded.sellers;
  const [productId = ''] = seeded.products;
  const paused = await h.seed.offer({ productId, sellerId: otherSellerId, status: 'paused', stock: 0 });
  const special = await h.seed.product({ checkoutClass: 'esim' });
  for (const [path, expected] of [
    [`/offers?sellerId=${sellerId.toUpperCase()}`, [seeded.offers[0]]],
    [`/offers?productId=${productId}`, [seeded.offers[0], paused.id]],
    [`/offers?sellerId=${otherSellerId}&status=paused`, [paused.id]],
    [`/offers?sellerId=${otherSellerId}&productId=${productId}&status=active`, []],
    ['/products?checkoutClass=esim', [special]],
  ] as const)
    deepEqual(toIds(await readAll(path, 1)), [...expected].toSorted(), path);
});

test('keys are listed with state, order and the end of the code, never with the whole code', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId, codes } = await h.seed.listing({ stock: 4, images: 1 });
  const order = await reseller.order(auto(productId));
  equal(order.status, 201, JSON.stringify(order.body));
  const orderId = order.body.data.id;
  await h.operate('POST', `/offers/${offerId}/keys/withdraw`, { reason: 'Leaked', codes: [codes[3]] });
  const path = `/offers/${offerId.toUpperCase()}/keys`;
  const keys = await readAll(path);
  equal(keys.length, 5);
  deepEqual(
    keys.slice(0, 4).map(({ maskedCode }) => maskedCode),
    codes.map((code) => `…${code.slice(-4)}`),
  );
  deepEqual(keys.map(({ state }) => state).toSorted(), [
    'available',
    'available',
    'available',
    'sold',
    'withdrawn',
  ]);
  for (const { state, orderId: of } of keys) equal(of, state === 'sold' ? orderId : null);
  for (const code of codes) ok(!JSON.stringify(keys).includes(code));
  for (const [query, count] of [
    ['state=sold', 1],
    ['state=withdrawn', 1],
    ['state=reserved', 0],
    ['kind=image', 1],
    ['state=available&kind=text', 2],
    [`query=${orderId}`, 1],
    [`query=${keys[3].id}`, 1],
    [`query=${orderId}&state=available`, 0],
    [`query=${codes[3]}`, 0],
  ] as const)
    equal((await readAll(`${path}?${query}`, 1)).length, count, query);
});

test('a short code is masked further, so that it cannot be guessed', async () => {
  const { offerId } = await h.seed.listing({ stock: 0 });
  await h.operate('POST', `/offers/${offerId}/keys`, { keys: [{ code: 'A' }, { code: 'ABCDEF' }] });
  const masked = (await readAll(`/offers/${offerId}/keys`)).map(({ maskedCode }) => maskedCode);
  deepEqual(masked, ['…', '…EF']);
});

test('a cursor of one list is rejected by every other, even by the keys of another offer', async () => {
  const [one, other] = [await h.seed.listing({ stock: 2 }), await h.seed.listing({ stock: 2 })];
  const lists = [
    'sellers',
    'products',
    'offers',
    `offers/${one.offerId}/keys`,
    `offers/${other.offerId}/keys`,
  ];
  for (const of of lists) {
    const { nextCursor } = (await get(`/${of}?limit=1`)).body.meta;
    for (const list of lists) {
      const { status, body } = await get(`/${list}?cursor=${nextCursor}`);
      const field = body.error?.errors[0].field;
      deepEqual([status, field], of === list ? [200, undefined] : [400, 'query.cursor'], `${of}, ${list}`);
    }
  }
});

test('the smallest ids are listed too', async () => {
  const id = '00000000-0000-0000-0000-000000000000';
  const { productId } = await h.seed.listing({ stock: 1 });
  await h.operate('PUT', `/sellers/${id}`, { name: 'Nil' });
  const offer = { productId, sellerId: id, price: '10.00', status: 'active' };
  await h.operate('PUT', `/offers/${id}`, offer);
  deepEqual(toIds((await get('/sellers?limit=1')).body.data), [id]);
  deepEqual(toIds((await get('/offers?limit=1')).body.data), [id]);
});

test('an offer shows its former prices and statuses, newest first', async () => {
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 1 });
  await h.operate('PATCH', `/offers/${offerId}`, { price: '9.50' });
  await h.operate('PATCH', `/offers/${offerId}`, { status: 'paused' });
  const versions = await readAll(`/offers/${offerId}/history`);
  deepEqual(
    versions.map(({ price, status }) => `${price} ${status}`),
    ['9.50 paused', '9.50 active', '10.00 active'],
  );
  deepEqual(await readAll(`/offers/${offerId}/history?sort=ASC`), versions.toReversed());
});
