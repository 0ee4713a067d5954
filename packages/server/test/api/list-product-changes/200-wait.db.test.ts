/** A126. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { LONG_POLL_LIMITS } from '@keyport/http/admission/long-polls';
import { type TestContext, test } from 'vitest';
import { type ChangesBody, readChanges } from '../../support/feed-reader.ts';
import { type Reseller, startHarness } from '../../support/harness.ts';

const PATIENCE_MS = 120_000;

async function startShop(t: TestContext) {
  const h = await startHarness(t);
  const reseller = await h.seed.reseller();
  const listing = await h.seed.listing();
  const { meta } = await readChanges(reseller);
  const setPrice = (price: string) => {
    const { productId, offerId, sellerId } = listing;
    return h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status: 'active' });
  };
  return { h, reseller, cursor: meta.nextCursor, setPrice };
}

/** Sends one request more than a client may have, which gets an empty response immediately. */
async function fillPlaces(reseller: Reseller, cursor: string): Promise<Promise<ChangesBody>[]> {
  const asked = Array.from({ length: LONG_POLL_LIMITS.perClient + 1 }, () =>
    readChanges(reseller, { cursor, wait: 30 }),
  );
  const { first, index } = await Promise.race(
    asked.map(async (response, index) => ({ first: await response, index })),
  );
  deepEqual(first.data, []);
  return asked.filter((_, each) => each !== index);
}

async function isHeld(reseller: Reseller, cursor: string): Promise<boolean> {
  const startMs = performance.now();
  const { data } = await readChanges(reseller, { cursor, wait: 1 });
  deepEqual(data, []);
  return performance.now() - startMs > 900;
}

test('a waiting request gets the next change, or an empty list if none comes', async (t) => {
  const { reseller, cursor, setPrice } = await startShop(t);
  const waiting = readChanges(reseller, { cursor, wait: 30 });
  await setPrice('12.34');
  const { data, meta } = await waiting;
  deepEqual(
    data.map((change) => change.removed === undefined && change.minPrice),
    ['12.34'],
  );
  ok(await isHeld(reseller, meta.nextCursor));
  equal(
    (await readChanges(reseller, { cursor, wait: 30 })).data.length,
    1,
    'existing changes come immediately',
  );
});

test('a request without a free place gets an immediate response, and a change wakes the waiting ones', async (t) => {
  const { h, reseller, cursor, setPrice } = await startShop(t);
  const waiting = await fillPlaces(reseller, cursor);
  ok(await isHeld(await h.seed.reseller(), cursor), 'another client has its own places');
  await setPrice('12.34');
  for (const { data } of await Promise.all(waiting)) equal(data.length, 1);
  ok(await isHeld(reseller, (await readChanges(reseller, { cursor })).meta.nextCursor));
});

test('a place is free again after its caller hung up', async (t) => {
  const { h, reseller, cursor } = await startShop(t);
  const hangUp = new AbortController();
  const ask = () =>
    fetch(`${h.url}/export/v1/product-offers/changes?wait=30&cursor=${cursor}`, {
      headers: { authorization: `Bearer ${reseller.token}` },
      signal: hangUp.signal,
    });
  const asked = Array.from({ length: LONG_POLL_LIMITS.perClient + 1 }, ask);
  const waiting = Promise.allSettled(asked);
  await Promise.race(asked);
  hangUp.abort();
  await waiting;
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isHeld(reseller, cursor))) ok(performance.now() < giveUpAt);
});

test('a new epoch reaches waiting requests', async (t) => {
  const { h, reseller, cursor } = await startShop(t);
  const waiting = await fillPlaces(reseller, cursor);
  await h.operate('POST', '/catalogue/restart-feeds', { reason: 'test' });
  for (const { data, meta } of await Promise.all(waiting)) {
    deepEqual([data.length, meta.restarted], [1, true]);
  }
});
