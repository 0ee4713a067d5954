import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { operatorOn } from '../../test/support/operator.ts';
import { wholeFile } from '../../test/support/vitest.ts';

const database = await testDatabase(wholeFile);
const { call, notifications } = operatorOn(database);

let productCount = 0;

test('a new product has every detail, null where none was given, and a slug made from its name', async () => {
  const productId = newProductId();
  const params = { productId };
  const { status, data } = await call('putProduct', {
    params,
    body: {
      name: 'Portal 2',
      checkoutClass: 'standard',
      region: 'Global',
      images: ['https://img.example/1.png'],
      requirements: { minimal: { memory: '2 GB' } },
    },
  });
  equal(status, 201);
  const nothing = { processor: null, graphics: null, diskSpace: null, system: null, other: null };
  deepEqual(data, {
    id: productId,
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
  deepEqual((await call('getCatalogueProduct', { params })).data, data);
});

test('a repeated PUT replaces all details of a product and keeps its place in the catalogue', async () => {
  const first = await putProduct({ region: 'Global', slug: 'own-slug' });
  await putProduct();
  const order = await listInOrder();
  const params = { productId: first };
  const { data } = await call('putProduct', { params, body: { name: 'Other', checkoutClass: 'esim' } });
  equal(data.region, null);
  equal(data.slug, 'other');
  deepEqual(await listInOrder(), order);
});

test('only changes that resellers can see are stamped, in their order', async () => {
  const sellerId = await putSeller();
  const productId = await putProduct();
  const offerId = randomUUID();
  const offer = { productId, sellerId, price: '10', status: 'active' } as const;
  const product = { name: 'Game', checkoutClass: 'standard' } as const;
  const putProductAgain = (body: { region?: string; checkoutClass?: 'esim' }) =>
    call('putProduct', { params: { productId }, body: { ...product, ...body } });
  const putOffer = (body: Partial<{ price: string; status: 'active' | 'paused' }>) =>
    call('putOffer', { params: { offerId }, body: { ...offer, ...body } });
  const addKeys = (codes: string[]) =>
    call('addKeys', { params: { offerId }, body: { keys: codes.map((code) => ({ code })) } });

  const steps: [string, boolean, () => Promise<{ status: number }>, status: number][] = [
    ['new offer', true, () => putOffer({}), 201],
    ['same offer', false, () => putOffer({ price: '10.00' }), 200],
    ['price', true, () => putOffer({ price: '9.99' }), 200],
    ['status', true, () => putOffer({ price: '9.99', status: 'paused' }), 200],
    ['keys', true, () => addKeys(['STAMP-1', 'STAMP-2']), 201],
    ['known keys', false, () => addKeys(['STAMP-1', 'STAMP-2']), 201],
    ['same product', false, () => putProductAgain({}), 200],
    ['details', true, () => putProductAgain({ region: 'EU' }), 200],
    ['class', true, () => putProductAgain({ region: 'EU', checkoutClass: 'esim' }), 200],
    ['class and details', true, () => putProductAgain({}), 200],
  ];
  let before = await findStamp(productId);
  for (const [name, isStamped, act, status] of steps) {
    notifications.length = 0;
    equal((await act()).status, status, name);
    const stamp = await findStamp(productId);
    equal(stamp > before, isStamped, name);
    equal(stamp === before, !isStamped, name);
    deepEqual(notifications, isStamped ? ['catalogue'] : [], name);
    before = stamp;
  }
});

test("a product's version counts its changes", async () => {
  const productId = await putProduct();
  const params = { productId };
  const versions = [await findVersion(productId)];
  for (const body of [
    { name: 'Game', checkoutClass: 'standard' },
    { name: 'Game', checkoutClass: 'esim' },
    { name: 'Game 2', checkoutClass: 'esim' },
    { name: 'Game 2', checkoutClass: 'esim', slug: 'x' },
  ] as const) {
    await call('putProduct', { params, body });
    versions.push(await findVersion(productId));
  }
  deepEqual(versions, [1, 1, 2, 3, 4]);
});

test('concurrent PUTs of offers get separate stamps, and duplicates of a new offer create it once', async () => {
  const sellerId = await putSeller();
  const productIds = await Promise.all(Array.from({ length: 8 }, () => putProduct()));
  const newOfferId = randomUUID();
  const replies = await Promise.all([
    ...productIds.map((productId) =>
      call('putOffer', {
        params: { offerId: randomUUID() },
        body: { productId, sellerId, price: '1', status: 'active' },
      }),
    ),
    ...['1.00', '1', '1.0'].map((price) =>
      call('putOffer', {
        params: { offerId: newOfferId },
        body: { productId: productIds[0] ?? '', sellerId, price, status: 'active' },
      }),
    ),
  ]);
  deepEqual(
    replies
      .slice(-3)
      .map(({ status }) => status)
      .toSorted(),
    [200, 200, 201],
  );
  const stamps = await Promise.all(productIds.map(findStamp));
  equal(new Set(stamps).size, productIds.length);
});

test('keys added concurrently to one offer are all counted', async () => {
  const offerId = await putOffer();
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      call('addKeys', {
        params: { offerId },
        body: { keys: [{ code: `OWN-${index}` }, { code: `SHARED-${index % 4}` }] },
      }),
    ),
  );
  equal((await call('getOffer', { params: { offerId } })).data.quantity, 12);
  deepEqual(await offersOutOfStep(), []);
});

