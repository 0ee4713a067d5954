/** One order, 400: unknown ids, and other accounts' orders, which look exactly like them. A45. */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const owner = await h.seed.reseller({ balance: '100.00' });
const otherReseller = await h.seed.reseller({ balance: '100.00' });
const { productId } = await h.seed.listing();
const { id } = (await owner.order(auto(productId))).body.data;

/** The bytes and the headers of a response without what differs from request to request. */
async function rawResponse(path: string) {
  const response = await fetch(`${h.url}/export/v1${path}`, {
    headers: { authorization: `Bearer ${otherReseller.token}` },
  });
  const traceId = response.headers.get('x-trace-id') ?? '';
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-trace-id');
  return { status: response.status, headers, text: (await response.text()).replaceAll(traceId, 'TRACE') };
}

for (const suffix of ['', '/keys']) {
  test(`GET /orders/{orderId}${suffix}: another account’s order is byte for byte an absent one`, async () => {
    const absent = await rawResponse(`/orders/9999999999999999${suffix}`);
    assert.equal(absent.status, 400);
    assert.equal(JSON.parse(absent.text).error.code, 'order-not-found');
    assert.deepEqual(await rawResponse(`/orders/${id}${suffix}`), absent);
  });
}

test('the owner sees the order that the other reseller cannot', async () => {
  assert.equal((await owner.get(`/orders/${id}`)).status, 200);
});

test('what cannot be an order id is a validation-error', async () => {
  for (const bad of [
    '1',
    '1234567890123',
    '12345678901234567',
    'abcdefghijklmnop',
    '1234567890123456%20',
    '%00',
  ]) {
    const answer = await owner.get(`/orders/${bad}`);
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'validation-error'], bad);
    assert.equal(answer.body.error.errors[0].field, 'path.orderId');
  }
});
