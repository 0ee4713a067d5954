/** A601, A603, A605, A606. */
import { deepEqual, equal } from 'node:assert/strict';
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

function assertEnded(response: { status: number; body: { error: { code: string } } }, code: string) {
  deepEqual([response.status, response.body.error.code], [409, code], JSON.stringify(response.body));
}

test('201: the order has the reserved units at the reserved price, even if the offer is paused and more expensive', async () => {
  const shop = await aShop({ balance: '100.00', account: { discountPercent: '10' } });
  const { productId, offerId, sellerId, codes } = await h.seed.listing({ price: '10.00', stock: 2 });
  const reservation = await shop.reserved(auto(productId, { quantity: 2 }));
  await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '50.00', status: 'paused' });
  await h.operate('PATCH', `/accounts/${shop.reseller.accountId}`, { discountPercent: '0' });
  const key = randomUUID();
  const response = await shop.order(reservation.id, { key });
  equal(response.status, 201, JSON.stringify(response.body));
  const { data } = response.body;
  deepEqual([data.status, data.discount, data.totalPrice], ['complete', '2.00', '18.00']);
  equal(data.transactions[0].items[0].price, '10.00');
  const keys = await shop.reseller.get(`/orders/${data.id}/keys`);
  deepEqual(keys.body.data[0].keys.map(({ code }: { code: string }) => code).toSorted(), codes);
  equal((await shop.reseller.get('/account')).body.data.balance, '82.00');
  const after = await shop.get(reservation.id);
  deepEqual(after, { ...reservation, status: 'ordered', orderId: data.id });

  const found = await shop.reseller.get(`/orders?idempotencyKey=${key}`);
  const foundByOperator = await h.operate('GET', `/orders?limit=10&idempotencyKey=${key}`);
  for (const orders of [found.body.data, foundByOperator])
    deepEqual(
      orders.map(({ id }: { id: string }) => id),
      [data.id],
    );

  const replay = await shop.order(reservation.id, { key });
  deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true']);
  deepEqual(replay.body.data, data);
  const again = await shop.order(reservation.id);
  assertEnded(again, 'reservation-used');
  deepEqual(again.body.error.data, { orderId: data.id });
  assertEnded(await shop.renew(reservation.id, 60), 'reservation-used');
  assertEnded(await shop.release(reservation.id), 'reservation-used');
});

test('the reservation in the path is part of the payload, and each operation has its own keys', async () => {
  const shop = await aShop();
  const { productId } = await h.seed.listing({ stock: 9 });
  const key = randomUUID();
  const one = (await shop.reserve(auto(productId), {}, { key })).body.data;
  const other = await shop.reserved(auto(productId));
  equal((await shop.reseller.order(auto(productId), key)).status, 201);
  equal((await shop.order(one.id, { key })).status, 201);
  const mixed = await shop.order(other.id, { key });
  deepEqual([mixed.status, mixed.body.error.code], [422, 'idempotency-key-already-used']);
  const body = await h.call('POST', `/export/v1/reservations/${one.id}/order`, {
    token: shop.reseller.token,
    body: {},
    headers: { 'idempotency-key': key },
  });
  equal(body.status, 200, 'no body is the same as {}');
});

test('exactly one of several concurrent orders with different keys succeeds', async () => {
  const shop = await aShop();
  const { productId } = await h.seed.listing({ stock: 1 });
  const { id } = await shop.reserved(auto(productId));
  const answers = await Promise.all(Array.from({ length: 8 }, () => shop.order(id)));
  const statuses = answers.map(({ status }) => status).toSorted();
  deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)]);
  const orderId = answers.find(({ status }) => status === 201)?.body.data.id;
  for (const { status, body } of answers) if (status === 409) deepEqual(body.error.data, { orderId });
});

