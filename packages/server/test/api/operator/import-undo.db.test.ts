/** A107, A271. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { importAll } from '../../support/import-call.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function importLines(target: string, lines: readonly unknown[]) {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { result, error } = await importAll({ url: h.url, token: h.operatorToken, target }, body);
  ok(result !== undefined, JSON.stringify(error));
  return result;
}

const undo = (runId: string | undefined, body: Record<string, unknown> = {}) =>
  h.admin('POST', `/imports/${runId}/undo`, { reason: 'Prices of last week', ...body });

async function entries(action: string, runId: string) {
  const { body } = await h.admin('GET', `/audit?action=${action}&limit=1000`);
  return body.data.filter(({ data }: { data: { runId?: string } }) => data.runId === runId);
}

async function toRun(runId: string) {
  const { body } = await h.admin('GET', `/imports?runId=${runId}`);
  return body.data[0];
}

const toTerms = async (offerId: string) => {
  const { price, status } = await h.operate('GET', `/offers/${offerId}`);
  return [price, status];
};
const toQuantity = async (offerId: string) => (await h.operate('GET', `/offers/${offerId}`)).quantity;
const counts = (changes: Record<string, unknown>) => ({
  changedBack: 0,
  paused: 0,
  withdrawn: 0,
  restored: 0,
  kept: 0,
  dryRun: false,
  ...changes,
});

for (const query of ['?dryRun=true', '']) {
  test(`the largest price changes come first, and outliers are counted (prices${query})`, async () => {
    const prices = ['10.00', '10.00', '10.00', '9.00'];
    const offers = await Promise.all(prices.map((price) => h.seed.listing({ price })));
    const after = ['11.00', '30.01', '3.33', '3.00'];
    const lines = offers.map(({ offerId }, index) => ({ id: offerId, price: after[index] }));
    const { prices: shown } = await importLines(`prices${query}`, lines);
    deepEqual([shown?.changed, shown?.outliers], [4, 2]);
    deepEqual(
      shown?.largest.map(({ line, before, after: then, isOutlier }) => [line, before, then, isOutlier]),
      [
        [3, '10.00', '3.33', true],
        [2, '10.00', '30.01', true],
        [4, '9.00', '3.00', false],
        [1, '10.00', '11.00', false],
      ],
    );
    ok(shown?.largest.every(({ productName, sellerName }) => productName !== '' && sellerName !== ''));
  });
}

test('undoing a price list restores the previous price and status of every offer, once', async () => {
  const [one, other] = [await h.seed.listing({ price: '10.00' }), await h.seed.listing({ price: '20.00' })];
  const { runId } = await importLines('prices?fileName=prices.csv', [
    { id: one.offerId, price: '11.00' },
    { id: other.offerId, price: '2.00', status: 'paused' },
    { id: one.offerId, price: '12.00' },
  ]);
  const before = await toRun(runId);
  deepEqual([before.fileName, before.canUndo, before.undoneAt], ['prices.csv', true, null]);
  equal(typeof before.name, 'string');
  const preview = await undo(runId, { dryRun: true });
  deepEqual(preview.body.data, { runId, ...counts({ changedBack: 2, dryRun: true }) });
  deepEqual(await toTerms(one.offerId), ['12.00', 'active']);
  deepEqual((await undo(runId)).body.data, { runId, ...counts({ changedBack: 2 }) });
  deepEqual(
    [await toTerms(one.offerId), await toTerms(other.offerId)],
    [
      ['10.00', 'active'],
      ['20.00', 'active'],
    ],
  );
  await h.operate('PATCH', `/offers/${one.offerId}`, { price: '13.00' });
  deepEqual((await undo(runId)).body.data, { runId, ...counts({ changedBack: 2 }) });
  deepEqual(await toTerms(one.offerId), ['13.00', 'active']);
  const after = await toRun(runId);
  deepEqual([after.canUndo, typeof after.undoneAt], [false, 'string']);
  deepEqual(
    (await entries('import.prices.undo', runId)).map(({ data }: { data: unknown }) => data),
    [{ runId, reason: 'Prices of last week', offers: 2, keys: 0 }],
  );
});

test('an undo pauses the offers that the import added, and restores those that it took off sale', async () => {
  const { offerId, productId, sellerId } = await h.seed.listing({ price: '10.00' });
  const added = randomUUID();
  const line = { productId, sellerId, price: '5.00', status: 'active' };
  const { runId, removed } = await importLines('offers?deleteMissing=true', [{ id: added, ...line }]);
  equal(removed, 1);
  deepEqual((await undo(runId)).body.data, { runId, ...counts({ paused: 1, restored: 1 }) });
  deepEqual(await toTerms(added), ['5.00', 'paused']);
  deepEqual(await toTerms(offerId), ['10.00', 'active']);
});

test('an undo withdraws the keys that the import added, and their codes can be added to another offer', async () => {
  const [wrong, right] = [await h.seed.listing({ stock: 1 }), await h.seed.listing({ stock: 0 })];
  const codes = Array.from({ length: 3 }, () => `UNDO-${randomUUID()}`);
  const linesFor = (offerId: string) =>
    codes.map((code, index) => ({ offerId, code, kind: index ? 'text' : 'image' }));
  const { runId } = await importLines('keys', [
    ...linesFor(wrong.offerId),
    { offerId: wrong.offerId, code: wrong.codes[0] },
  ]);
  equal(await toQuantity(wrong.offerId), 4);
  deepEqual((await undo(runId)).body.data, { runId, ...counts({ withdrawn: 3 }) });
  equal(await toQuantity(wrong.offerId), 1);
  const again = await importLines('keys', linesFor(right.offerId));
  deepEqual([again.written, await toQuantity(right.offerId)], [3, 3]);
  deepEqual((await undo(again.runId)).body.data, { runId: again.runId, ...counts({ withdrawn: 3 }) });
  const third = await importLines('keys', linesFor(right.offerId));
  deepEqual([third.written, await toQuantity(right.offerId)], [3, 3]);
});

test('a key that was withdrawn since stays withdrawn, and its code stays known', async () => {
  const { offerId } = await h.seed.listing({ stock: 0 });
  const codes = [`LEAKED-${randomUUID()}`, `FINE-${randomUUID()}`];
  const lines = codes.map((code) => ({ offerId, code }));
  const { runId } = await importLines('keys', lines);
  await h.operate('POST', `/offers/${offerId}/keys/withdraw`, { reason: 'Leaked', codes: codes.slice(0, 1) });
  deepEqual((await undo(runId)).body.data, { runId, ...counts({ withdrawn: 1, kept: 1 }) });
  deepEqual((await importLines('keys', lines)).written, 1);
});

test('an import of keys cannot be undone after one of its keys was sold, and the error names the reason', async () => {
  const { offerId, productId } = await h.seed.listing({ stock: 0 });
  const lines = [1, 2].map(() => ({ offerId, code: `SOLD-${randomUUID()}` }));
  const { runId } = await importLines('keys', lines);
  await h.seed.inStep();
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  equal((await reseller.order(auto(productId, { quantity: 1 }))).status, 201);
  for (const dryRun of [true, false]) {
    const { status, body } = await undo(runId, { dryRun });
    equal(status, 409);
    match(body.error.message, /^Keys sold or reserved since the import: 1 of 2\. Nothing was undone\.$/);
  }
  equal(await toQuantity(offerId), 1);
});

for (const [what, image] of [
  ['text', false],
  ['image', true],
] as const) {
  test(`a price list cannot be undone after an offer with ${what} keys was ordered, and the error names the reason`, async () => {
    const { offerId, productId } = await h.seed.listing({ stock: image ? 0 : 3, images: image ? 3 : 0 });
    const other = await h.seed.listing({ price: '10.00' });
    const { runId } = await importLines('prices', [
      { id: offerId, price: '4.00' },
      { id: other.offerId, price: '4.00' },
    ]);
    await h.seed.inStep();
    const reseller = await h.seed.reseller({ balance: '1000.00' });
    equal((await reseller.order(auto(productId, { quantity: 1 }))).status, 201);
    const { status, body } = await undo(runId);
    equal(status, 409);
    equal(
      body.error.message,
      `Offers ordered since the import: 1 of 2; the first is ${offerId}. Nothing was undone.`,
    );
    deepEqual(await toTerms(other.offerId), ['4.00', 'active']);
  });
}

test('an order from before the import does not prevent the undo', async () => {
  const { offerId, productId } = await h.seed.listing({ price: '10.00', stock: 3 });
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  equal((await reseller.order(auto(productId, { quantity: 1 }))).status, 201);
  const { runId } = await importLines('prices', [{ id: offerId, price: '4.00' }]);
  equal((await undo(runId)).status, 200);
  deepEqual(await toTerms(offerId), ['10.00', 'active']);
});

test('an import cannot be undone after an offer was changed, and the error names the reason', async () => {
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const { runId } = await importLines('prices', [{ id: offerId, price: '4.00' }]);
  await h.operate('PATCH', `/offers/${offerId}`, { price: '5.00' });
  const { status, body } = await undo(runId);
  equal(status, 409);
  match(body.error.message, /^Offers changed since the import: 1 of 1; the first is .*Nothing was undone\.$/);
  deepEqual(await toTerms(offerId), ['5.00', 'active']);
});

test('a rejected undo states the reason', async () => {
  const { offerId, sellerId } = await h.seed.listing({ price: '10.00' });
  const cases: [target: string, line: unknown, reason: RegExp][] = [
    ['prices?dryRun=true', { id: offerId, price: '4.00' }, /dry run/],
    ['prices', { id: offerId, price: '10.00' }, /changed nothing/],
    ['sellers', { id: sellerId, name: 'Renamed' }, /import the earlier file/],
  ];
  for (const [target, line, reason] of cases) {
    const { runId } = await importLines(target, [line]);
    const { status, body } = await undo(runId);
    equal(status, 409, target);
    match(body.error.message, reason);
  }
  equal((await undo('999999999999')).status, 404);
  equal((await undo('x')).status, 400);
});

test('an import of many lines has one audit entry, and so has its undo', async () => {
  const { productId, sellerId } = await h.seed.listing({ price: '10.00' });
  const lines = Array.from({ length: 2_100 }, () => ({
    id: randomUUID(),
    productId,
    sellerId,
    price: '5.00',
    status: 'active',
  }));
  const { runId, prices } = await importLines('offers?fileName=all.ndjson', lines);
  deepEqual(prices, { changed: 0, outliers: 0, paused: 0, activated: 0, largest: [] });
  deepEqual((await undo(runId)).body.data.paused, 2_100);
  for (const action of ['import.offers', 'import.offers.undo'])
    equal((await entries(action, runId)).length, 1, action);
  const { importId: _importId, ...entry } = (await entries('import.offers', runId))[0].data;
  deepEqual(entry, { runId, fileName: 'all.ndjson' });
});
