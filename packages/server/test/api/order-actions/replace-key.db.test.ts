/** A445. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { readBooks } from '../../support/books.ts';
import { manual } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { advanceDays } from '../../support/past.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function place({ quantity = 3, stock = 5, account = {} } = {}) {
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { offerId, productId } = await h.seed.listing({ price: '10.00', stock });
  const { id } = (await reseller.order(manual(offerId, { quantity }))).body.data;
  const codes = async (): Promise<string[]> =>
    (await reseller.get(`/orders/${id}/keys`)).body.data[0].keys.map(({ code }: { code: string }) => code);
  const replace = (body: Record<string, unknown>, key: string = randomUUID()) =>
    h.call('POST', `/admin/v1/orders/${id}/replace-key`, {
      token: h.operatorToken,
      body: { reason: 'Used already', ...body },
      headers: { 'idempotency-key': key },
    });
  const keys = () => h.operate('GET', `/orders/${id}/keys`);
  const books = () => readBooks(h, { accountId: reseller.accountId, offerId });
  return { reseller, offerId, productId, id, codes, replace, keys, books };
}

test('200: the order gets another key instead of the bad one, and the reseller reads it', async () => {
  const { id, reseller, offerId, productId, codes, replace, keys, books } = await place();
  const before = await codes();
  const [order, earlier] = [(await reseller.get(`/orders/${id}`)).body.data, await books()];
  const { status, body } = await replace({ code: before[1]?.toLowerCase() });
  equal(status, 200, JSON.stringify(body));
  const after = await codes();
  deepEqual([after[0], after[2], after.length], [before[0], before[2], 3]);
  ok(!before.includes(after[1] ?? ''));

  const { replacedKeyId, newKeyId, accountId, ...shown } = body.data;
  deepEqual(shown, order, 'the order is unchanged');
  equal(accountId, reseller.accountId);
  const now = await books();
  deepEqual(now.units, { available: 1, sold: 3, withdrawn: 1 });
  deepEqual({ ...now, units: {} }, { ...earlier, units: {} }, 'no money moves');
  const list = await keys();
  equal(list.length, 4);
  const byId = new Map(list.map((key: { id: string }) => [key.id, key]));
  deepEqual(byId.get(replacedKeyId), {
    ...Object(byId.get(replacedKeyId)),
    itemId: `${id}01`,
    state: 'withdrawn',
    replacedBy: newKeyId,
    maskedCode: `…${before[1]?.slice(-4)}`,
  });
  equal(Object(byId.get(newKeyId)).state, 'sold');
  await h.seed.inStep();
  equal((await reseller.get(`/products/${productId}`)).body.data.totalQuantity, 1);

  const [entry] = await h.operate('GET', `/audit?orderId=${id}&action=order.replace-key`);
  deepEqual(entry.data, { reason: 'Used already', itemId: `${id}01`, replacedKeyId, newKeyId });
  const added = await h.operate('POST', `/offers/${offerId}/keys`, { keys: [{ code: before[1] }] });
  deepEqual(added, { added: 0, duplicates: 1, trimmed: 0 }, 'the bad key is never sold again');
});

test('200: the key is named by its id or is the only one, and a retry replaces nothing more', async () => {
  const { id, codes, replace, keys } = await place({ quantity: 1, stock: 3 });
  const [first] = await keys();
  const key = randomUUID();
  const once = await replace({ keyId: first.id }, key);
  const twice = await replace({ keyId: first.id }, key);
  deepEqual([once.status, twice.status, twice.headers.get('idempotent-replayed')], [200, 200, 'true']);
  equal(twice.body.data.newKeyId, once.body.data.newKeyId);
  const { body } = await replace({});
  equal(body.data.replacedKeyId, once.body.data.newKeyId);
  equal((await codes()).length, 1);
  equal((await keys()).length, 3);
  equal((await h.operate('GET', `/audit?orderId=${id}&action=order.replace-key`)).length, 2);
});

test('a replacement is never a key that the order returned', async () => {
  const { id, replace, keys } = await place({ quantity: 3, stock: 4 });
  const [back, bad] = await keys();
  await h.operate('POST', `/orders/${id}/refund`, {
    reason: 'Does not work',
    items: [{ id: `${id}01`, quantity: 1, keyIds: [back.id] }],
    returnToStock: true,
  });
  // The key that came back is the last one on sale, where replacements are taken from.
  const first = await replace({ keyId: bad.id });
  equal(first.status, 200);
  ok(first.body.data.newKeyId !== back.id);
  const list: { id: string; refundedAs: string | null }[] = await keys();
  equal(list.find((key) => key.id === back.id)?.refundedAs, 'returned', 'its refund stays visible');
  const second = await replace({ keyId: first.body.data.newKeyId });
  deepEqual([second.status, second.body.error.data], [409, { availableQuantity: 0 }]);
});

test('200: a replacement restarts the keys window', async () => {
  const { id, reseller, codes, replace, keys } = await place();
  await advanceDays(h, reseller.accountId, 3);
  equal((await reseller.get(`/orders/${id}/keys`)).body.error.code, 'order-expired');
  const [bad] = await keys();
  equal((await replace({ keyId: bad.id })).status, 200);
  equal((await codes()).length, 3);
});

test('400: no key is named, the key is not in the order, or it is named twice', async () => {
  const [one, other] = [await place(), await place()];
  const [foreign] = await other.keys();
  const [code] = await other.codes();
  for (const [body, field] of [
    [{}, 'body.keyId'],
    [{ keyId: foreign.id }, 'body.keyId'],
    [{ keyId: '999999999' }, 'body.keyId'],
    [{ code }, 'body.code'],
    [{ code: 'unknown' }, 'body.code'],
    [{ code, keyId: foreign.id }, 'body.code'],
  ] as const) {
    const response = await one.replace(body);
    deepEqual([response.status, response.body.error.errors[0].field], [400, field], JSON.stringify(body));
    ok(!JSON.stringify(response.body).includes(String(code)), 'the response does not contain the code');
  }
  deepEqual((await one.books()).units, { available: 2, sold: 3 });
});

test('400: an Idempotency-Key is required, except for a dry run, which changes nothing', async () => {
  const { id, keys, books } = await place();
  const [bad] = await keys();
  const send = (body: object) => h.admin('POST', `/orders/${id}/replace-key`, body);
  const { status, body } = await send({ reason: 'x', keyId: bad.id });
  deepEqual([status, body.error.errors[0].field], [400, 'headers.idempotency-key']);
  const preview = (await send({ reason: 'x', keyId: bad.id, dryRun: true })).body.data;
  deepEqual(preview.units, { returned: 0, withdrawn: 1, kept: 0, delivered: 1, added: 0 });
  deepEqual((await books()).units, { available: 2, sold: 3 });
});

test('409: the stock is empty, the key was replaced or refunded, or the order is not delivered or is imported', async () => {
  const empty = await place({ stock: 3 });
  const [first] = await empty.keys();
  const noStock = await empty.replace({ keyId: first.id });
  deepEqual([noStock.status, noStock.body.error.data], [409, { availableQuantity: 0 }]);
  match(noStock.body.error.message, /Add keys to it, or refund/);

  const used = await place();
  const [bad, , last] = await used.keys();
  await used.replace({ keyId: bad.id });
  match((await used.replace({ keyId: bad.id })).body.error.message, /already been replaced/);
  await h.operate('POST', `/orders/${used.id}/refund`, {
    reason: 'x',
    items: [{ id: `${used.id}01`, quantity: 1 }],
  });
  const refunded = (await used.keys()).find((key: { refundedAt: string | null }) => key.refundedAt !== null);
  equal(refunded.id, last.id, 'the last key is refunded first');
  match((await used.replace({ keyId: refunded.id })).body.error.message, /was refunded/);

  const held = await place({ account: { holdOrders: true } });
  const [reserved] = await held.keys();
  equal(reserved.state, 'reserved');
  const { body } = await held.replace({ keyId: reserved.id });
  deepEqual(body.error.data, { status: 'held' });

  const [imported] = await importOrders(h, held.reseller.accountId, [{ createdAt: '2021-05-05T00:00:00Z' }]);
  const elsewhere = await h.call('POST', `/admin/v1/orders/${imported}/replace-key`, {
    token: h.operatorToken,
    body: { reason: 'x', keyId: reserved.id },
    headers: { 'idempotency-key': randomUUID() },
  });
  deepEqual([elsewhere.status, elsewhere.body.error.code], [409, 'conflict']);
  deepEqual(await h.operate('GET', `/orders/${imported}/keys`), []);
});

test('image keys are not used as replacements, because resellers cannot read them', async () => {
  const { id, offerId, keys, replace } = await place({ quantity: 2, stock: 2 });
  await h.seed.keys(offerId, 1, 'image');
  const [bad] = await keys();
  equal((await replace({ keyId: bad.id })).status, 409, id);
});
