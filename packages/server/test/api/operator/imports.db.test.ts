/** R23. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();
const { productId, offerId, sellerId } = await h.seed.listing({
  price: '5.00',
  stock: 0,
  product: { name: 'Game' },
});
const offer = (changes: Record<string, string> = {}) => ({
  productId,
  sellerId,
  price: '5',
  status: 'active',
  ...changes,
});

const NDJSON = 'application/x-ndjson';

const NOTHING_ELSE = { removed: 0, dryRun: false };

const importText = (kind: string, body: string, contentType = NDJSON) =>
  h.call('POST', `/admin/v1/imports/${kind}`, {
    token: h.operatorToken,
    headers: { 'content-type': contentType },
    body,
  });

async function importAll(kind: string, text: string, contentType = NDJSON) {
  const { status, body } = await importText(kind, text, contentType);
  equal(status, 200);
  const { runId, ...result } = body.data;
  match(runId, /^[1-9][0-9]*$/);
  return result;
}

const ndjson = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

async function importAndCheck(kind: string, lines: readonly object[]) {
  const checked = await importAll(`${kind}?dryRun=true`, ndjson(lines));
  const imported = await importAll(kind, ndjson(lines));
  deepEqual(checked, { ...imported, dryRun: true });
  return imported;
}

test('a mapping in the body may begin with a byte order mark', async () => {
  const mapping = {
    source: { format: 'csv' },
    sellers: { fields: { id: { column: 'Id' }, name: { column: 'Name' } } },
  };
  const text = `\ufeff${JSON.stringify(mapping)}\n\ufeffId,Name\n${randomUUID()},Marked\n`;
  equal((await importAll('sellers?hasMapping=true', text, 'text/csv')).written, 1);
});

test('a character that cannot be seen is named, and a name of only such characters is rejected', async () => {
  const offers = [
    offer({ status: 'active ' }),
    offer({ status: 'active\u00a0' }),
    offer({ status: 'acti\u200bve' }),
  ];
  const { errors } = await importAll('offers', ndjson(offers.map((line) => ({ id: offerId, ...line }))));
  deepEqual(
    errors.map(({ message }: { message: string }) => /status must be .*; it has (.*)\.$/.exec(message)?.[1]),
    ['a space at an end', 'U+00A0 at position 7', 'U+200B at position 5'],
  );
  for (const name of ['\u200b', '\u3164', '\u00a0 \u2800'])
    equal(
      (await importAll('sellers', ndjson([{ id: randomUUID(), name }]))).rejected,
      1,
      JSON.stringify(name),
    );
});

test('a catalogue is imported kind by kind and is then on sale', async () => {
  const [sellerId, offerId, productId] = [randomUUID(), randomUUID(), '30000000000001'];
  const rows: [kind: string, line: unknown][] = [
    ['sellers', { id: sellerId, name: 'Seller' }],
    ['products', { id: productId, name: 'Game', checkoutClass: 'standard' }],
    ['offers', { id: offerId, productId, sellerId, price: '5.00', status: 'active' }],
    ['keys', { offerId, code: 'IMPORT-1' }],
  ];
  for (const [kind, line] of rows) {
    const counts = [];
    for (let round = 0; round < 2; round += 1) {
      const { read, written, unchanged, rejected } = (await importText(kind, JSON.stringify(line))).body.data;
      counts.push([read, written, unchanged, rejected]);
    }
    deepEqual(
      counts,
      [
        [1, 1, 0, 0],
        [1, 0, 1, 0],
      ],
      kind,
    );
  }
  await h.seed.inStep();
  const { data } = (await reseller.get(`/products/${productId}`)).body;
  deepEqual(data.offers, [{ id: offerId, price: '5.00', quantity: 1 }]);
});

test('good lines are written, lines without changes are counted, and bad ones are named and skipped', async () => {
  const id = randomUUID();
  const lines = [
    { id, ...offer() },
    { id: offerId, ...offer() },
    { id: offerId.toUpperCase(), ...offer({ price: '6.50' }) },
    { id: randomUUID(), ...offer({ price: '1.234' }) },
    { id: randomUUID(), ...offer({ productId: '39999999999999' }) },
    { id: randomUUID(), ...offer({ sellerId: randomUUID() }) },
    { id, ...offer({ sellerId: await h.seed.seller() }) },
    { id: randomUUID(), ...offer(), colour: 'red' },
  ];
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"id":\n[]\n`;
  deepEqual(await importAll('offers', text), {
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
          offerId,
          productName: 'Game',
          sellerName: 'Seller',
          before: '5.00',
          after: '6.50',
          isOutlier: false,
        },
      ],
    },
    errors: [
      {
        line: 4,
        message:
          'price must be a string such as "250.00": above 0, below 100000000000, with at most 2 decimals.',
      },
      { line: 5, message: 'productId names no product in the catalogue; add the product first.' },
      { line: 6, message: 'sellerId names no seller in the catalogue; add the seller first.' },
      {
        line: 7,
        message: `sellerId is ${sellerId} and cannot change; give the other offer a new id and pause this one.`,
      },
      { line: 8, message: 'colour is not a known field; remove it.' },
      { line: 9, message: 'The JSON ends before it is complete; send all of it.' },
      { line: 10, message: 'line must be an object.' },
    ],
  });
  equal((await h.operate('GET', `/offers/${id}`)).price, '5.00');
  equal((await h.operate('GET', `/offers/${offerId}`)).price, '6.50');
});

test('lines act like successive PUTs, even for the same id', async () => {
  const id = randomUUID();
  const lines = ['a', 'b', 'b', 'a'].map((name) => JSON.stringify({ id, name }));
  const { read, written, unchanged } = await importAll('sellers', lines.join('\n'));
  deepEqual({ read, written, unchanged }, { read: 4, written: 3, unchanged: 1 });
  equal((await h.operate('GET', `/sellers/${id}`)).name, 'a');
});

test('a check has the result of the import that follows, for every outcome of a line', async () => {
  const seller = await h.seed.seller();
  const offers = { paused: randomUUID(), repriced: randomUUID(), moved: randomUUID(), same: randomUUID() };
  const toLine = (id: string, changes: Record<string, string> = {}) => ({
    id,
    ...offer({ sellerId: seller, ...changes }),
  });
  await importAndCheck(
    'offers',
    Object.values(offers).map((id) => toLine(id)),
  );
  await importAll('offers?deleteMissing=true', ndjson([toLine(offers.same)]));
  await importAll('offers', ndjson([toLine(offers.repriced), toLine(offers.moved)]));
  const { written, unchanged, rejected } = await importAndCheck('offers', [
    toLine(randomUUID()),
    toLine(offers.same.toUpperCase()),
    toLine(offers.repriced, { price: '7.00' }),
    toLine(offers.paused, { status: 'paused' }),
    toLine(offers.moved, { sellerId, price: '7.00' }),
    toLine(randomUUID(), { productId: '39999999999999' }),
    toLine(randomUUID(), { sellerId: randomUUID() }),
  ]);
  deepEqual({ written, unchanged, rejected }, { written: 3, unchanged: 1, rejected: 3 });
  const prices = await importAndCheck('prices', [
    { id: offers.same, price: '8.00' },
    { id: offers.same, price: '9.00' },
    { id: offers.paused, price: '5.00' },
    { id: randomUUID(), price: '5.00' },
  ]);
  deepEqual([prices.written, prices.unchanged, prices.rejected], [2, 1, 1]);
  const toKey = (code: string) => ({ offerId: offers.same, code });
  const [held, fresh] = [randomUUID(), randomUUID()];
  await importAll('keys', ndjson([toKey(held)]));
  const keys = await importAndCheck('keys', [
    ...[fresh, fresh.toUpperCase(), held.replaceAll('-', ' ')].map(toKey),
    { offerId: randomUUID(), code: randomUUID() },
  ]);
  deepEqual([keys.written, keys.unchanged, keys.rejected], [1, 2, 1]);
  const [known, ...added] = ['30000000000041', '30000000000042', '30000000000043'].map((id) => ({
    id,
    name: 'Game',
    checkoutClass: 'standard',
  }));
  await importAll('products', ndjson([{ ...known }]));
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
  equal((await importAll('products', ndjson)).written, 1);
  deepEqual(await importAll('products', csv, 'text/csv'), {
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
  const { id: _a, ...fromJson } = await h.operate('GET', '/products/30000000000011');
  const { id: _b, ...fromCsv } = await h.operate('GET', '/products/30000000000012');
  deepEqual(fromCsv, fromJson);
});

test('imported products take their places in the order of the lines', async () => {
  const ids = ['30000000000029', '30000000000021', '30000000000025'];
  const lines = ids.map((id) => JSON.stringify({ id, name: 'Placed', checkoutClass: 'standard' }));
  await importAll('products', lines.join('\n'));
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM product JOIN product_stamp ON product_id = id
    WHERE name = 'Placed' ORDER BY first_stamp`.execute(h.database.db);
  deepEqual(
    rows.map(({ id }) => String(id)),
    ids,
  );
});

test('imported keys are added once, however many lines repeat them, and unknown offers are named', async () => {
  const other = randomUUID();
  await h.operate('PUT', `/offers/${other}`, offer());
  const lines = [
    { offerId, code: 'IMP-1' },
    { offerId: other.toUpperCase(), code: 'IMP-2', kind: 'image' },
    { offerId: other, code: 'IMP-1' },
    { offerId: randomUUID(), code: 'IMP-3' },
    { offerId, code: '' },
    { offerId, code: 'IMP-4' },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\r\n');
  const errors = [
    { line: 4, message: 'offerId names no offer in the catalogue; add the offer first.' },
    { line: 5, message: 'code must be text of 1 to 4000 characters.' },
  ];
  deepEqual(await importAll('keys', text), {
    read: 6,
    written: 3,
    unchanged: 1,
    rejected: 2,
    errors,
    trimmed: 0,
    ...NOTHING_ELSE,
  });
  deepEqual(await importAll('keys', text), {
    read: 6,
    written: 0,
    unchanged: 4,
    rejected: 2,
    errors,
    trimmed: 0,
    ...NOTHING_ELSE,
  });
  equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 2);
  equal((await h.operate('GET', `/offers/${other}`)).quantity, 1);
});

test('many lines are imported in batches, with one audit entry and at most 1000 errors', async () => {
  const lines = Array.from({ length: 2_500 }, (_, index) =>
    index % 2 === 0 ? JSON.stringify({ id: randomUUID(), name: `Bulk ${index}` }) : '{"id":1}',
  );
  const result = await importAll('sellers', lines.join('\n'));
  const { errors, ...counts } = result;
  deepEqual(counts, { read: 2_500, written: 1_250, unchanged: 0, rejected: 1_250, ...NOTHING_ELSE });
  equal(errors.length, 1_000);
  equal(errors.at(-1)?.line, 2_000);
  const entries = await h.operate('GET', '/audit?action=import.sellers&limit=100');
  const runs = entries.map(({ data }: { data: { runId: string } }) => data.runId);
  equal(runs.filter((run: string) => run === runs[0]).length, 1);
});

test('neither the rejection of a key line nor the audit log contains the code', async () => {
  const { offerId } = await h.seed.listing({ stock: 0 });
  const lines = [
    { offerId, code: 'SECRET-1', kind: 'video' },
    { offerId: randomUUID(), code: 'SECRET-2' },
    { offerId, code: 'SECRET-3' },
  ];
  const { body } = await importText('keys', lines.map((line) => JSON.stringify(line)).join('\n'));
  deepEqual([body.data.written, body.data.rejected], [1, 2]);
  ok(!JSON.stringify(body).includes('SECRET'));
  ok(!JSON.stringify(await h.operate('GET', '/audit?action=import.keys&limit=100')).includes('SECRET'));
});

test('an empty import reads nothing, and an unknown kind or media type is rejected', async () => {
  equal((await importText('sellers', '')).body.data.read, 0);
  const kind = await importText('orders', '{}');
  deepEqual([kind.status, kind.body.error.errors[0].field], [400, 'path.kind']);
  const type = await importText('sellers', '{}', 'application/json');
  deepEqual([type.status, type.body.error.code], [415, 'unsupported-media-type']);
});
