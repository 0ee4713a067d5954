/** A305. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { allEvents } from '../../support/events.ts';
import { auto, manual, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

/** The event is due a second or two after the order. */
const WINDOW_HOURS = 6.0005;

const h = await startHarness(wholeFile, { KEYPORT_KEYS_WINDOW_HOURS: String(WINDOW_HOURS) });
const types = ['order.keys_expiring'];

test('an order with unread keys causes one event, with the time at which they expire', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId, offerId } = await h.seed.listing({ stock: 10 });
  const unread = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
  const read = (await reseller.order(auto(productId))).body.data;
  equal((await reseller.get(`/orders/${read.id}/keys`)).status, 200);
  const refunded = (await reseller.order(manual(offerId))).body.data;
  await h.operate('POST', `/orders/${refunded.id}/refund`, { reason: 'test' });
  await h.service.eventsWritten();
  let events = await allEvents(h, reseller, { types });
  while (events.length === 0) {
    await sleep(200);
    events = await allEvents(h, reseller, { types });
  }
  const [event] = events;
  ok(event !== undefined && 'expiresAt' in event.data);
  deepEqual(event.data.order, unread);
  const expiresAt = Date.parse(event.data.expiresAt);
  equal(expiresAt, Date.parse(unread.createdAt) + Math.round(WINDOW_HOURS * 3_600_000));
  equal((await reseller.get(`/orders/${unread.id}/keys`)).status, 200, 'the keys have not expired');
  await sql`UPDATE stream_position SET position = 0 WHERE stream = 'keys-expiring'`.execute(h.database.db);
  await h.service.tellExpiringKeys();
  deepEqual(await allEvents(h, reseller, { types }), events, 'the second look adds no event');
});

for (const { windowHours, steps } of [
  {
    windowHours: 48,
    steps: [
      [41, 0],
      [2, 1],
      [7, 1],
    ],
  },
  // The event of a short window is due when half of the window remains.
  {
    windowHours: 4,
    steps: [
      [1, 0],
      [1, 1],
      [3, 1],
    ],
  },
] as const) {
  test(`advancing a sandbox order causes the event when it is due, not before: ${windowHours} hours`, async (t) => {
    const sandbox = await startHarness(t, { KEYPORT_KEYS_WINDOW_HOURS: String(windowHours) });
    const reseller = await sandbox.seed.reseller({ balance: '1000.00' });
    const { productId } = await sandbox.seed.listing();
    const { id } = (await reseller.order(auto(productId))).body.data;
    for (const [hours, count] of steps) {
      const advanced = await sandbox.call('POST', `/sandbox/v1/orders/${id}/advance`, {
        token: reseller.token,
        body: { hours },
      });
      equal(advanced.status, 200, JSON.stringify(advanced.body));
      equal((await allEvents(sandbox, reseller, { types })).length, count, `${hours} hours later`);
    }
  });
}
