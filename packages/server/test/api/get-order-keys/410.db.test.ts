/** A43, A44. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { readBooks } from '../../support/books.ts';
import { manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('an order refunded for its image keys returns 410 to its owner only', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ stock: 0, images: 2 });
  const { data } = (await reseller.order(manual(offerId))).body;
  equal(data.status, 'closed');
  const response = await reseller.get(`/orders/${data.id}/keys`);
  deepEqual([response.status, response.body.error.code], [410, 'order-auto-refund-image-keys']);
  const otherReseller = await h.seed.reseller();
  equal((await otherReseller.get(`/orders/${data.id}/keys`)).body.error.code, 'order-not-found');
});

test('a gateway order that only image keys could fill is refunded and returns 410', async () => {
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok', limits: { dailyUnitsMax: 5 } };
  const reseller = await h.seed.reseller({ account });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 1, images: 1 });
  const response = await reseller.order(manual(offerId, { quantity: 2 }));
  equal(response.status, 201, JSON.stringify(response.body));
  const { data } = response.body;
  equal(data.status, 'closed');
  deepEqual(data.transactions[0].items[0].quantity, { ordered: 2, invoiced: 2, shipped: 0, refunded: 2 });
  const keys = await reseller.get(`/orders/${data.id}/keys`);
  deepEqual([keys.status, keys.body.error.code], [410, 'order-auto-refund-image-keys']);
  const books = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual(books.units, { available: 2 });
  equal(books.transfers, 2, 'the charge and its reversal');
  deepEqual([books.daySpendMinor, books.dayUnits], [0, 0], 'the daily limits no longer count it');
});

test('an image order of an account under review is refunded, not held', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
  const { offerId } = await h.seed.listing({ stock: 0, images: 1 });
  const { data } = (await reseller.order(manual(offerId))).body;
  equal(data.status, 'closed');
  equal((await reseller.get(`/orders/${data.id}/keys`)).status, 410);
});
