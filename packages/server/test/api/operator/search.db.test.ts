/** A274, A411. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startHarness } from '../../support/harness.ts';
import { readList } from '../../support/lists.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);
const get = (path: string) => h.admin('GET', path);
const names = async (path: string) => (await readList(h, path)).map(({ name }) => name);
const search = (list: string, words: string) => names(`/${list}?query=${encodeURIComponent(words)}`);

const PRODUCTS = [
  'Pokémon™: Let’s Go',
  'Half-Life 2 (PC) v1.5',
  'ŁÓDŹ Simulator',
  'Война и мир',
  'Half a Sword',
  '100% Orange_Juice',
];
const ids = new Map<string, string>();

beforeAll(async () => {
  for (const name of PRODUCTS) ids.set(name, await h.seed.product({ name }));
});

test.for([
  ['pokemon', ['Pokémon™: Let’s Go']],
  ['POKÉMON', ['Pokémon™: Let’s Go']],
  ["let's", ['Pokémon™: Let’s Go']],
  ['half', ['Half-Life 2 (PC) v1.5', 'Half a Sword']],
  ['half life', ['Half-Life 2 (PC) v1.5']],
  ['half-life-2', ['Half-Life 2 (PC) v1.5']],
  ['life hal', ['Half-Life 2 (PC) v1.5']],
  ['alf', []],
  ['1.5', []],
  ['v1.5', ['Half-Life 2 (PC) v1.5']],
  ['lodz', ['ŁÓDŹ Simulator']],
  ['война', ['Война и мир']],
  ['ВОЙ МИР', ['Война и мир']],
  ['juice 100', ['100% Orange_Juice']],
  ['%', []],
  ["'):*|&!\\", []],
  ['  go  ', ['Pokémon™: Let’s Go']],
] as const)('a search for %s finds the right products', async ([words, expected]) => {
  deepEqual(await search('products', words), expected);
});

test('an id or the beginning of a UUID finds its row', async () => {
  const id = ids.get('Half a Sword') ?? '';
  deepEqual(await search('products', id), ['Half a Sword']);
  deepEqual(await search('products', id.slice(0, -1)), []);
  const { productId, offerId, sellerId } = await h.seed.listing({ stock: 1, product: { name: 'By id' } });
  const found = async (list: string, query: string) =>
    (await readList(h, `/${list}?query=${query}`)).map((row) => row.id);
  for (const query of [sellerId, sellerId.toUpperCase(), sellerId.slice(0, 8), sellerId.slice(0, 13)])
    deepEqual(await found('sellers', query), [sellerId]);
  for (const query of [productId, sellerId, offerId, offerId.slice(0, 8), 'by+id'])
    deepEqual(await found('offers', query), [offerId], query);
  const { accountId } = await h.seed.reseller();
  deepEqual(await found('accounts', accountId), [accountId]);
  deepEqual(await found('sellers', randomUUID()), []);
});

test('sellers, products and accounts are sorted by name, regardless of case and accents', async () => {
  const sellers = ['éclair', 'Ecke', 'eden', 'EAST'];
  for (const name of sellers) await h.seed.seller(`Sorted ${name}`);
  const expected = sellers
    .map((name) => `Sorted ${name}`)
    .toSorted((one, other) => (plain(one) < plain(other) ? -1 : 1));
  deepEqual(await names('/sellers?query=sorted&sort=name'), expected);
  deepEqual(await names('/sellers?query=sorted&sort=-name'), expected.toReversed());
  const products = await names('/products?sort=name');
  deepEqual(
    products.filter((name) => name.startsWith('Half')),
    ['Half a Sword', 'Half-Life 2 (PC) v1.5'],
  );
  deepEqual(await names('/products?sort=-name'), products.toReversed());
  for (const name of ['Zeta', 'alpha', 'Älpler'])
    await h.operate('POST', '/accounts', { name, paymentMethod: null });
  const accounts = await names('/accounts?sort=name');
  deepEqual(
    accounts.filter((name) => ['Zeta', 'alpha', 'Älpler'].includes(name)),
    ['alpha', 'Älpler', 'Zeta'],
  );
});

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

test('offers of a product are sorted by price and filtered by remaining quantity', async () => {
  const productId = await h.seed.product();
  const offers = [];
  for (const [price, stock] of [
    ['3.00', 0],
    ['1.00', 2],
    ['2.00', 1],
    ['2.00', 3],
  ] as const)
    offers.push({ ...(await h.seed.offer({ productId, price, stock })), price, stock });
  const listed = await readList(h, `/offers?productId=${productId}&sort=price`);
  deepEqual(
    listed.map(({ price }) => price),
    ['1.00', '2.00', '2.00', '3.00'],
  );
  deepEqual(await readList(h, `/offers?productId=${productId}&sort=-price`), listed.toReversed());
  const low = await readList(h, `/offers?productId=${productId}&quantityMax=1`);
  deepEqual(low.map(({ quantity }) => quantity).toSorted(), [0, 1]);
  const { sellerId } = offers[0] ?? {};
  equal((await readList(h, `/offers?productId=${productId}&sellerId=${sellerId}&query=product`)).length, 1);
  equal((await readList(h, `/offers?sellerId=${sellerId}&query=product`)).length, 1);
  equal((await readList(h, `/offers?sellerId=${sellerId}&query=pokemon`)).length, 0);
  equal((await get('/offers?sort=price')).body.error.errors[0].field, 'query.sort');
});

test('accounts and clients are found by their own names and references', async () => {
  const { id } = await h.operate('POST', '/accounts', {
    name: 'Crème Games',
    paymentMethod: 'gateway',
    gatewayCustomer: 'cus_4711',
  });
  const { clientId } = await h.operate('POST', `/accounts/${id}/clients`, { name: 'Back office' });
  await h.operate('PATCH', `/accounts/${id}`, { status: 'suspended' });
  for (const query of ['creme', 'gam cre', '4711', 'cus_4711'])
    deepEqual(await search('accounts', query), ['Crème Games']);
  deepEqual(await names('/accounts?status=suspended'), ['Crème Games']);
  deepEqual(await names('/accounts?status=closed&query=creme'), []);
  const [client, ...others] = await readList(h, '/clients?query=back');
  deepEqual([client.clientId, client.accountName, others.length], [clientId, 'Crème Games', 0]);
  deepEqual(await readList(h, `/clients?query=${clientId}`), [client]);
  deepEqual(await readList(h, `/clients?accountId=${id}&role=reseller&status=enabled`), [client]);
  deepEqual(await readList(h, `/clients?accountId=${id}&status=disabled`), []);
  const operators = await readList(h, '/clients?role=operator');
  ok(operators.some((one) => one.clientId === 'test-operator' && one.accountName === null));
  const all = await readList(h, '/clients');
  deepEqual(await readList(h, '/clients?sort=-createdAt', 3), all.toReversed());
});

test('a cursor belongs to its search, its filters and its order', async () => {
  const { nextCursor } = (await get('/products?query=half&limit=1')).body.meta;
  ok(nextCursor);
  equal((await get(`/products?limit=5&query=half&cursor=${nextCursor}`)).status, 200);
  for (const query of ['', 'query=life', 'query=half&sort=name', 'query=half&checkoutClass=esim']) {
    const { status, body } = await get(`/products?${query}&cursor=${nextCursor}`);
    deepEqual([status, body.error.errors[0].field], [400, 'query.cursor'], query);
  }
  equal((await get('/accounts?page=1&query=x')).body.error.errors[0].field, 'query.page');
  equal((await get('/accounts?itemsPerPage=10&limit=1')).body.error.errors[0].field, 'query.itemsPerPage');
});

test('a long list with few matches has short pages, and nothing is left out', async () => {
  await sql`INSERT INTO product (id, name, checkout_class, details)
    SELECT 20000000000000 + n, 'Filler ' || n, CASE WHEN n IN (1, 7000, 12000) THEN 'esim' ELSE 'standard' END,
      (SELECT details FROM product LIMIT 1)
    FROM generate_series(1, 12000) AS n`.execute(h.database.db);
  await sql`ANALYZE product`.execute(h.database.db);
  const first = await get('/products?checkoutClass=esim&limit=10');
  ok(first.body.data.length < 3 && first.body.meta.hasMore);
  deepEqual(
    (await readList(h, '/products?checkoutClass=esim', 10)).map(({ name }) => name),
    ['Filler 1', 'Filler 7000', 'Filler 12000'],
  );
  // The search does not use the index for a word that most rows have.
  equal((await readList(h, '/products?query=filler', 1000)).length, 12_000);
  deepEqual(await names('/products?query=filler+7000'), ['Filler 7000']);
  deepEqual(await names('/products?query=filler+pok'), []);
  const byName = await names('/products?query=pok&sort=name');
  deepEqual(byName, ['Pokémon™: Let’s Go']);
});

test('unchanged elements are listed once while others are added and renamed', async () => {
  const kept: string[] = [];
  for (let index = 0; index < 6; index += 1) kept.push(await h.seed.seller(`Moving ${index}`));
  const seen: string[] = [];
  let cursor = '';
  for (;;) {
    const { data, meta } = (await get(`/sellers?query=moving&sort=name&limit=2${cursor}`)).body;
    seen.push(...data.map(({ id }: { id: string }) => id));
    const last = data.at(-1);
    // Each round inserts a row before the cursor and moves the row at the cursor.
    if (last !== undefined && !kept.includes(last.id)) break;
    await h.seed.seller('Moving 0');
    if (last !== undefined) await h.operate('PUT', `/sellers/${last.id}`, { name: 'Moving 0' });
    if (!meta.hasMore) break;
    cursor = `&cursor=${meta.nextCursor}`;
  }
  deepEqual(
    seen.filter((id) => kept.includes(id)),
    kept,
  );
});
