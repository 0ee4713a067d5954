/** Large removals by deleteMissing need a confirmation, and removals can be undone. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto, startHarness } from '../../support/harness.ts';
import { importAll } from '../../support/import-call.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function importLines(target: string, lines: readonly unknown[]) {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { result, error } = await importAll({ url: h.url, token: h.operatorToken, target }, body);
  ok(result !== undefined, JSON.stringify(error));
  return result;
}

async function truncatedKeys(stock: number, kept: number) {
  const listing = await h.seed.listing({ stock });
  const { offerId, codes } = listing;
  const lines = codes.slice(0, kept).map((code) => ({ offerId, code }));
  const importWith = (query = '') => importLines(`keys?deleteMissing=true${query}`, lines);
  const quantity = async () => (await h.operate('GET', `/offers/${offerId}`)).quantity;
  return { ...listing, importWith, quantity };
}

const restore = (runId: string | undefined, reason = 'The feed was truncated') =>
  h.admin('POST', `/imports/${runId}/restore`, { reason });

async function lastAudit(action: string) {
  const { body } = await h.admin('GET', `/audit?action=${action}`);
  return body.data[0]?.data;
}

test('a truncated file of keys removes nothing, and the result has the number to confirm', async () => {
  const { importWith, quantity } = await truncatedKeys(100, 1);
  for (const query of ['', '&dryRun=true', '&confirmRemovals=98', '&confirmRemovals=100']) {
    const { removed, removalRefused, removalsToConfirm } = await importWith(query);
    deepEqual([removed, removalsToConfirm], [0, 99], query);
    match(
      removalRefused ?? '',
      /^99 of 100 unsold keys are missing .* nothing was taken off sale.*confirmRemovals=99/,
      query,
    );
  }
  equal(await quantity(), 100);
});

test('a confirmed removal is carried out', async () => {
  const { importWith, quantity } = await truncatedKeys(100, 1);
  const dry = await importWith('&confirmRemovals=99&dryRun=true');
  deepEqual([dry.removed, await quantity()], [99, 100]);
  const { removed, removalRefused, removalsToConfirm } = await importWith('&confirmRemovals=99');
  deepEqual([removed, removalRefused, removalsToConfirm], [99, undefined, undefined]);
  equal(await quantity(), 1);
});

for (const [stock, kept, isRemoved, title] of [
  [60, 10, true, '50 of 60 are few'],
  [255, 204, true, '51 of 255 are 20 %'],
  [254, 203, false, '51 of 254 are more than 20 %'],
] as const) {
  test(`keys are removed without confirmation up to a number or a share: ${title}`, async () => {
    const { importWith, quantity } = await truncatedKeys(stock, kept);
    const { removed } = await importWith();
    deepEqual([removed, await quantity()], isRemoved ? [stock - kept, kept] : [0, stock]);
  });
}

test('a truncated file of offers pauses nothing, regardless of what else is on sale', async () => {
  await truncatedKeys(0, 0);
  const { lines } = await manyOffers(60);
  const { removed, removalRefused, removalsToConfirm } = await importLines(
    'offers?deleteMissing=true',
    lines.slice(0, 1),
  );
  deepEqual([removed, removalsToConfirm], [0, 59]);
  match(removalRefused ?? '', /^59 of 60 active offers are missing /);
});

test('a truncated file of products or sellers pauses nothing', async () => {
  const { lines } = await manyOffers(60);
  const product = { id: await h.seed.product(), name: 'Not on sale', checkoutClass: 'standard' };
  ok(((await importLines('products?deleteMissing=true', [product])).removalsToConfirm ?? 0) >= 60);
  const seller = { id: await h.seed.seller(), name: 'Without an offer' };
  ok(((await importLines('sellers?deleteMissing=true', [seller])).removalsToConfirm ?? 0) >= 60);
  equal((await h.operate('GET', `/offers/${lines.at(-1)?.id}`)).status, 'active');
});

test('keys that an import withdrew are restored once and can be sold', async () => {
  const { productId, importWith, quantity, codes } = await truncatedKeys(30, 1);
  const { removed, runId } = await importWith();
  deepEqual([removed, await quantity()], [29, 1]);
  const response = await restore(runId);
  equal(response.status, 200, JSON.stringify(response.body));
  deepEqual(response.body.data, { runId, removed: 29, restored: 29, kept: 0 });
  equal(await quantity(), 30);
  deepEqual(await lastAudit('import.keys.restore'), { runId, reason: 'The feed was truncated' });
  await h.seed.inStep();
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const order = await reseller.order(auto(productId, { quantity: 25 }));
  equal(order.status, 201);
  const { body } = await reseller.get(`/orders/${order.body.data.id}/keys`);
  const sold: string[] = body.data[0].keys.map(({ code }: { code: string }) => code);
  deepEqual(
    sold.filter((code) => !codes.includes(code)),
    [],
  );
  const again = await restore(runId);
  deepEqual(again.body.data, response.body.data);
  equal(await quantity(), 5);
});

test('a key that was withdrawn by its code after the import stays withdrawn', async () => {
  const { offerId, importWith, quantity, codes } = await truncatedKeys(5, 1);
  const { runId } = await importWith();
  const leaked = codes[2];
  const withdrawn = await h.operate('POST', `/offers/${offerId}/keys/withdraw`, {
    reason: 'Leaked',
    codes: [leaked],
  });
  deepEqual(withdrawn.notWithdrawn, [{ index: 0, reason: 'withdrawn' }]);
  deepEqual((await restore(runId)).body.data, { runId, removed: 4, restored: 3, kept: 1 });
  equal(await quantity(), 4);
  const again = await h.operate('POST', `/offers/${offerId}/keys/withdraw`, {
    reason: 'Leaked',
    codes: [leaked],
  });
  deepEqual(again.notWithdrawn, [{ index: 0, reason: 'withdrawn' }]);
});

test('keys of another import stay withdrawn', async () => {
  const first = await truncatedKeys(5, 1);
  const second = await truncatedKeys(5, 2);
  const { runId } = await first.importWith();
  await second.importWith();
  await restore(runId);
  deepEqual([await first.quantity(), await second.quantity()], [5, 2]);
});

test('offers that an import paused become active again, unless they changed after the import', async () => {
  const { lines, change, statuses } = await manyOffers(7);
  const { removed, runId } = await importLines('offers?deleteMissing=true', lines.slice(0, 1));
  equal(removed, 6);
  await change(1, { price: '11.00' });
  await change(2, { status: 'active' });
  await change(2, { status: 'paused' });
  await change(3, { status: 'active' });
  await importLines('offers', [{ ...lines[4], status: 'paused', price: '12.00' }]);
  const response = await restore(runId);
  deepEqual(response.body.data, { runId, removed: 6, restored: 2, kept: 4 });
  deepEqual(await statuses(), ['active', 'paused', 'paused', 'active', 'paused', 'active', 'active']);
  deepEqual(await lastAudit('import.offers.restore'), { runId, reason: 'The feed was truncated' });
  await change(5, { status: 'paused' });
  deepEqual((await restore(runId)).body.data, response.body.data);
  equal((await statuses())[5], 'paused');
});

for (const body of [{ status: 'paused' }, { price: '10.00' }]) {
  test(`an offer stays paused if its ${Object.keys(body)} was set to the same value since`, async () => {
    const { lines, change, statuses } = await manyOffers(2);
    const { runId } = await importLines('offers?deleteMissing=true', lines.slice(0, 1));
    await change(1, body);
    deepEqual((await restore(runId)).body.data, { runId, removed: 1, restored: 0, kept: 1 });
    deepEqual(await statuses(), ['active', 'paused']);
  });
}

for (const [title, query, isRejected, restored, states] of [
  [
    'keeps keys withdrawn that the next import leaves out too',
    '',
    false,
    1,
    ['available', 'available', 'withdrawn'],
  ],
  [
    'returns keys that only a dry run leaves out',
    '&dryRun=true',
    false,
    2,
    ['available', 'available', 'available'],
  ],
  [
    'returns keys that only a rejected import leaves out',
    '',
    true,
    2,
    ['available', 'available', 'available'],
  ],
] as const) {
  test(`a restore ${title}`, async () => {
    const { offerId, codes, importWith } = await truncatedKeys(3, 1);
    const { runId } = await importWith();
    const lines = codes.slice(0, 2).map((code) => ({ offerId, code }));
    const next = await importLines(`keys?deleteMissing=true${query}`, isRejected ? [...lines, {}] : lines);
    equal(next.removalRefused !== undefined, isRejected);
    deepEqual((await restore(runId)).body.data, { runId, removed: 2, restored, kept: 2 - restored });
    const keys = await h.operate('GET', `/offers/${offerId}/keys`);
    deepEqual(
      keys.map(({ state }: { state: string }) => state),
      states,
    );
  });
}

test('offers that a later import also leaves out stay paused, and those of other sellers do not', async () => {
  const one = await manyOffers(3);
  const other = await manyOffers(3);
  const importFirst = (count: number) =>
    importLines(
      'offers?deleteMissing=true',
      [one, other].slice(0, count).flatMap(({ lines }) => lines.slice(0, 1)),
    );
  const { runId } = await importFirst(2);
  await importFirst(1);
  deepEqual((await restore(runId)).body.data, { runId, removed: 4, restored: 2, kept: 2 });
  deepEqual(await one.statuses(), ['active', 'paused', 'paused']);
  deepEqual(await other.statuses(), ['active', 'active', 'active']);
});

test('offers whose product or seller a later import also leaves out stay paused', async (t) => {
  const { seed, operate, ...own } = await startHarness(t);
  const kept = await seed.listing({ stock: 1 });
  for (const [kind, id] of [
    ['products', kept.productId],
    ['sellers', kept.sellerId],
  ] as const) {
    const { offerId } = await seed.listing({ stock: 1 });
    const line = JSON.stringify(await operate('GET', `/${kind}/${id}`));
    const target = { url: own.url, token: own.operatorToken, target: `${kind}?deleteMissing=true` };
    const runs = [await importAll(target, line), await importAll(target, line)];
    const [first, second] = runs.map(({ result }) => result);
    deepEqual([first?.removed, second?.removed], [1, 0], kind);
    const reason = 'The feed was truncated';
    const { restored } = await operate('POST', `/imports/${first?.runId}/restore`, { reason });
    deepEqual([restored, (await operate('GET', `/offers/${offerId}`)).status], [0, 'paused'], kind);
  }
});

test('the offer with the smallest id is treated like any other', async () => {
  const { lines } = await manyOffers(1);
  const id = '00000000-0000-0000-0000-000000000000';
  await importLines('offers', [{ ...lines[0], id }]);
  equal((await importLines('offers?deleteMissing=true', lines)).removed, 1);
  equal((await h.operate('GET', `/offers/${id}`)).status, 'paused');
});

async function manyOffers(count: number) {
  const sellerId = await h.seed.seller();
  const productId = await h.seed.product();
  const offer = { productId, sellerId, price: '10.00', status: 'active' };
  const lines = Array.from({ length: count }, () => ({ id: randomUUID(), ...offer }));
  await importLines('offers', lines);
  return {
    lines,
    change: (index: number, body: object) => h.operate('PATCH', `/offers/${lines[index]?.id}`, body),
    statuses: () =>
      Promise.all(lines.map(async ({ id }) => (await h.operate('GET', `/offers/${id}`)).status)),
  };
}
