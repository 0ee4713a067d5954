/** A145. */
import { deepEqual, equal, match, notDeepEqual, notEqual, ok } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { manual } from '../../support/harness.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, nodes } = await startTwoNodes(wholeFile);
const reseller = await h.seed.reseller({ balance: '1000.00' });

type Listing = Awaited<ReturnType<typeof h.seed.listing>>;
/** The tests read and change the third one. */
const listings: Listing[] = [];

beforeAll(async () => {
  for (let count = 0; count < 6; count += 1) {
    listings.push(await h.seed.listing({ price: '10.00', stock: 3 }));
  }
  await inStep();
});

const inStep = () => Promise.all(nodes.map((node) => node.catalogueInStep()));

async function read(url: string, path: string, ifNoneMatch?: string) {
  const answer = await h.callAt(url, 'GET', `/export/v1${path}`, {
    token: reseller.token,
    headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
  });
  const etag = answer.headers.get('etag') ?? '';
  match(etag, /^W\/"[0-9a-z]+"$/);
  return { status: answer.status, etag, data: answer.body?.data };
}

function third(): Listing {
  const [, , listing] = listings;
  ok(listing !== undefined);
  return listing;
}

/** Reads that show the third product at its first price. */
const READS: Readonly<Record<string, () => string>> = {
  'the list': () => '/product-offers',
  'a page of it': () => '/product-offers?page=1&itemsPerPage=10',
  'a filtered list': () => '/product-offers?maxPrice=15.00&totalQuantity=1',
  'the list by ids': () =>
    `/product-offers?${listings.map(({ productId }) => `productIds[]=${productId}`).join('&')}`,
  'the product': () => `/products/${third().productId}`,
  'its alias': () => `/product-offers/${third().productId}`,
  'its details': () => `/products?productIds[]=${third().productId}`,
};

/** Later changes undo each of these only in part: every response differs from the one before. */
const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a price': () => h.operate('PATCH', `/offers/${third().offerId}`, { price: '11.00' }),
  'a sale': () => reseller.order(manual(third().offerId)),
  'more keys': () => h.seed.keys(third().offerId, 2),
  'another offer': () => h.seed.offer({ productId: third().productId, price: '9.00', stock: 1 }),
  'another name': () =>
    h.operate('PUT', `/products/${third().productId}`, { name: 'Renamed', checkoutClass: 'standard' }),
};

for (const [changeName, change] of Object.entries(CHANGES)) {
  test(`${changeName} gives every read of the product a new ETag, the same on both nodes`, async () => {
    const known = new Map<string, { etag: string; data: unknown }>();
    for (const [name, path] of Object.entries(READS)) {
      const first = await read(nodes[0].url, path());
      const other = await read(nodes[1].url, path());
      deepEqual([other.etag, other.data], [first.etag, first.data], name);
      for (const { url } of nodes) {
        const again = await read(url, path(), first.etag);
        deepEqual([again.status, again.etag, again.data], [304, first.etag, undefined], name);
      }
      known.set(name, first);
    }
    await change();
    await inStep();
    for (const [name, path] of Object.entries(READS)) {
      const before = known.get(name);
      for (const { url } of nodes) {
        const after = await read(url, path(), before?.etag);
        equal(after.status, 200, name);
        notEqual(after.etag, before?.etag, name);
        notDeepEqual(after.data, before?.data, name);
      }
    }
  });
}

test('a change to one product keeps the ETags of the others, but not that of a list with a different total', async () => {
  const paths = [READS['the product'], READS['its details']].map((path) => path?.() ?? '');
  const before = await Promise.all(paths.map((path) => read(nodes[0].url, path)));
  const list = await read(nodes[0].url, '/product-offers?page=1&itemsPerPage=10');
  await h.seed.listing();
  await inStep();
  for (const [index, path] of paths.entries()) {
    equal((await read(nodes[1].url, path, before[index]?.etag)).status, 304);
  }
  const { status, data } = await read(nodes[1].url, '/product-offers?page=1&itemsPerPage=10', list.etag);
  equal(status, 200);
  equal(data.length, 7);
});

test('details that are not in memory yet get the same responses', async () => {
  const { productId } = await h.seed.listing({ product: { region: 'EUROPE', developer: 'Nordhütte' } });
  await inStep();
  const path = `/products?productIds[]=${productId}&productIds[]=${third().productId}&productIds[]=${productId}`;
  const [cold, warm] = [await read(nodes[0].url, path), await read(nodes[0].url, path)];
  deepEqual(warm, cold);
  deepEqual(
    cold.data.map(({ id, developer }: { id: string; developer: string | null }) => [id, developer]),
    [
      [productId, 'Nordhütte'],
      [third().productId, null],
    ],
  );
  const nothing = await read(nodes[0].url, '/products?productIds[]=99999999999999');
  deepEqual(nothing.data, []);
});

test('a compressed page unpacks to the page and has its ETag', async () => {
  const response = await fetch(`${nodes[0].url}/export/v1/product-offers`, {
    headers: { authorization: `Bearer ${reseller.token}`, 'accept-encoding': 'gzip' },
  });
  equal(response.headers.get('content-encoding'), 'gzip');
  const plain = await read(nodes[0].url, '/product-offers');
  equal(response.headers.get('etag'), plain.etag);
  deepEqual((await response.json()).data, plain.data);
});
