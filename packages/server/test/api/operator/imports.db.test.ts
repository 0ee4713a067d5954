/** R23. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

const NDJSON = 'application/x-ndjson';

const NOTHING_ELSE = { skipped: 0, rejectedBefore: 0, removed: 0, dryRun: false };

const importText = (kind: string, body: string, contentType = NDJSON) =>
  h.call('POST', `/admin/v1/imports/${kind}`, {
    token: h.operatorToken,
    headers: { 'content-type': contentType },
    body,
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

test('bad NDJSON lines are named by their number and skipped', async () => {
  const { productId, sellerId } = await h.seed.listing();
  const good = randomUUID();
  const offer = { productId, sellerId, price: '5.00', status: 'active' };
  const lines = [
    JSON.stringify({ id: good, ...offer }),
    '{"id":',
    '',
    JSON.stringify({ id: randomUUID(), ...offer, price: '1.234' }),
    JSON.stringify({ id: randomUUID(), ...offer, productId: '99999999999999' }),
    JSON.stringify({ id: randomUUID(), ...offer, price: '6.00' }),
  ];
  const response = await importText('offers', lines.join('\n'));
  equal(response.status, 200);
  const { errors, runId: _runId, prices: _prices, ...counts } = response.body.data;
  deepEqual(counts, { read: 5, written: 2, unchanged: 0, rejected: 3, ...NOTHING_ELSE });
  deepEqual(
    errors.map(({ line }: { line: number }) => line),
    [2, 4, 5],
  );
  match(errors[1].message, /price/);
  match(errors[2].message, /productId/);
  equal((await h.operate('GET', `/offers/${good}`)).price, '5.00');
});

test('CSV has its header on line 1, quoted cells and JSON in cells', async () => {
  const csv = [
    'id,name,checkoutClass,region,categories',
    '30000000000011,"Game, ""gold"" edition",standard,Global,"[{""id"":""7"",""name"":""Puzzle""}]"',
    '30000000000012,,standard,,',
    '30000000000013,Game,other,,',
    '30000000000014,Game,standard,,',
  ].join('\r\n');
  const {
    errors,
    runId: _runId,
    ...counts
  } = (await importText('products', csv, 'text/csv; charset=utf-8')).body.data;
  deepEqual(counts, { read: 4, written: 2, unchanged: 0, rejected: 2, ...NOTHING_ELSE });
  deepEqual(
    errors.map(({ line }: { line: number }) => line),
    [3, 4],
  );
  const product = await h.operate('GET', '/products/30000000000011');
  deepEqual([product.name, product.categories], ['Game, "gold" edition', [{ id: '7', name: 'Puzzle' }]]);
});

test('the rejection of a key line does not contain the code', async () => {
  const { offerId } = await h.seed.listing({ stock: 0 });
  const lines = [
    { offerId, code: 'SECRET-1', kind: 'video' },
    { offerId: randomUUID(), code: 'SECRET-2' },
    { offerId, code: 'SECRET-3' },
  ];
  const { body } = await importText('keys', lines.map((line) => JSON.stringify(line)).join('\n'));
  deepEqual([body.data.written, body.data.rejected], [1, 2]);
  ok(!JSON.stringify(body).includes('SECRET'));
});

test('an import may be larger than the body limit', async () => {
  const lines = Array.from({ length: 1500 }, (_, index) =>
    JSON.stringify({ id: randomUUID(), name: `Seller ${index} ${'x'.repeat(100)}` }),
  );
  const { data } = (await importText('sellers', lines.join('\n'))).body;
  deepEqual([data.read, data.written], [1500, 1500]);
});

test('an empty import reads nothing, and another kind or media type is rejected', async () => {
  equal((await importText('sellers', '')).body.data.read, 0);
  const kind = await importText('orders', '{}');
  deepEqual([kind.status, kind.body.error.errors[0].field], [400, 'path.kind']);
  const type = await importText('sellers', '{}', 'application/json');
  deepEqual([type.status, type.body.error.code], [415, 'unsupported-media-type']);
});
