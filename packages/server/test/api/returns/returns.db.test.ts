/** A620, A39. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { readBooks } from '../../support/books.ts';
import { manual, type Reseller } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

type Return = { readonly items?: unknown; readonly reason?: string; readonly key?: string };

function giveBack(reseller: Reseller, orderId: string, { key = randomUUID(), ...body }: Return) {
  return h.call('POST', `/export/v1/orders/${orderId}/returns`, {
    token: reseller.token,
    body,
    headers: { 'idempotency-key': key },
  });
}

async function ordered({ account = {}, quantity = 3 }: { account?: object; quantity?: number } = {}) {
  const reseller = await h.seed.reseller({
    balance: '100.00',
    account: { returnWindowHours: 24, ...account },
  });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 5 });
  const { id, transactions } = (await reseller.order(manual(offerId, { quantity }))).body.data;
  const itemId: string = transactions[0].items[0].id;
  return {
    reseller,
    id,
    itemId,
    offerId,
    back: (units: number, more: Return = {}) =>
      giveBack(reseller, id, { items: [{ id: itemId, quantity: units }], ...more }),
    books: () => readBooks(h, { accountId: reseller.accountId, offerId }),
  };
}

const advance = (reseller: Reseller, id: string, hours: number) =>
  h.call('POST', `/sandbox/v1/orders/${id}/advance`, { token: reseller.token, body: { hours } });

test('a return refunds the units and puts them back on sale, and the other keys stay readable', async () => {
  const { reseller, id, back, books } = await ordered();
  const { status, body } = await back(2, { reason: 'not needed' });
  equal(status, 200);
  deepEqual(body.data, (await reseller.get(`/orders/${id}`)).body.data);
  deepEqual(body.data.transactions[0].items[0].quantity, {
    ordered: 3,
    invoiced: 3,
    shipped: 1,
    refunded: 2,
  });
  const { units } = await books();
  deepEqual(units, { available: 4, sold: 1 });
  equal((await reseller.get('/account')).body.data.balance, '90.00');
  equal((await reseller.get(`/orders/${id}/keys`)).body.data[0].keys.length, 1);
  const [entry] = await h.operate('GET', `/audit?orderId=${id}&action=order.return`);
  deepEqual([entry.clientId, entry.data.reason], [reseller.clientId, 'not needed']);
  equal(entry.address, '127.0.0.1');
});

test('a return of all units closes the order', async () => {
  const { back, books } = await ordered();
  const { body } = await back(3);
  equal(body.data.status, 'closed');
  deepEqual((await books()).units, { available: 5 });
  const again = await back(1);
  deepEqual([again.status, again.body.error.code], [400, 'order-not-complete']);
});

test('the rejection has the first reason that applies', async () => {
  const { reseller, id, back } = await ordered();
  const toReason = async () => {
    const { status, body } = await back(9);
    deepEqual([status, body.error.code], [409, 'return-not-possible']);
    return body.error.data;
  };
  deepEqual(await toReason(), { reason: 'too-many', refundable: 3 });
  await reseller.get(`/orders/${id}/keys`);
  deepEqual(await toReason(), { reason: 'keys-were-read' });
  equal((await advance(reseller, id, 25)).status, 200);
  deepEqual(await toReason(), { reason: 'window-over', windowHours: 24 });
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { returnWindowHours: 0 });
  deepEqual(await toReason(), { reason: 'not-offered' });
});

test('returns are off by default, and the account shows both windows', async () => {
  const reseller = await h.seed.reseller({ balance: '10.00' });
  const { offerId } = await h.seed.listing({ price: '1.00' });
  const { id, transactions } = (await reseller.order(manual(offerId))).body.data;
  const items = [{ id: transactions[0].items[0].id, quantity: 1 }];
  const { body } = await giveBack(reseller, id, { items });
  equal(body.error.data.reason, 'not-offered');
  const { returnWindowHours, claimWindowHours } = (await reseller.get('/account')).body.data;
  deepEqual([returnWindowHours, claimWindowHours], [0, 720]);
});

test('a success is stored under the key for all clients of the account, and a rejection is not', async () => {
  const { reseller, back, books, id, itemId } = await ordered({ account: { returnWindowHours: 0 } });
  const key = randomUUID();
  equal((await back(1, { key })).body.error.data.reason, 'not-offered');
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { returnWindowHours: 1 });
  const first = await back(1, { key });
  equal(first.status, 200);
  const { clientId, clientSecret } = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, {});
  const token = await h.tokenFor(clientId, clientSecret);
  const replay = await h.call('POST', `/export/v1/orders/${id}/returns`, {
    token,
    body: { items: [{ id: itemId, quantity: 1 }] },
    headers: { 'idempotency-key': key },
  });
  deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true']);
  deepEqual(replay.body.data, first.body.data);
  deepEqual((await books()).units, { available: 3, sold: 2 });
  const other = await back(2, { key });
  deepEqual([other.status, other.body.error.code], [422, 'idempotency-key-already-used']);
});

test('an unfinished order is not complete', async () => {
  const held = await ordered({ account: { holdOrders: true } });
  const { status, body } = await held.back(1);
  deepEqual([status, body.error.code, body.error.data.status], [400, 'order-not-complete', 'held']);
});

test('the error names an item that is not in the order', async () => {
  const { reseller, id, itemId } = await ordered();
  const { body } = await giveBack(reseller, id, { items: [{ id: `${itemId}1`, quantity: 1 }] });
  equal(body.error.errors[0].field, 'body.items[0].id');
});
