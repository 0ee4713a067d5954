/** A600 to A604. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto, manual } from '../../support/harness.ts';
import { passTime, toReservations } from '../../support/reservations.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function aShop(options: Parameters<typeof h.seed.reseller>[0] = { balance: '100.00' }) {
  const reseller = await h.seed.reseller(options);
  return { reseller, ...toReservations(h, reseller) };
}

const toQuantity = async (shop: Awaited<ReturnType<typeof aShop>>, productId: string) => {
  await h.seed.inStep();
  const { status, body } = await shop.reseller.get(`/products/${productId}`);
  return status === 200 ? body.data.totalQuantity : 0;
};

test('201 shows units, price and discount, and the units leave every read', async () => {
  const shop = await aShop({ account: { discountPercent: '10' } });
  const { productId, offerId } = await h.seed.listing({ price: '2.50', stock: 5 });
  const response = await shop.reserve(auto(productId, { quantity: 3 }));
  equal(response.status, 201, JSON.stringify(response.body));
  const { id, createdAt, expiresAt, ...rest } = response.body.data;
  match(id, /^rsv_/);
  equal(Date.parse(expiresAt) - Date.parse(createdAt), 900_000);
  deepEqual(rest, {
    status: 'active',
    item: { productId, offerId, quantity: 3, price: '2.50', totalPrice: '7.50' },
    discount: '0.75',
    totalPrice: '6.75',
    currency: 'EUR',
  });
  deepEqual(await shop.get(id), response.body.data);
  equal(await toQuantity(shop, productId), 2);
  const other = await aShop();
  const tooMany = await other.reseller.order(manual(offerId, { quantity: 3 }));
  equal(tooMany.body.error.code, 'offer-not-available');
  equal((await other.reseller.order(manual(offerId, { quantity: 2 }))).status, 201);
  equal((await shop.reseller.get('/account')).body.data.balance, '0.00', 'nothing was charged');
});

test('a rejection for lack of units names the own reservation that holds them, and no other account’s', async () => {
  const shop = await aShop();
  const other = await aShop();
  const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 9 });
  const theirs = await other.reserved(manual(offerId, { quantity: 2 }));
  const large = await shop.reserved(manual(offerId, { quantity: 4 }), { reference: 'A-1' });
  const small = await shop.reserved(manual(offerId, { quantity: 2 }), { reference: 'A-2' });
  const last = await shop.reserved(auto(productId), { reference: 'A-3' });
  const rows: [units: number, reference: string | undefined, expected: string][] = [
    [1, undefined, last.id],
    [2, undefined, small.id],
    [3, undefined, large.id],
    [9, undefined, large.id],
    [1, 'A-2', small.id],
    [1, 'A-9', last.id],
  ];
  for (const [quantity, reference, expected] of rows) {
    for (const item of [manual(offerId, { quantity }), auto(productId, { quantity })]) {
      const fields = reference === undefined ? {} : { reference };
      const order = await h.call('POST', '/export/v1/orders', {
        token: shop.reseller.token,
        body: { items: [item], ...fields },
        headers: { 'idempotency-key': randomUUID() },
      });
      for (const { status, body } of [order, await shop.reserve(item, fields)]) {
        deepEqual([status, body.error.code], [400, 'offer-not-available']);
        equal(body.error.data.reservationId, expected, `${quantity} ${reference}`);
        match(body.error.message, new RegExp(`reservation ${expected} holds`));
      }
    }
  }
  const stranger = await aShop();
  const hidden = (await stranger.reseller.order(manual(offerId))).body.error;
  equal(hidden.data.reservationId, undefined);
  equal((await other.reseller.order(manual(offerId))).body.error.data.reservationId, theirs.id);
  equal((await shop.order(last.id)).status, 201);
  equal((await shop.reseller.order(manual(offerId))).body.error.data.reservationId, small.id);
});

test('Idempotency-Keys follow the rules of create order', async () => {
  const shop = await aShop();
  const { productId, offerId } = await h.seed.listing({ stock: 9 });
  const key = randomUUID();
  const first = await shop.reserve(auto(productId), {}, { key });
  const replay = await shop.reserve(auto(productId), { ttlSeconds: 900, currency: 'EUR' }, { key });
  deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true']);
  deepEqual(replay.body.data, first.body.data, 'explicit defaults are the same payload');
  for (const [item, fields] of [
    [auto(productId), { ttlSeconds: 901 }],
    [auto(productId, { quantity: 2 }), {}],
    [manual(offerId), {}],
  ] as const) {
    const other = await shop.reserve(item, fields, { key });
    deepEqual([other.status, other.body.error.code], [422, 'idempotency-key-already-used']);
  }
  equal((await shop.reseller.order(auto(productId), key)).status, 201, 'keys of create order are separate');
  const atOnce = randomUUID();
  const responses = await Promise.all(
    [1, 2, 3].map(() => shop.reserve(auto(productId), {}, { key: atOnce })),
  );
  const [made, ...later] = responses.toSorted((a, b) => Number(b.status === 201) - Number(a.status === 201));
  equal(made?.status, 201);
  for (const { status, body } of later) {
    // After the first request has ended, a duplicate is a replay.
    if (status === 200) equal(body.data.id, made?.body.data.id);
    else deepEqual([status, body.error.code], [409, 'idempotency-key-processing']);
  }
});

test('rejections are those of create order up to the price, and are stored under the key', async () => {
  const shop = await aShop({ account: { paymentMethod: null, limits: { orderValueMax: '15.00' } } });
  const { productId, offerId } = await h.seed.listing({ price: '10.00', stock: 5 });
  const excluded = await h.seed.listing({ product: { checkoutClass: 'esim' } });
  const images = await h.seed.listing({ stock: 0, images: 3 });
  const rows: [item: unknown, code: string, reason?: string][] = [
    [manual(offerId, { quantity: 2 }), 'cart-validation-error', 'order-value-max'],
    [auto(excluded.productId), 'product-excluded'],
    [auto('10000000099999'), 'offer-not-available'],
    [auto(images.productId), 'offer-not-available'],
    [auto(productId, { maxPrice: '9.99' }), 'offer-not-available', 'price'],
    [manual(offerId, { maxPrice: '9.99' }), 'max-price-exceeded'],
  ];
  for (const [item, code, reason] of rows) {
    const key = randomUUID();
    const { status, body } = await shop.reserve(item, {}, { key });
    deepEqual([status, body.error.code], [400, code], JSON.stringify(body));
    if (reason !== undefined) equal(body.error.data.reason, reason);
    const repeat = await shop.reserve(item, {}, { key });
    deepEqual(repeat.body.error, body.error);
    equal(repeat.headers.get('idempotent-replayed'), 'true');
  }
  equal((await shop.reserve(auto(productId))).status, 201, 'no payment method is needed');
  await h.operate('PATCH', `/accounts/${shop.reseller.accountId}`, { status: 'suspended' });
  const suspended = await shop.reserve(auto(productId));
  equal(suspended.body.error.data.reason, 'account-not-active');
});

test('the account can reserve at most reservedUnitsMax units at a time, and 0 disables reservations', async () => {
  const shop = await aShop({ account: { limits: { reservedUnitsMax: 3 } } });
  const { productId } = await h.seed.listing({ stock: 25 });
  const account = await shop.reseller.get('/account');
  equal(account.body.data.limits.reservedUnitsMax, 3);
  const first = await shop.reserved(auto(productId, { quantity: 2 }));
  const tooMany = await shop.reserve(auto(productId, { quantity: 2 }));
  equal(tooMany.status, 400);
  deepEqual(tooMany.body.error.data, {
    reason: 'reserved-units-max',
    limit: 3,
    used: 2,
    remaining: 1,
    requested: 2,
  });
  await passTime(h, first.id, 900);
  await shop.reserved(auto(productId, { quantity: 3 }));
  await h.operate('PATCH', `/accounts/${shop.reseller.accountId}`, { limits: { reservedUnitsMax: 0 } });
  equal((await shop.reserve(auto(productId))).body.error.data.reason, 'reserved-units-max');
  const { limits } = await h.operate('GET', `/accounts/${(await h.seed.reseller()).accountId}`);
  equal(limits.reservedUnitsMax, 50);
});