test('the audit log has every change of the catalogue and no code', async () => {
  const offerId = await putOffer();
  await call('addKeys', { params: { offerId }, body: { keys: [{ code: 'SECRET-CODE' }] } });
  const { data } = await call('listAudit', { query: { itemsPerPage: 10 } });
  deepEqual(
    data.slice(0, 4).map(({ action }) => action),
    ['keys.add', 'offer.put', 'product.put', 'seller.put'],
  );
  deepEqual(data[0]?.data, { offerId, added: 1, duplicates: 0 });
  equal(data[1]?.data['outcome'], 'created');
  ok(!JSON.stringify(data).includes('SECRET-CODE'));
});

function newProductId(): string {
  productCount += 1;
  return String(20000000000000 + productCount);
}

async function putProduct(details: { region?: string; slug?: string } = {}): Promise<string> {
  const productId = newProductId();
  const body = { name: 'Game', checkoutClass: 'standard', ...details } as const;
  equal((await call('putProduct', { params: { productId }, body })).status, 201);
  return productId;
}

async function putSeller(): Promise<string> {
  const sellerId = randomUUID();
  await call('putSeller', { params: { sellerId }, body: { name: 'Seller' } });
  return sellerId;
}

async function putOffer(): Promise<string> {
  const offerId = randomUUID();
  const sellerId = await putSeller();
  const productId = await putProduct();
  await call('putOffer', {
    params: { offerId },
    body: { productId, sellerId, price: '5', status: 'active' },
  });
  return offerId;
}

async function findStamp(productId: string): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    SELECT to_char(stamp, 'YYYY-MM-DD HH24:MI:SS.US') AS stamp FROM stamped_product
    WHERE product_id = ${productId}`.execute(database.kysely);
  return rows[0]?.stamp ?? '';
}

async function findVersion(productId: string): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    SELECT details_version AS version FROM product WHERE id = ${productId}`.execute(database.kysely);
  return rows[0]?.version;
}

async function listInOrder() {
  const { rows } = await sql`
    SELECT product_id, first_stamp FROM product_stamp ORDER BY first_stamp`.execute(database.kysely);
  return rows;
}

async function offersOutOfStep() {
  const { rows } = await sql`
    SELECT offer.id FROM offer LEFT JOIN unit ON offer_id = offer.id AND state = 'available'
    GROUP BY offer.id, available_text, available_image HAVING available_text <> count(*) FILTER (WHERE kind = 'text')
      OR available_image <> count(*) FILTER (WHERE kind = 'image')`.execute(database.kysely);
  return rows;
}
