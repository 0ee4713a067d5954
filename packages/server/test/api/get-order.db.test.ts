/** R22, A45. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();

test('an order is shown as in the history, whatever its status', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
  const { productId } = await h.seed.listing({ price: '10.00' });
  const { id } = (await reseller.order(auto(productId))).body.data;
  const assertStatus = async (status: string) => {
    const { data } = (await reseller.get(`/orders/${id}`)).body;
    equal(data.status, status);
    deepEqual((await reseller.get(`/orders?orderId=${id}`)).body.data, [data]);
  };
  await assertStatus('held');
  await h.operate('POST', `/orders/${id}/release`, { reason: 'checked' });
  await assertStatus('complete');
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'returned' });
  await assertStatus('closed');
});

test('an order keeps its product name and price when the catalogue changes', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const sellerId = await h.seed.seller('Old Name');
  const { productId, offerId } = await h.seed.listing({ price: '10.00', sellerId, product: { name: 'Old' } });
  const { data } = (await reseller.order(auto(productId))).body;
  await h.operate('PUT', `/products/${productId}`, { name: 'New', checkoutClass: 'standard' });
  await h.operate('PUT', `/sellers/${sellerId}`, { name: 'New Name' });
  await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '99.00', status: 'paused' });
  deepEqual((await reseller.get(`/orders/${data.id}`)).body.data, data);
});

test('every client of the account sees the order', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const { data } = (await reseller.order(auto(productId))).body;
  const client = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, {});
  const token = await h.tokenFor(client.clientId, client.clientSecret);
  const response = await h.call('GET', `/export/v1/orders/${data.id}`, { token });
  deepEqual(response.body.data, data);
});

test('the timeline has every status and refund, and until when keys can be read, returned and claimed', async () => {
  const windows = { holdOrders: true, returnWindowHours: 24, claimWindowHours: 48 };
  const reseller = await h.seed.reseller({ balance: '100.00', account: windows });
  const { productId } = await h.seed.listing({ price: '10.00' });
  const { id } = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
  const read = async () => (await reseller.get(`/orders/${id}/timeline`)).body.data;
  const until = ({ keysReadableUntil, returnableUntil, claimableUntil }: Record<string, string>) => [
    keysReadableUntil,
    returnableUntil,
    claimableUntil,
  ];
  const held = await read();
  deepEqual(until(held), [null, null, null]);
  const statuses = (timeline: { changes: { status: string }[] }) =>
    timeline.changes.map(({ status }) => status);
  deepEqual(statuses(held), ['held']);
  await h.operate('POST', `/orders/${id}/release`, { reason: 'A secret reason' });
  const complete = await read();
  deepEqual([statuses(complete), complete.keysReadAt], [['held', 'complete'], null]);
  const at = Date.parse(complete.changes[1].at);
  const hours = (time: string | undefined) => Math.round((Date.parse(time ?? '') - at) / 3_600_000);
  deepEqual(until(complete).map(hours), [48, 24, 48]);
  await reseller.get(`/orders/${id}/keys`);
  const known = await read();
  deepEqual([typeof known.keysReadAt, known.returnableUntil], ['string', null]);
  await h.operate('POST', `/orders/${id}/refund`, {
    reason: 'A secret reason',
    items: [{ id: `${id}01`, quantity: 1 }],
  });
  const refunded = await read();
  deepEqual(
    [statuses(refunded), refunded.refunds.map(({ amount }: { amount: string }) => amount)],
    [['held', 'complete'], ['10.00']],
  );
  equal(JSON.stringify(refunded).includes('secret'), false);
  const other = await h.seed.reseller();
  equal((await other.get(`/orders/${id}/timeline`)).body.error.code, 'order-not-found');
});
