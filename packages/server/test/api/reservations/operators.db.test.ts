import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { auto, manual } from '../../support/harness.ts';
import { toReservations } from '../../support/reservations.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function aShop(name: string) {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { name } });
  return { reseller, ...toReservations(h, reseller) };
}

const expiredEvents = async ({ reseller }: Awaited<ReturnType<typeof aShop>>) => {
  await h.service.eventsWritten();
  return (await reseller.get('/events?types[]=reservation.expired')).body.data;
};

test('operators list reservations of one account or all, and release them with a reason in the audit log', async () => {
  const [shop, other] = [await aShop('Shop'), await aShop('Other')];
  const { productId, offerId } = await h.seed.listing({ stock: 2 });
  const made = await shop.reserved(auto(productId));
  const ordered = await other.reserved(auto(productId));
  equal((await other.order(ordered.id)).status, 201);
  const all = await h.admin('GET', '/reservations?limit=2');
  deepEqual(
    all.body.data.map(({ id, accountName }: Record<string, string>) => [id, accountName]),
    [
      [ordered.id, 'Other'],
      [made.id, 'Shop'],
    ],
  );
  const { accountId } = shop.reseller;
  const own = await h.operate('GET', `/reservations?accountId=${accountId}&status=active`);
  deepEqual(own, [{ ...made, accountId, accountName: 'Shop' }]);
  const released = await h.operate('POST', `/reservations/${made.id}/release`, { reason: 'asked by phone' });
  deepEqual(released, { ...own[0], status: 'released' });
  equal((await shop.get(made.id)).status, 'released');
  equal((await shop.reseller.order(manual(offerId))).status, 201, 'the unit is on sale');
  const again = await h.operate('POST', `/reservations/${made.id}/release`, { reason: 'asked by phone' });
  equal(again.status, 'released');
  const used = await h.admin('POST', `/reservations/${ordered.id}/release`, { reason: 'test' });
  deepEqual([used.status, used.body.error.code], [409, 'reservation-used']);
  const audit = await h.operate('GET', `/audit?accountId=${accountId}&action=reservation.release`);
  deepEqual(audit[0].data, { reservationId: made.id, quantity: 1, reason: 'asked by phone' });
});

test('advance makes a reservation expire, returns its units and creates one event', async () => {
  const shop = await aShop('Shop');
  const { productId } = await h.seed.listing({ stock: 1 });
  const { id } = await shop.reserved(auto(productId), { ttlSeconds: 60, reference: 'A-1' });
  const advance = (seconds: number) =>
    h.call('POST', `/sandbox/v1/reservations/${id}/advance`, {
      token: shop.reseller.token,
      body: { seconds },
    });
  const before = await advance(30);
  deepEqual([before.status, before.body.data.status], [200, 'active']);
  deepEqual(await expiredEvents(shop), []);
  const after = await advance(30);
  deepEqual([after.status, after.body.data.status], [200, 'expired']);
  await h.seed.inStep();
  equal((await shop.reseller.get(`/products/${productId}`)).body.data.totalQuantity, 1);
  const events = await expiredEvents(shop);
  deepEqual(
    events.map(({ data }: { data: unknown }) => data),
    [{ reservation: after.body.data }],
  );
  equal((await shop.order(id)).body.error.code, 'reservation-expired');
});

test('a released or ordered reservation creates no event', async () => {
  const shop = await aShop('Shop');
  const { productId } = await h.seed.listing();
  const [released, ordered] = [await shop.reserved(auto(productId)), await shop.reserved(auto(productId))];
  await shop.release(released.id);
  await shop.order(ordered.id);
  for (const { id } of [released, ordered])
    await h.call('POST', `/sandbox/v1/reservations/${id}/advance`, {
      token: shop.reseller.token,
      body: { seconds: 3600 },
    });
  deepEqual(await expiredEvents(shop), []);
});

test('the order of a reservation has the reference of the reservation, and is found by it', async () => {
  const shop = await aShop('Shop');
  const { productId } = await h.seed.listing();
  const reservation = await shop.reserved(auto(productId), { reference: 'A|17' });
  equal(reservation.reference, 'A|17');
  const { body } = await shop.order(reservation.id);
  equal(body.data.reference, 'A|17');
  const found = await shop.reseller.get(`/orders?reference=${encodeURIComponent('A|17')}`);
  deepEqual(found.body.data, [body.data]);
});
