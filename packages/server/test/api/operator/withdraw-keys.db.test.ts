/** A90. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto, manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

const withdraw = (offerId: string, body: Record<string, unknown>, token: string = h.operatorToken) =>
  h.call('POST', `/admin/v1/offers/${offerId}/keys/withdraw`, {
    token,
    body: { reason: 'Recalled', ...body },
    headers: { 'idempotency-key': randomUUID() },
  });

async function units(offerId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; units: number }>`
    SELECT state || ' ' || kind AS name, count(*)::integer AS units FROM unit
    WHERE offer_id = ${offerId}::uuid GROUP BY 1`.execute(h.database.db);
  return Object.fromEntries(rows.map(({ name, units: count }) => [name, count]));
}

async function toKeys(reseller: Awaited<ReturnType<typeof h.seed.reseller>>, orderId: string) {
  const { body } = await reseller.get(`/orders/${orderId}/keys`);
  return body.data[0].keys.map((key: { code: string }) => key.code);
}

const toStamp = async (
  reseller: Awaited<ReturnType<typeof h.seed.reseller>>,
  productId: string,
): Promise<{ quantity: number | undefined; updatedAt: string | undefined }> => {
  await h.seed.inStep();
  const { data } = (await reseller.get(`/product-offers?productIds[]=${productId}`)).body;
  return { quantity: data[0]?.totalQuantity, updatedAt: data[0]?.updatedAt };
};

test('withdrawal by quantity: the latest keys are withdrawn, the rest can be sold, and the product has a new stamp', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId, productId, codes } = await h.seed.listing({ stock: 5 });
  const before = await toStamp(reseller, productId);
  const response = await withdraw(offerId, { quantity: 2 });
  deepEqual(
    [response.status, response.body.data],
    [200, { withdrawn: 2, quantity: 3, notWithdrawn: [] }],
    JSON.stringify(response.body),
  );
  const after = await toStamp(reseller, productId);
  equal(after.quantity, 3);
  ok(String(after.updatedAt) > String(before.updatedAt), 'pollers see the change');
  const { id } = (await reseller.order(manual(offerId, { quantity: 3 }))).body.data;
  deepEqual((await toKeys(reseller, id)).sort(), codes.slice(0, 3).sort());
  equal((await reseller.order(manual(offerId))).body.error.code, 'offer-not-available');
  deepEqual(await units(offerId), { 'sold text': 3, 'withdrawn text': 2 });
});

test('a product is no longer listed when its last keys are withdrawn', async () => {
  const reseller = await h.seed.reseller();
  const { offerId, productId } = await h.seed.listing({ stock: 2 });
  await withdraw(offerId, { quantity: 2 });
  await h.seed.inStep();
  equal((await reseller.get(`/products/${productId}`)).body.error.code, 'product-not-found');
});

test('a withdrawal of more keys than are available, in total or of a kind, is rejected and changes nothing', async () => {
  const { offerId } = await h.seed.listing({ stock: 3, images: 2 });
  const rows: [body: Record<string, unknown>, availableQuantity: number][] = [
    [{ quantity: 6 }, 5],
    [{ quantity: 4, kind: 'text' }, 3],
    [{ quantity: 3, kind: 'image' }, 2],
  ];
  for (const [body, availableQuantity] of rows) {
    const response = await withdraw(offerId, body);
    deepEqual([response.status, response.body.error.code], [409, 'conflict']);
    deepEqual(response.body.error.data, { availableQuantity });
  }
  deepEqual(await units(offerId), { 'available text': 3, 'available image': 2 });
  equal((await withdraw(offerId, { quantity: 2, kind: 'image' })).body.data.quantity, 3);
  deepEqual(await units(offerId), { 'available text': 3, 'withdrawn image': 2 });
  equal((await withdraw(offerId, { quantity: 3 })).body.data.quantity, 0);
});

test('withdrawal by code: unsold keys are withdrawn, and the response has the reason for each other code', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const waiting = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' },
  });
  const { offerId, codes } = await h.seed.listing({ stock: 5 });
  const other = await h.seed.listing({ stock: 1 });
  const sold = (await reseller.order(manual(offerId))).body.data.id;
  const reserved = (await waiting.order(manual(offerId))).body.error.data.orderId;
  await withdraw(offerId, { codes: [codes[4]] });
  const asked = [...codes, codes[2], 'NOBODY-KNOWS', other.codes[0]];
  const response = await withdraw(offerId, { codes: asked });
  deepEqual(response.body.data, {
    withdrawn: 2,
    quantity: 0,
    notWithdrawn: [
      { index: 0, reason: 'sold', orderId: sold },
      { index: 1, reason: 'reserved', orderId: reserved },
      { index: 4, reason: 'withdrawn' },
      { index: 6, reason: 'unknown' },
      { index: 7, reason: 'other-offer' },
    ],
  });
  deepEqual(await units(offerId), { 'sold text': 1, 'reserved text': 1, 'withdrawn text': 3 });
  deepEqual(await units(other.offerId), { 'available text': 1 });
  deepEqual(await toKeys(reseller, sold), [codes[0]], 'sold keys stay sold');
});

test('concurrent orders and withdrawals never take more units than the stock has', async () => {
  const resellers = await Promise.all(
    Array.from({ length: 4 }, () => h.seed.reseller({ balance: '999.00' })),
  );
  const { offerId, productId } = await h.seed.listing({ price: '1.00', stock: 40 });
  const [orders, withdrawals] = await Promise.all([
    Promise.all(resellers.flatMap((each) => Array.from({ length: 8 }, () => each.order(auto(productId))))),
    Promise.all(Array.from({ length: 8 }, () => withdraw(offerId, { quantity: 3 }))),
  ]);
  const sold = orders.filter((response) => response.status === 201).length;
  const withdrawn = withdrawals.filter((response) => response.status === 200).length * 3;
  const { 'available text': available = 0, ...rest } = await units(offerId);
  deepEqual(rest, { 'sold text': sold, 'withdrawn text': withdrawn });
  equal(sold + withdrawn + available, 40);
  ok(available < 3, 'the stock was used up');
});

test('an ambiguous body is rejected by field, and nothing is withdrawn', async () => {
  const { offerId, codes } = await h.seed.listing({ stock: 2 });
  const rows: [body: Record<string, unknown>, field: string][] = [
    [{}, 'body'],
    [{ quantity: 1, codes }, 'body'],
    [{ codes, kind: 'text' }, 'body.kind'],
  ];
  for (const [body, field] of rows) {
    const response = await withdraw(offerId, body);
    deepEqual(
      [response.status, response.body.error.code, response.body.error.errors[0].field],
      [400, 'validation-error', field],
      JSON.stringify(body).slice(0, 80),
    );
  }
  deepEqual(await units(offerId), { 'available text': 2 });
});
