/** The `units` of an offer are all units that it ever had, by state. */
import { deepEqual } from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { manual } from '../../support/harness.ts';
import { readList } from '../../support/lists.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const offers: string[] = [];

async function listing(stock: number, images = 0) {
  const made = await h.seed.listing({ stock, images });
  offers.push(made.offerId);
  return made;
}

async function computeUnits(offerId: string): Promise<Record<string, number>> {
  return (await h.operate('GET', `/offers/${offerId}`)).units;
}

const act = (orderId: string, action: string, body: Record<string, unknown> = {}) =>
  h.operate('POST', `/orders/${orderId}/${action}`, { reason: 'test', ...body });

afterEach(async () => {
  for (const offerId of offers.splice(0)) {
    const counted = { available: 0, reserved: 0, sold: 0, withdrawn: 0 };
    for (const { state } of await readList(h, `/offers/${offerId}/keys`, 100))
      counted[state as keyof typeof counted] += 1;
    deepEqual(await computeUnits(offerId), counted);
  }
});

test('200: sold, reserved, withdrawn and available units are counted, text and images', async () => {
  const { offerId } = await listing(8, 2);
  const buyer = await h.seed.reseller({ balance: '500.00' });
  const reviewed = await h.seed.reseller({ balance: '500.00', account: { holdOrders: true } });
  await buyer.order(manual(offerId, { quantity: 3 }));
  const held = (await reviewed.order(manual(offerId, { quantity: 2 }))).body.data.id;
  await h.operate('POST', `/offers/${offerId}/keys/withdraw`, { quantity: 1, kind: 'image', reason: 'test' });
  deepEqual(await computeUnits(offerId), { available: 4, reserved: 2, sold: 3, withdrawn: 1 });
  await act(held, 'release');
  deepEqual(await computeUnits(offerId), { available: 4, reserved: 0, sold: 5, withdrawn: 1 });
});

test('refunds that return, keep or withdraw keys change the counts, and so do replacements', async () => {
  const { offerId } = await listing(9);
  const buyer = await h.seed.reseller({ balance: '500.00' });
  const place = async () => (await buyer.order(manual(offerId, { quantity: 2 }))).body.data.id;
  await act(await place(), 'refund', { returnToStock: true });
  deepEqual(await computeUnits(offerId), { available: 9, reserved: 0, sold: 0, withdrawn: 0 });
  await act(await place(), 'refund');
  await act(await place(), 'refund', { withdrawKeys: true });
  deepEqual(await computeUnits(offerId), { available: 5, reserved: 0, sold: 2, withdrawn: 2 });
  const replaced = await place();
  const [bad] = await h.operate('GET', `/orders/${replaced}/keys`);
  await act(replaced, 'replace-key', { keyId: bad.id });
  deepEqual(await computeUnits(offerId), { available: 2, reserved: 0, sold: 4, withdrawn: 3 });
});

test('the refund of an undelivered order with withdrawKeys changes the counts', async () => {
  const { offerId } = await listing(3);
  const reviewed = await h.seed.reseller({ balance: '500.00', account: { holdOrders: true } });
  const held = (await reviewed.order(manual(offerId, { quantity: 2 }))).body.data.id;
  await act(held, 'refund', { withdrawKeys: true });
  deepEqual(await computeUnits(offerId), { available: 1, reserved: 0, sold: 0, withdrawn: 2 });
});

test('keys that an import withdraws count as withdrawn until they are restored', async () => {
  const { offerId, codes } = await listing(4);
  const { runId } = (
    await h.call('POST', '/admin/v1/imports/keys?deleteMissing=true', {
      token: h.operatorToken,
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ offerId, code: codes[0] }),
    })
  ).body.data;
  deepEqual(await computeUnits(offerId), { available: 1, reserved: 0, sold: 0, withdrawn: 3 });
  await h.operate('POST', `/imports/${runId}/restore`, { reason: 'test' });
  deepEqual(await computeUnits(offerId), { available: 4, reserved: 0, sold: 0, withdrawn: 0 });
});

test('every response with an offer has the counts: a PUT, a PATCH, a list', async () => {
  const { offerId, productId, sellerId } = await listing(3);
  const units = await computeUnits(offerId);
  const body = { productId, sellerId, price: '5.00', status: 'active' };
  deepEqual((await h.operate('PUT', `/offers/${offerId}`, body)).units, units);
  deepEqual((await h.operate('PATCH', `/offers/${offerId}`, { price: '6.00' })).units, units);
  const [listed] = await readList(h, `/offers?productId=${productId}`, 1);
  deepEqual(listed.units, units);
});
