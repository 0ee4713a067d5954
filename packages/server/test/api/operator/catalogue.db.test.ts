/** R23, A7, A11. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const { admin } = h;

test('a PUT creates with 201 and changes with 200, and a GET shows the same', async () => {
  const [sellerId, offerId, productId] = [randomUUID(), randomUUID(), '20000000000001'];
  const offer = { productId, sellerId, status: 'active' };
  const rows: [path: string, first: Record<string, unknown>, second: Record<string, unknown>][] = [
    [`/sellers/${sellerId}`, { name: 'Seller' }, { name: 'Seller 2' }],
    [
      `/products/${productId}`,
      { name: 'Game', checkoutClass: 'standard' },
      { name: 'Game 2', checkoutClass: 'esim', region: 'Global', slug: 'game-2' },
    ],
    [`/offers/${offerId}`, { ...offer, price: '5.00' }, { ...offer, price: '6.50', status: 'paused' }],
  ];
  for (const [path, first, second] of rows) {
    for (const [body, status] of [
      [first, 201],
      [second, 200],
      [second, 200],
    ] as const) {
      const response = await admin('PUT', path, body);
      equal(response.status, status, `${path}: ${JSON.stringify(response.body)}`);
      for (const [name, value] of Object.entries(body)) deepEqual(response.body.data[name], value, name);
      deepEqual((await admin('GET', path)).body.data, response.body.data);
    }
  }
  const upperCase = await admin('PUT', `/sellers/${sellerId.toUpperCase()}`, { name: 'Seller 2' });
  deepEqual([upperCase.status, upperCase.body.data.id], [200, sellerId]);
});

test('a new product has every detail, null if it was not given, and a slug made from its name', async () => {
  const { data } = (
    await admin('PUT', '/products/20000000000011', {
      name: 'Portal 2',
      checkoutClass: 'standard',
      region: 'Global',
      images: ['https://img.example/1.png'],
      requirements: { minimal: { memory: '2 GB' } },
    })
  ).body;
  const nothing = { processor: null, graphics: null, diskSpace: null, system: null, other: null };
  deepEqual(data, {
    id: '20000000000011',
    name: 'Portal 2',
    slug: 'portal-2',
    region: 'Global',
    developer: null,
    publisher: null,
    releaseDate: null,
    platform: null,
    categories: null,
    requirements: { minimal: { ...nothing, memory: '2 GB' } },
    restrictions: null,
    thumbnail: null,
    portraitImage: null,
    coverImage: null,
    images: ['https://img.example/1.png'],
    videos: null,
    checkoutClass: 'standard',
  });
});

test('a repeated PUT replaces all details of a product and keeps its place in the catalogue', async () => {
  const first = await h.seed.product({ region: 'Global', slug: 'own-slug' });
  await h.seed.product();
  const places = async () =>
    (await sql`SELECT * FROM product_stamp ORDER BY first_stamp`.execute(h.database.db)).rows.map(
      (row) => Object(row).product_id,
    );
  const before = await places();
  const data = await h.operate('PUT', `/products/${first}`, { name: 'Other', checkoutClass: 'esim' });
  deepEqual([data.region, data.slug], [null, 'other']);
  deepEqual(await places(), before);
});

test('the version of a product counts its changes', async () => {
  const productId = await h.seed.product({ name: 'Game' });
  const versions: number[] = [];
  const addVersion = async () => {
    const { rows } = await sql<{ version: number }>`
      SELECT details_version AS version FROM product WHERE id = ${productId}`.execute(h.database.db);
    versions.push(...rows.map(({ version }) => version));
  };
  await addVersion();
  for (const body of [
    { name: 'Game', checkoutClass: 'standard' },
    { name: 'Game', checkoutClass: 'esim' },
    { name: 'Game 2', checkoutClass: 'esim' },
    { name: 'Game 2', checkoutClass: 'esim', slug: 'x' },
  ]) {
    await h.operate('PUT', `/products/${productId}`, body);
    await addVersion();
  }
  deepEqual(versions, [1, 1, 2, 3, 4]);
});

test('concurrent PUTs of a new offer create it once', async () => {
  const [sellerId, productId, id] = [await h.seed.seller(), await h.seed.product(), randomUUID()];
  const body = { productId, sellerId, status: 'active' };
  const replies = await Promise.all(
    ['1.00', '1', '1.0'].map((price) => admin('PUT', `/offers/${id}`, { ...body, price })),
  );
  deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 201]);
});

test('keys added concurrently to one offer are all counted', async () => {
  const { offerId } = await h.seed.listing({ stock: 0 });
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => {
      const keys = [{ code: `OWN-${index}` }, { code: `SHARED-${index % 4}` }];
      return h.operate('POST', `/offers/${offerId}/keys`, { keys });
    }),
  );
  equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 12);
});

test('addresses of the service itself are shown with its public URL, as resellers get them', async () => {
  const path = '/products/20000000000093';
  await admin('PUT', path, { name: 'Demo game', checkoutClass: 'standard' });
  // The demo's addresses are stored in this form.
  const details = JSON.stringify({ coverImage: 'keyport-public-url:/media/1.svg' });
  await sql`UPDATE product SET details = details || ${details}::jsonb WHERE id = 20000000000093`.execute(
    h.database.db,
  );
  const { id, ...body } = (await admin('GET', path)).body.data;
  match(body.coverImage, /^https?:\/\/[^/].*\/media\/1\.svg$/);
  const [listed] = (await admin('GET', `/products?query=${id}`)).body.data;
  equal(listed.coverImage, body.coverImage);
  equal((await admin('PUT', path, body)).status, 200);
});

test('an offer needs an existing product and seller, and cannot move to others', async () => {
  const { productId, offerId, sellerId } = await h.seed.listing();
  const body = { productId, sellerId, price: '5.00', status: 'active' };
  const otherProduct = await h.seed.product();
  const otherSeller = await h.seed.seller();
  const rows: [id: string, change: Record<string, unknown>, status: number, message: RegExp][] = [
    [randomUUID(), { productId: '99999999999999' }, 400, /body\.productId names no product/],
    [randomUUID(), { sellerId: randomUUID() }, 400, /body\.sellerId names no seller/],
    [randomUUID(), { price: '0' }, 400, /body\.price/],
    [randomUUID(), { price: 5 }, 400, /body\.price/],
    [offerId, { productId: otherProduct }, 409, /productId/],
    [offerId, { sellerId: otherSeller }, 409, /sellerId/],
  ];
  for (const [id, change, status, message] of rows) {
    const response = await admin('PUT', `/offers/${id}`, { ...body, ...change });
    equal(response.status, status, JSON.stringify(response.body));
    match(response.body.error.message, message);
    if (id !== offerId) equal((await admin('GET', `/offers/${id}`)).status, 404, 'nothing was written');
  }
});

test('keys are added once across all offers, and counted', async () => {
  const [one, other] = [await h.seed.listing({ stock: 0 }), await h.seed.listing({ stock: 0 })];
  const add = async (offerId: string, keys: unknown) =>
    (await admin('POST', `/offers/${offerId}/keys`, { keys })).body.data;
  const keys = [{ code: 'ADD-1' }, { code: 'ADD-2', kind: 'image' }, { code: 'ADD-1', kind: 'image' }];
  deepEqual(await add(one.offerId, keys), { added: 2, duplicates: 1, trimmed: 0 });
  deepEqual(await add(one.offerId, keys), { added: 0, duplicates: 3, trimmed: 0 });
  deepEqual(await add(other.offerId, [{ code: 'ADD-1' }]), { added: 0, duplicates: 1, trimmed: 0 });
  equal((await h.operate('GET', `/offers/${one.offerId}`)).quantity, 2);
  equal((await h.operate('GET', `/offers/${other.offerId}`)).quantity, 0);
});

test('a bad key is rejected without its code in the response, and no key of the list is added', async () => {
  const { offerId } = await h.seed.listing({ stock: 0 });
  const lists = [
    [],
    [{ code: '' }],
    [{ code: 'SECRET-1' }, { code: 5 }],
    [{ code: 'SECRET-1', kind: 'video' }],
    [{ code: 'SECRET-1', colour: 'red' }],
    Array.from({ length: 1001 }, (_, index) => ({ code: `SECRET-${index}` })),
  ];
  for (const keys of lists) {
    const response = await admin('POST', `/offers/${offerId}/keys`, { keys });
    deepEqual([response.status, response.body.error.code], [400, 'validation-error']);
    ok(!JSON.stringify(response.body).includes('SECRET'));
  }
  equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 0);
});
