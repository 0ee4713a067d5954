/** A602, A603. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { auto, manual } from '../../support/harness.ts';
import { passTime, toReservations } from '../../support/reservations.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function aShop() {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  return { reseller, ...toReservations(h, reseller) };
}

test('the list is newest first, has pages and filters by status', async () => {
  const shop = await aShop();
  const { productId } = await h.seed.listing({ stock: 25 });
  const made = [];
  for (let count = 0; count < 22; count += 1) made.unshift((await shop.reserved(auto(productId))).id);
  await shop.release(made[1]);
  await passTime(h, made[2], 900);
  const toIds = (response: { body: { data: { id: string }[] } }) => response.body.data.map(({ id }) => id);
  const first = await shop.list();
  deepEqual([toIds(first), first.body.meta.hasMore], [made.slice(0, 20), true]);
  const rest = await shop.list(`?cursor=${first.body.meta.nextCursor}`);
  deepEqual(toIds(rest), made.slice(20));
  deepEqual(rest.body.meta, { nextCursor: null, hasMore: false });
  deepEqual(toIds(await shop.list('?limit=1')), made.slice(0, 1));
  deepEqual(toIds(await shop.list('?status=released')), [made[1]]);
  deepEqual(toIds(await shop.list('?status=expired')), [made[2]]);
  equal(toIds(await shop.list('?status=active&limit=100')).length, 20);
});

test('the list filters by reference, with or without status and pages', async () => {
  const [shop, other] = [await aShop(), await aShop()];
  const { productId } = await h.seed.listing({ stock: 10 });
  const toId = async (reference?: string) => (await shop.reserved(auto(productId), { reference })).id;
  const made = [await toId('B 7/ä'), await toId('B 7'), await toId(), await toId('B 7/ä')];
  await other.reserved(auto(productId), { reference: 'B 7/ä' });
  const query = `?reference=${encodeURIComponent('B 7/ä')}`;
  const toIds = (response: { body: { data: { id: string }[] } }) => response.body.data.map(({ id }) => id);
  deepEqual(toIds(await shop.list(query)), [made[3], made[0]]);
  const first = await shop.list(`${query}&limit=1`);
  deepEqual(toIds(first), [made[3]]);
  const rest = await shop.list(`${query}&limit=1&cursor=${first.body.meta.nextCursor}`);
  deepEqual([toIds(rest), rest.body.meta.hasMore], [[made[0]], false]);
  await shop.release(made[0]);
  deepEqual(toIds(await shop.list(`${query}&status=released`)), [made[0]]);
  equal((await h.operate('GET', `/reservations${query}`)).length, 3);
});

test('a renewal counts the expiry from now, earlier or later, up to an hour after the creation', async () => {
  const shop = await aShop();
  const { productId } = await h.seed.listing();
  const { id, createdAt, expiresAt } = await shop.reserved(auto(productId));
  const sooner = await shop.renew(id, 60);
  equal(sooner.status, 200, JSON.stringify(sooner.body));
  ok(Date.parse(sooner.body.data.expiresAt) < Date.parse(expiresAt));
  const later = await shop.renew(id, 1800);
  ok(Date.parse(later.body.data.expiresAt) > Date.parse(expiresAt));
  deepEqual([later.body.data.createdAt, later.body.data.status], [createdAt, 'active']);
  await passTime(h, id, 1799);
  equal((await shop.renew(id, 1800)).status, 200);
  await passTime(h, id, 100);
  const tooLate = await shop.renew(id, 1800);
  deepEqual([tooLate.status, tooLate.body.error.code], [409, 'conflict']);
  const { latestExpiresAt } = tooLate.body.error.data;
  equal(Date.parse(latestExpiresAt), Date.parse((await shop.get(id)).createdAt) + 3_600_000);
  await passTime(h, id, 1800);
  const expired = await shop.renew(id, 60);
  deepEqual([expired.status, expired.body.error.code], [409, 'reservation-expired']);
});

test('a release returns the units immediately and responds with 204 each time', async () => {
  const shop = await aShop();
  const { productId, offerId } = await h.seed.listing({ stock: 1 });
  const { id } = await shop.reserved(auto(productId));
  for (let count = 0; count < 2; count += 1) equal((await shop.release(id)).status, 204);
  equal((await shop.get(id)).status, 'released');
  const { code, data } = (await shop.renew(id, 60)).body.error;
  deepEqual([code, data], ['conflict', { reservationStatus: 'released' }]);
  equal((await shop.reseller.order(manual(offerId))).status, 201);
});

test('the worker returns the units of expired reservations only', async () => {
  const shop = await aShop();
  const { productId, offerId } = await h.seed.listing({ stock: 4 });
  const over = await shop.reserved(auto(productId, { quantity: 2 }));
  const active = await shop.reserved(auto(productId));
  await passTime(h, over.id, 900);
  equal((await shop.release(over.id)).status, 204);
  await h.service.runOrderWorker();
  await h.seed.inStep();
  const statuses = await Promise.all([over, active].map(async ({ id }) => (await shop.get(id)).status));
  deepEqual(statuses, ['expired', 'active']);
  equal((await shop.reseller.get(`/products/${productId}`)).body.data.totalQuantity, 3);
  equal((await shop.reseller.order(manual(offerId, { quantity: 3 }))).status, 201);
});
