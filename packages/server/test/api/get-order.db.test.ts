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
