/** R6, A3 to A5, A8, A10, A15, A16. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { type ApiResponse, auto, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

type Product = {
  readonly id: string;
  readonly totalQuantity: number;
  readonly minPrice: string;
  readonly updatedAt: string;
  readonly offers: readonly { readonly id: string; readonly price: string; readonly quantity: number }[];
};

const h = await startHarness(wholeFile);
const reseller = await h.seed.reseller({ balance: '1000.00' });

async function list(query = ''): Promise<ApiResponse> {
  const response = await reseller.get(`/product-offers${query}`);
  equal(response.status, 200, JSON.stringify(response.body));
  return response;
}

function products(response: ApiResponse): Product[] {
  return response.body.data;
}

function ids(response: ApiResponse): string[] {
  return products(response).map(({ id }) => id);
}

function asking(productIds: readonly string[], rest = ''): string {
  return `?${productIds.map((id) => `productIds[]=${id}`).join('&')}${rest}`;
}

async function show(productId: string): Promise<Product> {
  const [product] = products(await list(asking([productId])));
  ok(product !== undefined, `${productId} is listed`);
  return product;
}

async function listings(count: number) {
  const made: { productId: string; offerId: string; sellerId: string }[] = [];
  for (let index = 0; index < count; index += 1) made.push(await h.seed.listing());
  return made;
}

function deriveMicros(dateTime: string): bigint {
  return BigInt(Date.parse(`${dateTime.slice(0, 19)}Z`)) * 1000n + BigInt(dateTime.slice(20, 26));
}

function shift(dateTime: string, micros: number): string {
  const moved = deriveMicros(dateTime) + BigInt(micros);
  const seconds = new Date(Number(moved / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(moved % 1_000_000n).padStart(6, '0')}Z`;
}

test('a catalogue without stock is an empty first page', async () => {
  const productId = await h.seed.product();
  await h.seed.inStep();
  const response = await list();
  deepEqual(ids(response), []);
  deepEqual(response.body.meta, {
    page: 1,
    itemsPerPage: 20,
    totalResults: 0,
    hasNext: false,
    hasPrevious: false,
  });
  deepEqual(ids(await list(asking([productId]))), []);
});

test('pages are exact, in insertion order, up to the highest page number', async () => {
  await listings(21);
  const all = ids(await list('?itemsPerPage=100'));
  equal(all.length, 21);
  deepEqual(all, [...all].sort(), 'the ids of this test grow with insertion');
  const rows = [
    { query: '', page: 1, from: 0, to: 20, itemsPerPage: 20, hasNext: true, hasPrevious: false },
    { query: '?page=2', page: 2, from: 20, to: 21, itemsPerPage: 20, hasNext: false, hasPrevious: true },
    {
      query: '?itemsPerPage=10&page=2',
      page: 2,
      from: 10,
      to: 20,
      itemsPerPage: 10,
      hasNext: true,
      hasPrevious: true,
    },
    {
      query: '?itemsPerPage=50',
      page: 1,
      from: 0,
      to: 21,
      itemsPerPage: 50,
      hasNext: false,
      hasPrevious: false,
    },
    {
      query: '?page=100000&itemsPerPage=100',
      page: 100_000,
      from: 21,
      to: 21,
      itemsPerPage: 100,
      hasNext: false,
      hasPrevious: true,
    },
  ];
  for (const { query, from, to, ...meta } of rows) {
    const response = await list(query);
    deepEqual(ids(response), all.slice(from, to), query);
    deepEqual(response.body.meta, { totalResults: 21, ...meta }, query);
  }
});

test('a full last page has no next', async () => {
  const asked = ids(await list('?itemsPerPage=10'));
  const response = await list(asking(asked, '&itemsPerPage=10'));
  deepEqual([response.body.meta.totalResults, response.body.meta.hasNext], [10, false]);
});

test('a restocked product keeps its place, and a newly imported one comes last regardless of its id', async () => {
  const [first, second, third] = await listings(3);
  ok(first && second && third);
  const own = [first.productId, second.productId, third.productId];
  equal((await reseller.order(auto(second.productId, { quantity: 5 }))).status, 201);
  await h.seed.inStep();
  deepEqual(ids(await list(asking(own))), [first.productId, third.productId]);
  const importedId = '10000000000000';
  const line = JSON.stringify({ id: importedId, name: 'Imported', checkoutClass: 'standard' });
  const imported = await h.call('POST', '/admin/v1/imports/products', {
    token: h.operatorToken,
    headers: { 'content-type': 'application/x-ndjson' },
    body: line,
  });
  equal(imported.body.data.written, 1, JSON.stringify(imported.body));
  await h.seed.offer({ productId: importedId });
  await h.seed.keys(second.offerId, 1);
  await h.seed.inStep();
  deepEqual(ids(await list(asking([importedId, ...own]))), [...own, importedId]);
  equal(ids(await list('?itemsPerPage=100')).at(-1), importedId);
});

test('requested products are returned in insertion order, once each, and unknown ids are left out', async () => {
  const [first, second] = await listings(2);
  ok(first && second);
  const own = [first.productId, second.productId];
  const queries = [
    asking([second.productId, first.productId]),
    asking([second.productId, first.productId, second.productId]),
    asking([...own, '99999999999999']),
    asking(own).replaceAll('[]', '%5B%5D'),
    `?productIds[]=${first.productId}&productIds%5B%5D=${second.productId}`,
    asking([...own, ...Array.from({ length: 18 }, () => first.productId)]),
  ];
  for (const query of queries) {
    const response = await list(query);
    deepEqual([ids(response), response.body.meta.totalResults], [own, 2], query);
  }
});

test('bounds on updatedAt are inclusive to the microsecond, in any zone', async () => {
  const [first, second, third] = await listings(3);
  ok(first && second && third);
  const own = [first.productId, second.productId, third.productId];
  const { updatedAt: at } = await show(second.productId);
  const inZone = `${shift(at, 3_600_000_000).slice(0, -1)}%2B01:00`;
  const rows: [query: string, from: number, to: number][] = [
    [`&updatedAtFrom=${at}`, 1, 3],
    [`&updatedAtFrom=${inZone}`, 1, 3],
    [`&updatedAtFrom=${shift(at, 1)}`, 2, 3],
    [`&updatedAtTo=${at}`, 0, 2],
    [`&updatedAtTo=${shift(at, -1)}`, 0, 1],
    [`&updatedAtFrom=${at}&updatedAtTo=${at}`, 1, 2],
    ['&updatedAtFrom=9999-01-01T00:00:00Z', 3, 3],
  ];
  for (const [query, from, to] of rows) {
    const response = await list(asking(own, query));
    deepEqual(ids(response), own.slice(from, to), query);
    equal(response.body.meta.totalResults, to - from, query);
  }
  deepEqual(ids(await list(`?updatedAtFrom=${at}&updatedAtTo=${at}`)), [second.productId]);
  deepEqual(ids(await list(`?updatedAtFrom=${at}`)), own.slice(1), 'over the whole catalogue');
});

test('at most three offers are listed, cheapest first, then the larger quantity, then the lower id', async () => {
  const productId = await h.seed.product();
  const offers = [];
  for (const [price, stock] of [
    ['7.00', 1],
    ['5.00', 1],
    ['5.00', 3],
    ['5.00', 1],
    ['9.00', 4],
  ] as const) {
    offers.push({ ...(await h.seed.offer({ productId, price, stock })), price, quantity: stock });
  }
  await h.seed.offer({ productId, price: '1.00', stock: 5, status: 'paused' });
  await h.seed.offer({ productId, price: '2.00', stock: 0 });
  const fives = offers.filter(({ price }) => price === '5.00');
  const expected = fives.sort((one, other) => other.quantity - one.quantity || (one.id < other.id ? -1 : 1));
  const product = await show(productId);
  deepEqual(
    product.offers,
    expected.map(({ id, price, quantity }) => ({ id, price, quantity })),
  );
  deepEqual([product.totalQuantity, product.minPrice], [10, '5.00'], 'over all offers that can be bought');
});

test('maxPrice keeps offers at or below it, and totalQuantity counts their remaining units', async () => {
  const productId = await h.seed.product();
  const cheap = await h.seed.offer({ productId, price: '5.00', stock: 2 });
  const dear = await h.seed.offer({ productId, price: '8.00', stock: 4 });
  const rows: [query: string, offers: string[], total: number][] = [
    ['&maxPrice=4.99', [], 0],
    ['&maxPrice=5', [cheap.id], 2],
    ['&maxPrice=7.99', [cheap.id], 2],
    ['&maxPrice=8.0', [cheap.id, dear.id], 6],
    ['&totalQuantity=6', [cheap.id, dear.id], 6],
    ['&totalQuantity=7', [], 0],
    ['&maxPrice=5.00&totalQuantity=2', [cheap.id], 2],
    ['&maxPrice=5.00&totalQuantity=3', [], 0],
    ['&maxPrice=8.00&totalQuantity=1000000', [], 0],
  ];
  for (const [query, offers, total] of rows) {
    const response = await list(asking([productId], query));
    const [product] = products(response);
    deepEqual(product?.offers.map(({ id }) => id) ?? [], offers, query);
    equal(response.body.meta.totalResults, offers.length === 0 ? 0 : 1, query);
    if (product !== undefined) deepEqual([product.totalQuantity, product.minPrice], [total, '5.00'], query);
  }
});

test('filters are combined with each other and with pages over the whole catalogue', async () => {
  const cheap: string[] = [];
  for (const price of ['0.03', '0.02', '0.01']) cheap.push((await h.seed.listing({ price })).productId);
  await h.seed.listing({ price: '0.04' });
  const { updatedAt } = await show(cheap[1] ?? '');
  deepEqual(ids(await list('?maxPrice=0.03&itemsPerPage=10')), cheap);
  deepEqual(ids(await list(`?maxPrice=0.03&updatedAtFrom=${updatedAt}`)), cheap.slice(1));
  deepEqual(ids(await list(`?maxPrice=0.02&updatedAtTo=${updatedAt}`)), [cheap[1]]);
  deepEqual(ids(await list(asking(cheap, `&maxPrice=0.02&updatedAtFrom=${updatedAt}`))), cheap.slice(1));
  const beyond = await list('?maxPrice=0.03&itemsPerPage=10&page=2');
  deepEqual([ids(beyond), beyond.body.meta.totalResults], [[], 3]);
});

test('every kind of change is visible within a second, with the largest updatedAt', async () => {
  const { productId, offerId, sellerId } = await h.seed.listing({ price: '10.00', stock: 5 });
  const put = (price: string, status = 'active') =>
    h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status });
  const changes: { what: string; make: () => Promise<unknown>; isShown: (product?: Product) => boolean }[] = [
    { what: 'a price', make: () => put('11.00'), isShown: (product) => product?.minPrice === '11.00' },
    {
      what: 'keys',
      make: () => h.seed.keys(offerId, 2),
      isShown: (product) => product?.totalQuantity === 7,
    },
    {
      what: 'an order',
      make: () => reseller.order(auto(productId)),
      isShown: (product) => product?.totalQuantity === 6,
    },
    { what: 'a pause', make: () => put('11.00', 'paused'), isShown: (product) => product === undefined },
    { what: 'its end', make: () => put('11.00'), isShown: (product) => product !== undefined },
    {
      what: 'a name',
      make: () => h.operate('PUT', `/products/${productId}`, { name: 'Renamed', checkoutClass: 'standard' }),
      isShown: (product) => product !== undefined && 'name' in product && product.name === 'Renamed',
    },
  ];
  const stamps: string[] = (await allProducts()).map(({ updatedAt }) => updatedAt).sort();
  for (const { what, make, isShown } of changes) {
    await make();
    const changedAtMs = performance.now();
    let product: Product | undefined;
    do {
      ok(performance.now() - changedAtMs < 1000, `${what} shows within a second`);
      [product] = products(await list(asking([productId])));
    } while (!isShown(product));
    if (product === undefined) continue;
    ok(product.updatedAt > (stamps.at(-1) ?? ''), `${what} has the largest updatedAt`);
    stamps.push(product.updatedAt);
  }
  equal(stamps.length, new Set(stamps).size);
});

test('no two products share an updatedAt, which follows the order of their last changes', async () => {
  const made = await listings(4);
  const order = [2, 0, 3, 1].flatMap((index) => made[index] ?? []);
  for (const { productId, offerId, sellerId } of order) {
    await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '3.33', status: 'active' });
  }
  await h.seed.inStep();
  const all = await allProducts();
  equal(new Set(all.map(({ updatedAt }) => updatedAt)).size, all.length);
  const byStamp = [...all].sort((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1));
  deepEqual(
    byStamp.slice(-4).map(({ id }) => id),
    order.map(({ productId }) => productId),
  );
});

test('only a change that resellers can see gives a product a new updatedAt', async () => {
  const { productId, offerId, sellerId, codes } = await h.seed.listing({ product: { name: 'Game' } });
  let before = await show(productId);
  const put = (fields: Record<string, unknown> = {}) =>
    h.operate('PUT', `/products/${productId}`, { name: 'Game', checkoutClass: 'standard', ...fields });
  const putOffer = (price: string) =>
    h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status: 'active' });
  const addKeys = () =>
    h.operate('POST', `/offers/${offerId}/keys`, { keys: codes.map((code) => ({ code })) });
  const steps: [what: string, isVisible: boolean, make: () => Promise<unknown>][] = [
    ['same offer', false, () => putOffer('10')],
    ['price', true, () => putOffer('9.99')],
    ['known keys', false, addKeys],
    ['same product', false, put],
    ['details', true, () => put({ region: 'EU' })],
    ['class', true, () => put({ region: 'EU', checkoutClass: 'esim' })],
    ['class and details', true, put],
  ];
  for (const [what, isVisible, make] of steps) {
    await make();
    await h.seed.inStep();
    const product = await show(productId);
    equal(product.updatedAt > before.updatedAt, isVisible, what);
    if (!isVisible) deepEqual(product, before, what);
    before = product;
  }
});

test('a product has exactly the members of the contract', async () => {
  const { productId } = await h.seed.listing({ product: { name: 'A "quoted" \\ näme 🎮' } });
  const product = await show(productId);
  const members = ['id', 'name', 'totalQuantity', 'minPrice', 'updatedAt', 'offers', 'currency'];
  deepEqual(Object.keys(product).sort(), members.sort());
  deepEqual(
    { ...product, offers: [], updatedAt: '' },
    {
      id: productId,
      name: 'A "quoted" \\ näme 🎮',
      totalQuantity: 5,
      minPrice: '10.00',
      updatedAt: '',
      offers: [],
      currency: 'EUR',
    },
  );
});

test('orderable=true leaves out excluded products as soon as their class changes, in every kind of list', async () => {
  const [standard, other] = (await listings(2)).map(({ productId }) => productId);
  ok(standard !== undefined && other !== undefined);
  const both = [standard, other];
  const classify = async (checkoutClass: string) => {
    await h.operate('PUT', `/products/${other}`, { name: 'Game', checkoutClass });
    await h.seed.inStep();
  };
  const orderable = async (query: string) => {
    const found = ids(await list(query));
    return both.filter((id) => found.includes(id));
  };
  for (const checkoutClass of ['esim', 'standard', 'subscription']) {
    await classify(checkoutClass);
    const expected: string[] = checkoutClass === 'standard' ? both : [standard];
    const { updatedAt } = await show(standard);
    for (const query of [
      asking(both, '&orderable=true'),
      '?itemsPerPage=100&orderable=true',
      `?updatedAtFrom=${updatedAt}&orderable=true`,
      '?itemsPerPage=100&maxPrice=10.00&orderable=true',
    ])
      deepEqual(await orderable(query), expected, `${checkoutClass} ${query}`);
    for (const rest of ['', '&orderable=false']) deepEqual(await orderable(asking(both, rest)), both, rest);
  }
  equal((await reseller.get('/product-offers?orderable=yes')).status, 400);
});

async function allProducts(): Promise<Product[]> {
  const response = await list('?itemsPerPage=100');
  equal(response.body.meta.hasNext, false, 'everything is on one page');
  return products(response);
}

test('words find products by the beginnings of words in their names, together with other filters', async () => {
  const [near, far] = [
    await h.seed.listing({ price: '5.00', product: { name: 'Zephyr Café: Gold' } }),
    await h.seed.listing({ price: '9.00', product: { name: 'Zephyr Harbour' } }),
  ];
  deepEqual(ids(await list('?query=zeph')), [near.productId, far.productId]);
  deepEqual(ids(await list('?query=CAFE%20zephyr')), [near.productId]);
  deepEqual(ids(await list('?query=zephyr&maxPrice=6.00')), [near.productId]);
  deepEqual(ids(await list(asking([far.productId], '&query=zephyr'))), [far.productId]);
  deepEqual(ids(await list(`?query=${far.productId}`)), [far.productId]);
  deepEqual(ids(await list('?query=phyr')), []);
});
