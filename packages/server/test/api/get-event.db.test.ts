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
