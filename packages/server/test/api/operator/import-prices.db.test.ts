/** docs/daily-work.md, "The catalogue". */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function importPrices(lines: readonly unknown[] | string, query = '') {
  const isCsv = typeof lines === 'string';
  const { status, body } = await h.call('POST', `/admin/v1/imports/prices${query}`, {
    token: h.operatorToken,
    headers: { 'content-type': isCsv ? 'text/csv' : 'application/x-ndjson' },
    body: isCsv ? lines : lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  equal(status, 200, JSON.stringify(body));
  return body.data;
}

const computeCounts = ({ written, unchanged, rejected }: Record<string, number>) => [
  written,
  unchanged,
  rejected,
];

async function toTerms(offerId: string) {
  const { price, status } = await h.operate('GET', `/offers/${offerId}`);
  return [price, status];
}

test('a line with an id and a price changes the price, and nothing else', async () => {
  const { offerId, productId } = await h.seed.listing({ price: '10.00' });
  const paused = await h.seed.offer({ productId, status: 'paused' });
  const csv = `id,price\n${offerId.toUpperCase()},12.30\n${paused.id},8\n`;
  deepEqual(computeCounts(await importPrices(csv, '?dryRun=true')), [2, 0, 0]);
  deepEqual(await toTerms(offerId), ['10.00', 'active']);
  deepEqual(computeCounts(await importPrices(csv)), [2, 0, 0]);
  deepEqual(await toTerms(offerId), ['12.30', 'active']);
  deepEqual(await toTerms(paused.id), ['8.00', 'paused']);
  deepEqual(computeCounts(await importPrices(csv)), [0, 2, 0]);
  await h.seed.inStep();
  const reseller = await h.seed.reseller();
  const { offers } = (await reseller.get(`/products/${productId}`)).body.data;
  deepEqual(offers, [{ id: offerId, price: '12.30', quantity: 5 }]);
});

test('a line can set the status, and later lines see the changes from earlier ones', async () => {
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const lines = [
    { id: offerId, price: '11.00', status: 'paused' },
    { id: offerId, price: '11.00' },
    { id: offerId, price: '12.00' },
  ];
  const checked = await importPrices(lines, '?dryRun=true');
  deepEqual([checked.prices.paused, checked.prices.activated], [1, 0]);
  deepEqual(computeCounts(await importPrices(lines)), [2, 1, 0]);
  deepEqual(await toTerms(offerId), ['12.00', 'paused']);
});

test('a product and a seller also name an offer if they have exactly one', async () => {
  const { offerId, productId, sellerId } = await h.seed.listing({ price: '10.00' });
  const named = { productId, sellerId: sellerId.toUpperCase() };
  deepEqual(computeCounts(await importPrices([{ ...named, price: '9.00' }])), [1, 0, 0]);
  deepEqual(await toTerms(offerId), ['9.00', 'active']);
  await h.seed.offer({ productId, sellerId });
  const { errors } = await importPrices([{ ...named, price: '8.00' }]);
  match(errors[0].message, /^productId is in 2 offers of this seller/);
  deepEqual(await toTerms(offerId), ['9.00', 'active']);
});

test('the error names the field if a line names no offer or contradicts it', async () => {
  const { offerId, productId } = await h.seed.listing({ price: '10.00' });
  const price = '5.00';
  const rows: [line: unknown, message: RegExp][] = [
    [{ price }, /^id is required, or productId and sellerId/],
    [{ productId, price }, /^id is required, or productId and sellerId/],
    [{ id: randomUUID(), price }, /^id names no offer/],
    [{ productId, sellerId: randomUUID(), price }, /^productId is not offered by this seller/],
    [{ id: offerId, sellerId: randomUUID(), price }, /^sellerId is .* and cannot change/],
    [{ id: offerId, productId: '99999999999999', price }, /^productId is .* and cannot change/],
    [{ id: offerId }, /^price is required/],
    [{ id: offerId, price: '1,00' }, /^price must/],
    [{ id: offerId, price, stock: 4 }, /stock/],
  ];
  const { errors, ...counts } = await importPrices(rows.map(([line]) => line));
  deepEqual(computeCounts(counts), [0, 0, rows.length]);
  for (const [index, [line, message]] of rows.entries())
    match(errors[index].message, message, JSON.stringify(line));
  deepEqual(await toTerms(offerId), ['10.00', 'active']);
});

test('deleteMissing pauses what a seller no longer lists, and the next list reactivates it', async () => {
  const { offerId, productId, sellerId } = await h.seed.listing({ price: '10.00' });
  const dropped = await h.seed.offer({ productId: await h.seed.product(), sellerId });
  const ofAnother = await h.seed.offer({ productId });
  const first = await importPrices([{ id: offerId, price: '10.00' }], '?deleteMissing=true');
  deepEqual([first.unchanged, first.removed], [1, 1]);
  deepEqual(await toTerms(dropped.id), ['10.00', 'paused']);
  deepEqual(await toTerms(ofAnother.id), ['10.00', 'active']);
  deepEqual(computeCounts(await importPrices([{ id: dropped.id, price: '10.00' }])), [1, 0, 0]);
  deepEqual(await toTerms(dropped.id), ['10.00', 'active']);
  const restored = await h.operate('POST', `/imports/${first.runId}/restore`, { reason: 'test' });
  deepEqual([restored.restored, restored.kept], [0, 1]);
});
