import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { readUpload } from '@keyport/http/validation/uploads';
import { sql } from 'kysely';
import { beforeAll, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { operatorOn, streamOf } from '../../test/support/operator.ts';
import { wholeFile } from '../../test/support/vitest.ts';

const database = await testDatabase(wholeFile);
const { call, notifications, clientId } = operatorOn(database);

const SELLER = randomUUID();
const OFFER = randomUUID();
const PRODUCT = '30000000000001';
const PRICE_RULE =
  'price must be a string such as "250.00": above 0, below 100000000000, with at most 2 decimals.';

const NOTHING_ELSE = { skipped: 0, rejectedBefore: 0, removed: 0, dryRun: false };

beforeAll(async () => {
  await call('putSeller', { params: { sellerId: SELLER }, body: { name: 'Seller' } });
  await call('putProduct', {
    params: { productId: PRODUCT },
    body: { name: 'Game', checkoutClass: 'standard' },
  });
  await call('putOffer', { params: { offerId: OFFER }, body: offer() });
});

test('good lines are written, lines without changes are counted, and bad ones are named and skipped', async () => {
  const id = randomUUID();
  const lines = [
    { id, ...offer() },
    { id: OFFER, ...offer() },
    { id: OFFER.toUpperCase(), ...offer({ price: '6.50' }) },
    { id: randomUUID(), ...offer({ price: '1.234' }) },
    { id: randomUUID(), ...offer({ productId: '39999999999999' }) },
    { id: randomUUID(), ...offer({ sellerId: randomUUID() }) },
    { id, ...offer({ sellerId: await newSeller() }) },
    { id: randomUUID(), ...offer(), colour: 'red' },
  ];
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"id":\n[]\n`;
  deepEqual(await importText('offers', text), {
    read: 10,
    written: 2,
    unchanged: 1,
    rejected: 7,
    ...NOTHING_ELSE,
    prices: {
      changed: 1,
      outliers: 0,
      paused: 0,
      activated: 0,
      largest: [
        {
          line: 3,
          offerId: OFFER,
          productName: 'Game',
          sellerName: 'Seller',
          before: '5.00',
          after: '6.50',
          isOutlier: false,
        },
      ],
    },
    errors: [
      { line: 4, message: PRICE_RULE },
      { line: 5, message: 'productId names no product in the catalogue; add the product first.' },
      { line: 6, message: 'sellerId names no seller in the catalogue; add the seller first.' },
      {
        line: 7,
        message: `sellerId is ${SELLER} and cannot change; give the other offer a new id and pause this one.`,
      },
      { line: 8, message: 'colour is not a known field; remove it.' },
      { line: 9, message: 'The JSON ends before it is complete; send all of it.' },
      { line: 10, message: 'line must be an object.' },
    ],
  });
  equal((await call('getOffer', { params: { offerId: id } })).data.price, '5.00');
  equal((await call('getOffer', { params: { offerId: OFFER } })).data.price, '6.50');
});

test('lines act like successive PUTs, even for the same id', async () => {
  const id = randomUUID();
  const lines = ['a', 'b', 'b', 'a'].map((name) => JSON.stringify({ id, name }));
  const { read, written, unchanged } = await importText('sellers', lines.join('\n'));
  deepEqual({ read, written, unchanged }, { read: 4, written: 3, unchanged: 1 });
  equal((await call('getSeller', { params: { sellerId: id } })).data.name, 'a');
});

test('a check has the result of the import that follows, for every outcome of a line', async () => {
  const seller = await newSeller();
  const offers = { paused: randomUUID(), repriced: randomUUID(), moved: randomUUID(), same: randomUUID() };
  const lineOf = (id: string, changes: Record<string, string> = {}) => ({
    id,
    ...offer({ sellerId: seller, ...changes }),
  });
  await importAndCheck(
    'offers',
    Object.values(offers).map((id) => lineOf(id)),
  );
  await importText('offers', ndjson([lineOf(offers.same)]), undefined, { deleteMissing: 'true' });
  await importText('offers', ndjson([lineOf(offers.repriced), lineOf(offers.moved)]));
  const { written, unchanged, rejected } = await importAndCheck('offers', [
    lineOf(randomUUID()),
    lineOf(offers.same.toUpperCase()),
    lineOf(offers.repriced, { price: '7.00' }),
    lineOf(offers.paused, { status: 'paused' }),
    lineOf(offers.moved, { sellerId: SELLER, price: '7.00' }),
    lineOf(randomUUID(), { productId: '39999999999999' }),
    lineOf(randomUUID(), { sellerId: randomUUID() }),
  ]);
  deepEqual({ written, unchanged, rejected }, { written: 3, unchanged: 1, rejected: 3 });
  const prices = await importAndCheck('prices', [
    { id: offers.same, price: '8.00' },
    { id: offers.same, price: '9.00' },
    { id: offers.paused, price: '5.00' },
    { id: randomUUID(), price: '5.00' },
  ]);
  deepEqual([prices.written, prices.unchanged, prices.rejected], [2, 1, 1]);
  const keyOf = (code: string) => ({ offerId: offers.same, code });
  await importText('keys', ndjson([keyOf('HELD-1')]));
  const keys = await importAndCheck('keys', [
    ...['NEW-1', 'new 1', 'held1'].map(keyOf),
    { offerId: randomUUID(), code: 'NEW-2' },
  ]);
  deepEqual([keys.written, keys.unchanged, keys.rejected], [1, 2, 1]);
  const [known, ...added] = ['30000000000041', '30000000000042', '30000000000043'].map((id) => ({
    id,
    name: 'Game',
    checkoutClass: 'standard',
  }));
  await importText('products', ndjson([{ ...known }]));
  const products = [{ ...known, region: 'Global' }, ...added];
  equal((await importAndCheck('products', products)).written, 3);
  equal((await importAndCheck('products', [...products, { ...known, id: '30000000000044' }])).written, 1);
});

test('a CSV import has the same effect as an NDJSON import of the same values', async () => {
  const details = {
    categories: [{ id: '7', name: 'Puzzle, "logic"' }],
    images: ['https://img.example/a.png'],
  };
  const values = { name: 'Line\nbreak', checkoutClass: 'standard', region: 'Global', ...details };
  const ndjson = JSON.stringify({ id: '30000000000011', ...values });
  const row = ['30000000000012', values.name, 'standard', 'Global', values.categories, values.images, ''];
  const cells = row.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell)));
  const csv = [
    '\uFEFFid,name,checkoutClass,region,categories,images,platform',
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
    '',
    '30000000000013,,standard,,,,',
    '30000000000014,Good,standard,,,"[""javascript:alert(1)""]",',
    '30000000000015,Good,standard,,,,Steam',
  ].join('\r\n');
  equal((await importText('products', ndjson)).written, 1);
  deepEqual(await importText('products', csv, 'text/csv'), {
    read: 4,
    written: 2,
    unchanged: 0,
    rejected: 2,
    ...NOTHING_ELSE,
    errors: [
      { line: 5, message: 'name is required and must be text of 1 to 500 characters, not only blanks.' },
      { line: 6, message: 'images[0] must be an absolute http or https URL.' },
    ],
  });
  const { id: _a, ...fromJson } = await getProduct('30000000000011');
  const { id: _b, ...fromCsv } = await getProduct('30000000000012');
  deepEqual(fromCsv, fromJson);
});

test('imported products take their places in the order of the lines', async () => {
  const ids = ['30000000000029', '30000000000021', '30000000000025'];
  const lines = ids.map((id) => JSON.stringify({ id, name: 'Placed', checkoutClass: 'standard' }));
  await importText('products', lines.join('\n'));
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM product JOIN product_stamp ON product_id = id WHERE name = 'Placed' ORDER BY first_stamp`.execute(
    database.kysely,
  );
  deepEqual(
    rows.map(({ id }) => String(id)),
    ids,
  );
});

test('imported keys are added once, however many lines repeat them, and unknown offers are named', async () => {
  const other = randomUUID();
  await call('putOffer', { params: { offerId: other }, body: offer() });
  const lines = [
    { offerId: OFFER, code: 'IMP-1' },
    { offerId: other.toUpperCase(), code: 'IMP-2', kind: 'image' },
    { offerId: other, code: 'IMP-1' },
    { offerId: randomUUID(), code: 'IMP-3' },
    { offerId: OFFER, code: '' },
    { offerId: OFFER, code: 'IMP-4' },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\r\n');
  const errors = [
    { line: 4, message: 'offerId names no offer in the catalogue; add the offer first.' },
    { line: 5, message: 'code must be text of 1 to 4000 characters.' },
  ];
  notifications.length = 0;
  deepEqual(await importText('keys', text), {
    read: 6,
    written: 3,
    unchanged: 1,
    rejected: 2,
    errors,
    ...NOTHING_ELSE,
  });
  deepEqual(notifications, ['catalogue']);
  deepEqual(await importText('keys', text), {
    read: 6,
    written: 0,
    unchanged: 4,
    rejected: 2,
    errors,
    ...NOTHING_ELSE,
  });
  deepEqual(notifications, ['catalogue']);
  equal((await call('getOffer', { params: { offerId: OFFER } })).data.quantity, 2);
  equal((await call('getOffer', { params: { offerId: other } })).data.quantity, 1);
});

test('many lines are imported in batches, with one audit entry and at most 1000 errors', async () => {
  const lines = Array.from({ length: 2_500 }, (_, index) =>
    index % 2 === 0 ? JSON.stringify({ id: randomUUID(), name: `Bulk ${index}` }) : '{"id":1}',
  );
  const result = await importText('sellers', lines.join('\n'));
  const { errors, ...counts } = result;
  deepEqual(counts, { read: 2_500, written: 1_250, unchanged: 0, rejected: 1_250, ...NOTHING_ELSE });
  equal(errors.length, 1_000);
  equal(errors.at(-1)?.line, 2_000);
  const { data } = await call('listAudit', { query: { action: 'import.sellers', clientId } });
  const runs = data.map((entry) => entry.data['runId']);
  deepEqual(
    runs.filter((run) => run === runs[0]),
    [runs[0]],
  );
});

test('an interrupted import keeps the committed lines and fails with request-timeout', async () => {
  const ids = Array.from({ length: 1_200 }, () => randomUUID());
  async function* broken() {
    yield Buffer.from(ids.map((id) => `${JSON.stringify({ id, name: 'Broken' })}\n`).join(''));
    throw new Error('aborted');
  }
  const stream = { contentType: 'application/x-ndjson', body: readUpload(Readable.from(broken())) };
  await rejects(call('importLines', { params: { kind: 'sellers' }, stream }), { code: 'request-timeout' });
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM seller WHERE name = 'Broken'`.execute(database.kysely);
  deepEqual(rows, [{ count: 1_000 }]);
});

test('a line longer than the limit is rejected and the next one is read', async () => {
  const long = JSON.stringify({ id: randomUUID(), name: 'x'.repeat(1_100_000) });
  const good = JSON.stringify({ id: randomUUID(), name: 'Short' });
  const { read, written, errors } = await importText('sellers', `${long}\n${good}\n`);
  deepEqual([read, written, errors.length], [2, 1, 1]);
  ok(errors[0]?.message.startsWith('is longer than 1024 KiB'));
});

test('the audit log of an import has no code', async () => {
  await importText('keys', JSON.stringify({ offerId: OFFER, code: 'NEVER-LOGGED' }));
  const { rows } = await sql<{ text: string }>`SELECT audit_entry::text AS text FROM audit_entry`.execute(
    database.kysely,
  );
  ok(rows.some(({ text }) => text.includes('import.keys')));
  ok(!rows.some(({ text }) => text.includes('NEVER-LOGGED')));
});

function offer(changes: Record<string, string> = {}) {
  return { productId: PRODUCT, sellerId: SELLER, price: '5', status: 'active' as const, ...changes };
}

async function newSeller(): Promise<string> {
  const sellerId = randomUUID();
  await call('putSeller', { params: { sellerId }, body: { name: 'Other' } });
  return sellerId;
}

async function getProduct(productId: string) {
  return (await call('getCatalogueProduct', { params: { productId } })).data;
}

async function importAndCheck(kind: ImportKind, lines: readonly object[]) {
  const checked = await importText(kind, ndjson(lines), undefined, { dryRun: 'true' });
  const imported = await importText(kind, ndjson(lines));
  deepEqual(checked, { ...imported, dryRun: true });
  return imported;
}

const ndjson = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

async function importText(
  kind: ImportKind,
  text: string,
  contentType = 'application/x-ndjson',
  query: { readonly dryRun?: 'true'; readonly deleteMissing?: 'true' } = {},
) {
  const { status, data } = await call('importLines', {
    params: { kind },
    query,
    stream: streamOf(text, contentType),
  });
  equal(status, 200);
  const { runId, ...result } = data;
  match(runId, /^[1-9][0-9]*$/);
  return result;
}
