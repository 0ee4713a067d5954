/** A300, A45. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { allEvents } from '../support/events.ts';
import { auto } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();

test('each listed event can be read by its id, and later changes do not affect it', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { balanceLowThreshold: '95.00' } });
  const { productId } = await h.seed.listing();
  const { id } = (await reseller.order(auto(productId))).body.data;
  const before = await allEvents(h, reseller);
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'test' });
  await h.service.eventsWritten();
  deepEqual(
    before.map(({ type }) => type),
    ['order.complete', 'account.balance_low'],
  );
  for (const event of before) {
    const { status, body } = await reseller.get(`/events/${event.id}`);
    deepEqual([status, body.data], [200, event]);
  }
});

test('an event of another account gets the response of an unknown event', async () => {
  const [owner, other] = [await h.seed.reseller({ balance: '100.00' }), await h.seed.reseller()];
  const { productId } = await h.seed.listing();
  await owner.order(auto(productId));
  const [event] = await allEvents(h, owner);
  const read = async (id: string) => {
    const { status, body } = await other.get(`/events/${id}`);
    return { status, error: body.error };
  };
  const absent = await read('evt_0000000000000');
  deepEqual([absent.status, absent.error.code], [404, 'not-found']);
  for (const id of [event?.id ?? '', 'evt_zzzzzzzzzzzzz', 'evt_1y2p0ij32e8e7', 'evt_x', 'x'])
    deepEqual(await read(id), absent, id);
});

test('an impossible id is a validation-error', async () => {
  const reseller = await h.seed.reseller();
  const { status, body } = await reseller.get(`/events/${'x'.repeat(65)}`);
  deepEqual([status, body.error.errors[0].field], [400, 'path.eventId']);
});
