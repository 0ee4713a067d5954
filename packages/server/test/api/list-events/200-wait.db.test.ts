/** A301. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { LONG_POLL_LIMITS } from '@keyport/http/admission/long-polls';
import { test } from 'vitest';
import { cursorOfNow, type EventQuery, readEvents } from '../../support/events.ts';
import { auto, type Reseller } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function startShop() {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId } = await h.seed.listing({ stock: 20 });
  await reseller.order(auto(productId));
  return {
    reseller,
    cursor: await cursorOfNow(h, reseller),
    order: () => reseller.order(auto(productId)),
  };
}

async function isHeld(reseller: Reseller, query: EventQuery): Promise<boolean> {
  const startMs = performance.now();
  const { data } = await readEvents(reseller, { ...query, wait: 1 });
  deepEqual(data, []);
  return performance.now() - startMs > 900;
}

test('a waiting request gets the next event of its account and its types', async () => {
  const { reseller, cursor, order } = await startShop();
  const other = await h.seed.reseller();
  const waiting = readEvents(reseller, { cursor, wait: 30 });
  const closing = readEvents(reseller, { cursor, wait: 30, types: ['order.closed'] });
  ok(await isHeld(other, {}), 'nothing happened to the other account');
  const { id } = (await order()).body.data;
  const { data, meta } = await waiting;
  deepEqual(
    data.map(({ type }) => type),
    ['order.complete'],
  );
  ok(await isHeld(reseller, { cursor: meta.nextCursor }));
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'test' });
  deepEqual(
    (await closing).data.map(({ type }) => type),
    ['order.closed'],
  );
  equal(
    (await readEvents(reseller, { cursor, wait: 30 })).data.length,
    3,
    'existing events come immediately',
  );
});

test('a request without a free place gets an immediate response, and an event wakes the waiting ones', async () => {
  const { reseller, cursor, order } = await startShop();
  const asked = Array.from({ length: LONG_POLL_LIMITS.perClient + 1 }, () =>
    readEvents(reseller, { cursor, wait: 30 }),
  );
  const first = await Promise.race(asked.map(async (response, index) => ({ ...(await response), index })));
  deepEqual(first.data, []);
  await order();
  const waiting = await Promise.all(asked.filter((_, index) => index !== first.index));
  for (const { data } of waiting) equal(data.length, 1);
});
