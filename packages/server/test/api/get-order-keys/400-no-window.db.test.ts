/** A43. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { auto, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_KEYS_WINDOW_HOURS: '0' });

test('no keys can be read if the window is zero hours', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const { id } = (await reseller.order(auto(productId))).body.data;
  const response = await reseller.get(`/orders/${id}/keys`);
  deepEqual([response.status, response.body.error.code], [400, 'order-expired']);
});
