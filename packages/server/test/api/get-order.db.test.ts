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

const owner = await h.seed.reseller({ balance: '100.00' });
const otherReseller = await h.seed.reseller({ balance: '100.00' });
const { productId } = await h.seed.listing();
const { id } = (await owner.order(auto(productId))).body.data;

/** Without the parts that differ in each request. */
async function rawResponse(path: string) {
  const response = await fetch(`${h.url}/export/v1${path}`, {
    headers: { authorization: `Bearer ${otherReseller.token}` },
  });
  const traceId = response.headers.get('x-trace-id') ?? '';
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-trace-id');
  return { status: response.status, headers, text: (await response.text()).replaceAll(traceId, 'TRACE') };
}

for (const suffix of ['', '/keys']) {
  test(`GET /orders/{orderId}${suffix}: an order of another account gets the response of an unknown one, byte for byte`, async () => {
    const absent = await rawResponse(`/orders/9999999999999999${suffix}`);
    equal(absent.status, 400);
    equal(JSON.parse(absent.text).error.code, 'order-not-found');
    deepEqual(await rawResponse(`/orders/${id}${suffix}`), absent);
  });
}

test('the owner can read the order that others cannot', async () => {
  equal((await owner.get(`/orders/${id}`)).status, 200);
});

test('an impossible order id is a validation-error', async () => {
  for (const bad of [
    '1',
    '1234567890123',
    '12345678901234567',
    'abcdefghijklmnop',
    '1234567890123456%20',
    '%00',
  ]) {
    const answer = await owner.get(`/orders/${bad}`);
    deepEqual([answer.status, answer.body.error.code], [400, 'validation-error'], bad);
    equal(answer.body.error.errors[0].field, 'path.orderId');
  }
});
