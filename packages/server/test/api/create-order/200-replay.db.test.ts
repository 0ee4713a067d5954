/**
 * A key used after the cool-down replays the stored response despite later changes. R17, A37 to A39, A41.
 */
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { assertNothingWritten } from '../../support/books.ts';
import { auto, manual, type Reseller } from '../../support/harness.ts';
import { advanceDays } from '../../support/past.ts';
import { foldSums } from '../../support/sums.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

/** Asserts that the retry replays `data` and writes nothing. */
async function assertReplay(reseller: Reseller, item: unknown, key: string, data: unknown) {
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, records: 0 }, () =>
    reseller.order(item, key),
  );
  equal(response.status, 200, JSON.stringify(response.body));
  equal(response.headers.get('idempotent-replayed'), 'true');
  deepEqual(response.body.data, data);
  return response;
}

async function orderOnce(account: Record<string, unknown> = {}) {
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const listing = await h.seed.listing({ price: '10.00', stock: 3 });
  const key = randomUUID();
  const item = manual(listing.offerId, { maxPrice: '10.00' });
  const response = await reseller.order(item, key);
  equal(response.status, 201);
  return { ...listing, reseller, key, item, traceId: response.body.traceId, data: response.body.data };
}

test('a retry returns the same order with 200, marked as replayed, with a new trace id', async () => {
  const { reseller, item, key, data, traceId } = await orderOnce();
  const first = await assertReplay(reseller, item, key, data);
  const second = await assertReplay(reseller, item, key, data);
  equal(new Set([traceId, first.body.traceId, second.body.traceId]).size, 3);
  equal(first.headers.get('x-trace-id'), first.body.traceId);
});

test('different spellings of a payload are equal', async () => {
  const { reseller, offerId, key, data } = await orderOnce();
  for (const maxPrice of ['10', '10.0', '10.00']) {
    await assertReplay(reseller, manual(offerId, { maxPrice }), key, data);
  }
  await assertReplay(reseller, manual(offerId.toUpperCase(), { maxPrice: '10' }), key, data);
  const response = await h.call('POST', '/export/v1/orders', {
    token: reseller.token,
    headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    body: `{"currency":"EUR", "items":[{"manual":{"maxPrice":"10","quantity":1.0,"offerId":"${offerId}"}}]}`,
  });
  deepEqual([response.status, response.body.data], [200, data]);
});

test('a key in quotes or in upper case is the same key', async () => {
  const { reseller, item, key, data } = await orderOnce();
  await assertReplay(reseller, item, `"${key}"`, data);
  await assertReplay(reseller, item, key.toUpperCase(), data);
  await assertReplay(reseller, item, `"${key.toUpperCase()}"`, data);
});

test('the replay is unchanged after the price changed, the offer was paused and the stock ran out', async () => {
  const { reseller, item, key, data, offerId, productId, sellerId } = await orderOnce();
  await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '99.00', status: 'paused' });
  await assertReplay(reseller, item, key, data);
});

test('the replay is unchanged after the keys were read and the order was refunded', async () => {
  const { reseller, item, key, data } = await orderOnce();
  equal((await reseller.get(`/orders/${data.id}/keys`)).status, 200);
  await h.operate('POST', `/orders/${data.id}/refund`, { reason: 'does not work' });
  await assertReplay(reseller, item, key, data);
});

test('the replay of a held order shows it as held after its release', async () => {
  const { reseller, item, key, data } = await orderOnce({ holdOrders: true });
  equal(data.status, 'held');
  await h.operate('POST', `/orders/${data.id}/release`, { reason: 'checked' });
  await assertReplay(reseller, item, key, data);
});

test('the replay is unchanged after the account lost its balance and payment method and was suspended', async () => {
  const { reseller, item, key, data } = await orderOnce();
  await reseller.order(item);
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { paymentMethod: null, status: 'suspended' });
  await assertReplay(reseller, item, key, data);
});

test('the order of a key is kept forever', async () => {
  const { reseller, item, key, data } = await orderOnce();
  await advanceDays(h, reseller.accountId, 400);
  await h.service.runOrderWorker();
  const { createdAt } = (await reseller.get(`/orders/${data.id}`)).body.data;
  await assertReplay(reseller, item, key, { ...data, createdAt });
});

test('a rejection is kept for 30 days, and then its key can place an order', async () => {
  const reseller = await h.seed.reseller();
  const { productId } = await h.seed.listing({ price: '10.00' });
  const key = randomUUID();
  const ageBy = async (days: number) => {
    await advanceDays(h, reseller.accountId, days);
    await foldSums(h);
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
  };
  equal((await reseller.order(auto(productId), key)).status, 402);
  await h.seed.deposit(reseller.accountId, '10.00');
  await ageBy(29);
  equal((await reseller.order(auto(productId), key)).status, 402);
  await ageBy(1);
  equal((await reseller.order(auto(productId), key)).status, 201);
});

test('one round deletes any number of old rejections', async () => {
  const reseller = await h.seed.reseller();
  const { productId } = await h.seed.listing({ price: '10.00' });
  equal((await reseller.order(auto(productId))).status, 402);
  const own = sql`account_id = ${reseller.accountId}`;
  await sql`
    INSERT INTO rejected_order
    SELECT account_id, gen_random_uuid(), fingerprint, status, body, rejected_at
    FROM rejected_order, generate_series(1, 2500) WHERE ${own}`.execute(h.database.db);
  await advanceDays(h, reseller.accountId, 30);
  await foldSums(h);
  await h.service.runOrderWorker();
  await h.service.runOrderWorker();
  const { rows } = await sql`SELECT FROM rejected_order WHERE ${own}`.execute(h.database.db);
  equal(rows.length, 0);
});

test('a rejection is replayed with its own status after its reason is gone', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId } = await h.seed.listing({ stock: 0 });
  const key = randomUUID();
  const first = await reseller.order(auto(productId), key);
  equal(first.status, 400);
  await h.seed.keys(offerId, 1);
  const repeat = await reseller.order(auto(productId), key);
  equal(repeat.status, 400);
  equal(repeat.headers.get('idempotent-replayed'), 'true');
  deepEqual(repeat.body.error, first.body.error);
  notEqual(repeat.body.traceId, first.body.traceId);
});

test('another client of the account gets the replay', async () => {
  const { reseller, item, key, data } = await orderOnce();
  const client = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, { name: 'second' });
  const response = await h.call('POST', '/export/v1/orders', {
    token: await h.tokenFor(client.clientId, client.clientSecret),
    headers: { 'idempotency-key': key },
    body: { items: [item] },
  });
  deepEqual([response.status, response.body.data], [200, data]);
});

test('a new token of the client gets the replay', async () => {
  const { reseller, item, key, data } = await orderOnce();
  const response = await h.call('POST', '/export/v1/orders', {
    token: await h.tokenFor(reseller.clientId, reseller.clientSecret),
    headers: { 'idempotency-key': key },
    body: { items: [item] },
  });
  deepEqual([response.status, response.body.data], [200, data]);
});

test('the same key of another account places a different order', async () => {
  const { item, key, data } = await orderOnce();
  const otherReseller = await h.seed.reseller({ balance: '100.00' });
  const response = await otherReseller.order(item, key);
  equal(response.status, 201);
  notEqual(response.body.data.id, data.id);
});

test('an Idempotency-Key has no effect on a read', async () => {
  const { reseller, key, data } = await orderOnce();
  const response = await h.call('GET', `/export/v1/orders/${data.id}`, {
    token: reseller.token,
    headers: { 'idempotency-key': key },
  });
  deepEqual([response.status, response.body.data], [200, data]);
});
