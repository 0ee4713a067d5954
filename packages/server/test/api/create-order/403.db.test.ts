/** R23. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('an operator’s token is rejected before the request is validated', async () => {
  const { productId } = await h.seed.listing();
  for (const body of [{ items: [auto(productId)] }, { nonsense: true }]) {
    const response = await h.call('POST', '/export/v1/orders', {
      token: h.operatorToken,
      headers: { 'idempotency-key': randomUUID() },
      body,
    });
    deepEqual([response.status, response.body.error.code], [403, 'forbidden']);
    match(response.body.error.message, /needs a reseller's token; this is an operator's/);
  }
});

test('a reseller’s token may not act on orders', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const { id } = (await reseller.order(auto(productId))).body.data;
  for (const action of ['hold', 'release', 'cancel', 'refund']) {
    const response = await h.call('POST', `/admin/v1/orders/${id}/${action}`, {
      token: reseller.token,
      body: { reason: 'mine' },
    });
    equal(response.status, 403, action);
    match(response.body.error.message, /needs an operator's token; this is a reseller's/);
  }
  equal((await reseller.get(`/orders/${id}`)).body.data.status, 'complete');
});
