/** A42. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto, manual } from '../../support/harness.ts';
import { readList } from '../../support/lists.ts';
import { toReservations } from '../../support/reservations.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

type Told = {
  readonly key: string;
  readonly asked: object;
  readonly error: { code: string; message: string; data?: unknown };
};

async function reject() {
  const reseller = await h.seed.reseller({ balance: '5.00', account: { name: 'Acme Games' } });
  const { offerId, productId } = await h.seed.listing({
    product: { name: 'Elden Ring' },
    price: '10.00',
    stock: 2,
  });
  const told: Told[] = [];
  for (const [item, asked] of [
    [manual(offerId, { quantity: 3, maxPrice: '20' }), { offerId, quantity: 3, maxPrice: '20.00' }],
    [auto(productId, { maxPrice: '20' }), { offerId: null, quantity: 1, maxPrice: '20.00' }],
    [manual(offerId, { maxPrice: '1' }), { offerId, quantity: 1, maxPrice: '1.00' }],
  ] as const) {
    const key = randomUUID();
    const { error } = (await reseller.order(item, key)).body;
    told.push({ key, asked: { productId, productName: 'Elden Ring', ...asked }, error });
  }
  return { reseller, accountId: reseller.accountId, told };
}

const toKeys = (rows: readonly { idempotencyKey: string }[]) =>
  rows.map(({ idempotencyKey }) => idempotencyKey);

test('a rejection of a reservation, and of its order, is listed with the key that the reseller sent', async () => {
  const reseller = await h.seed.reseller({ balance: '5.00' });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const shop = toReservations(h, reseller);
  const reservation = await shop.reserved(manual(offerId));
  const keys = [randomUUID(), randomUUID()] as const;
  const told = [
    await shop.reserve(manual(offerId, { quantity: 3 }), {}, { key: keys[0] }),
    await shop.order(reservation.id, { key: keys[1] }),
  ];
  deepEqual(
    told.map(({ body }) => body.error.code),
    ['offer-not-available', 'insufficient-funds'],
  );
  deepEqual(toKeys(await readList(h, `/rejections?accountId=${reseller.accountId}`)), keys.toReversed());
});

test('a rejection is listed with its account, its time and the response', async () => {
  const { reseller, accountId, told } = await reject();
  // A validation error is not a rejection by checkout.
  equal((await reseller.order(auto('1'))).body.error.code, 'validation-error');
  const rows = await readList(h, `/rejections?accountId=${accountId}`);
  deepEqual(
    rows.map(({ rejectedAt: _rejectedAt, ...rest }) => rest),
    told.toReversed().map(({ key, asked, error: { code, message, data } }) => ({
      accountId,
      accountName: 'Acme Games',
      idempotencyKey: key,
      ...asked,
      code,
      message,
      data,
    })),
  );
  deepEqual(
    rows.map(({ code }) => code),
    ['max-price-exceeded', 'insufficient-funds', 'offer-not-available'],
  );
});

test('requests for unknown products are listed', async () => {
  const reseller = await h.seed.reseller({ balance: '5.00' });
  const offerId = randomUUID();
  for (const item of [manual(offerId), auto('99999999999998')]) await reseller.order(item);
  const rows = await readList(h, `/rejections?accountId=${reseller.accountId}`);
  deepEqual(
    rows.map(({ productId, productName, offerId: id }) => [productId, productName, id]),
    [
      ['99999999999998', null, null],
      [null, null, offerId],
    ],
  );
});

test('a rejection without facts has no data', async () => {
  const reseller = await h.seed.reseller({ account: { paymentMethod: null } });
  const { offerId } = await h.seed.listing();
  await reseller.order(manual(offerId));
  const [row] = await readList(h, `/rejections?accountId=${reseller.accountId}`);
  deepEqual([row.code, row.data], ['payment-not-configured', {}]);
});

test('filters by code and time include both ends, in both directions, with or without an account', async () => {
  const { accountId, told } = await reject();
  const [first, second, third] = told.map(({ key }) => key);
  const all = await readList(h, `/rejections?accountId=${accountId}`);
  const [, { rejectedAt }] = all;
  const at = encodeURIComponent(rejectedAt);
  for (const [query, expected] of [
    ['&sort=rejectedAt', [first, second, third]],
    ['&code=insufficient-funds', [second]],
    [`&dateFrom=${at}`, [third, second]],
    [`&dateTo=${at}`, [second, first]],
    [`&dateFrom=${at}&dateTo=${at}&code=product-excluded`, []],
  ] as const) {
    deepEqual(toKeys(await readList(h, `/rejections?accountId=${accountId}${query}`, 1)), expected, query);
    const everybody = await readList(h, `/rejections?${query.slice(1)}`, 100);
    deepEqual(toKeys(everybody.filter((row) => row.accountId === accountId)), expected, query);
  }
});

test('the search finds the account, product, reference, ids, and the trace id of the request', async () => {
  const reseller = await h.seed.reseller({ balance: '1.00', account: { name: 'Übergame Store' } });
  const { offerId, productId } = await h.seed.listing({ product: { name: 'Moon Harbour' } });
  const [byOffer, byProduct, held] = [randomUUID(), randomUUID(), randomUUID()] as const;
  const sent = await h.call('POST', '/export/v1/orders', {
    token: reseller.token,
    body: { items: [manual(offerId)], reference: 'Shop|4711' },
    headers: { 'idempotency-key': byOffer },
  });
  await reseller.order(auto(productId), byProduct);
  await toReservations(h, reseller).reserve(manual(offerId, { maxPrice: '0.01' }), {}, { key: held });
  // A read of the request log writes its pending entries.
  await reseller.get('/requests');
  const found = async (query: string) =>
    toKeys(await readList(h, `/rejections?query=${encodeURIComponent(query)}`));
  for (const [query, expected] of [
    ['ubergame', [held, byProduct, byOffer]],
    ['UBER moon', [held, byProduct, byOffer]],
    ['uber sun', []],
    ['4711', [byOffer]],
    [productId, [held, byProduct, byOffer]],
    [offerId, [held, byOffer]],
    [offerId.slice(0, 8).toUpperCase(), [held, byOffer]],
    [reseller.accountId.slice(0, 13), [held, byProduct, byOffer]],
    [byOffer, [byOffer]],
    [held, [held]],
    [held.slice(0, 18), [held]],
    [sent.body.traceId, [byOffer]],
    ['%', []],
  ] as const)
    deepEqual(await found(query), expected, query);
});