test('409: a released or expired reservation cannot be ordered, even before the worker runs, and the key stays free', async () => {
  const shop = await aShop();
  const { productId } = await h.seed.listing();
  const released = await shop.reserved(auto(productId));
  equal((await shop.release(released.id)).status, 204);
  const key = randomUUID();
  assertEnded(await shop.order(released.id, { key }), 'conflict');
  assertEnded(await shop.order(released.id, { key }), 'conflict');
  const late = await shop.reserved(auto(productId), { ttlSeconds: 60 });
  await passTime(h, late.id, 60);
  assertEnded(await shop.order(late.id), 'reservation-expired');
  equal((await shop.get(late.id)).status, 'expired');
});

test('a suspended account or a low balance causes a rejection, and the reservation stays active', async () => {
  const shop = await aShop({ balance: '9.99', account: { limits: { dailyUnitsMax: 1 } } });
  const { productId } = await h.seed.listing({ price: '10.00' });
  const { id } = await shop.reserved(auto(productId));
  await h.operate('PATCH', `/accounts/${shop.reseller.accountId}`, { status: 'suspended' });
  const suspended = await shop.order(id);
  deepEqual([suspended.status, suspended.body.error.code], [400, 'cart-validation-error']);
  await h.operate('PATCH', `/accounts/${shop.reseller.accountId}`, { status: 'active' });
  const key = randomUUID();
  const poor = await shop.order(id, { key });
  deepEqual([poor.status, poor.body.error.code], [402, 'insufficient-funds']);
  await h.seed.deposit(shop.reseller.accountId, '0.01');
  equal((await shop.order(id, { key })).headers.get('idempotent-replayed'), 'true');
  equal((await shop.get(id)).status, 'active');
  equal((await shop.order(id)).status, 201, 'a new key orders after the deposit');
  const next = await shop.reserved(auto(productId));
  equal((await shop.order(next.id)).body.error.data.reason, 'daily-units-max');
});

const GATEWAY = { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' };

test('a declined payment leaves the reservation active with its units, and a new key can order it', async () => {
  const shop = await aShop({ account: { ...GATEWAY, gatewayCustomer: 'sim_declined' } });
  const { productId, offerId } = await h.seed.listing({ stock: 2 });
  const { id } = await shop.reserved(auto(productId, { quantity: 2 }));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const key = randomUUID();
    const declined = await shop.order(id, { key });
    deepEqual([declined.status, declined.body.error.code], [402, 'payment-went-wrong']);
    equal((await shop.order(id, { key })).status, 402, 'the key replays');
    equal((await shop.get(id)).status, 'active');
  }
  const other = await aShop();
  equal((await other.reseller.order(manual(offerId))).body.error.code, 'offer-not-available');
  await h.operate('PATCH', `/accounts/${shop.reseller.accountId}`, GATEWAY);
  const paid = await shop.order(id);
  deepEqual([paid.status, paid.body.data?.status], [201, 'complete'], JSON.stringify(paid.body));
  equal((await shop.get(id)).orderId, paid.body.data.id);
});

test('the reservation stays ordered after order-not-paid, and the units of the canceled order return to stock', async () => {
  const shop = await aShop({ account: { ...GATEWAY, gatewayCustomer: 'sim_timeout' } });
  const { productId, offerId } = await h.seed.listing({ stock: 1 });
  const { id } = await shop.reserved(auto(productId));
  const open = await shop.order(id);
  deepEqual([open.status, open.body.error.code], [402, 'order-not-paid']);
  const { orderId } = open.body.error.data;
  deepEqual([(await shop.get(id)).status, (await shop.get(id)).orderId], ['ordered', orderId]);
  await h.operate('POST', `/orders/${orderId}/cancel`, { reason: 'no payment' });
  equal((await shop.get(id)).status, 'ordered');
  const other = await aShop();
  equal((await other.reseller.order(manual(offerId))).status, 201, 'the unit is on sale again');
});

test('an order of a reservation can be held by a risk rule', async () => {
  const shop = await aShop({ balance: '50.00', account: { holdOrders: true } });
  const { productId } = await h.seed.listing();
  const { id } = await shop.reserved(auto(productId));
  const held = await shop.order(id);
  deepEqual([held.status, held.body.data.status], [201, 'held']);
  const released = await h.operate('POST', `/orders/${held.body.data.id}/release`, { reason: 'checked' });
  equal(released.status, 'complete');
});
