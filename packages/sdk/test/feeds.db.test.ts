import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { test } from 'vitest';
import { sharedHarness } from '../../server/test/support/vitest.ts';
import type { KeyportEvent } from '../src/events.ts';
import type { ProductChange } from '../src/keyport.ts';
import { toKeyport, watchedFetch } from './support.ts';

const h = await sharedHarness();

test('changes end with the current state, and each cursor continues with exactly the changes after it', async () => {
  // The products of other tests may change during this test, for example when a discount ends.
  const own = new Set<string>();
  for (let count = 0; count < 7; count += 1) own.add((await h.seed.listing()).productId);
  const keyport = toKeyport(h, await h.seed.reseller());
  const all: (ProductChange & { cursor: string })[] = [];
  for await (const change of keyport.products.changes({ limit: 3 })) if (own.has(change.id)) all.push(change);
  deepEqual(new Set(all.map(({ id }) => id)), own);
  equal(all.length, 7);
  for (const [index, { cursor }] of all.entries()) {
    const rest: string[] = [];
    for await (const { id } of keyport.products.changes({ cursor, limit: 3 })) if (own.has(id)) rest.push(id);
    deepEqual(
      rest,
      all.slice(index + 1).map(({ id }) => id),
    );
  }
});

test('a removal is found from the cursor of any element, including the first one', async () => {
  const gone = await h.seed.listing();
  await h.seed.listing();
  const keyport = toKeyport(h, await h.seed.reseller());
  const cursors: string[] = [];
  for await (const { cursor } of keyport.products.changes()) cursors.push(cursor);
  const { productId, offerId, sellerId } = gone;
  await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '10.00', status: 'paused' });
  await h.seed.inStep();
  for (const cursor of cursors) {
    const removed: string[] = [];
    for await (const change of keyport.products.changes({ cursor })) {
      if ('removed' in change && change.id === productId) removed.push(change.id);
    }
    deepEqual(removed, [productId]);
  }
});

test('with wait, a change arrives when it happens, and leaving the loop ends the request', async () => {
  const { productId, offerId, sellerId } = await h.seed.listing();
  const { fetch, sent } = watchedFetch();
  const keyport = toKeyport(h, await h.seed.reseller(), { fetch, timeoutMs: 5000 });
  let cursor = '';
  for await (const change of keyport.products.changes()) cursor = change.cursor;
  setTimeout(() => {
    const body = { productId, sellerId, price: '4.44', status: 'active' };
    void h.operate('PUT', `/offers/${offerId}`, body);
  }, 100);
  for await (const change of keyport.products.changes({ cursor, wait: 30 })) {
    equal(change.id, productId);
    break;
  }
  ok(sent.at(-1)?.path.includes('wait=30'));
});

test('a feed that restarts marks its first element and includes everything', async () => {
  await h.seed.listing();
  const keyport = toKeyport(h, await h.seed.reseller());
  const cursors: string[] = [];
  for await (const change of keyport.products.changes()) cursors.push(change.cursor);
  await h.operate('POST', '/catalogue/restart-feeds', { reason: 'test' });
  for (const cursor of [cursors.at(0), cursors.at(-1)]) {
    const flags: (true | undefined)[] = [];
    for await (const { restarted } of keyport.products.changes({ cursor })) flags.push(restarted);
    equal(flags[0], true);
    equal(flags.indexOf(true, 1), -1);
    ok(flags.length >= cursors.length);
  }
});

test('events of an order arrive once and in order, resume after any of them, and are read one by one', async () => {
  const { offerId } = await h.seed.listing({ price: '1.00', stock: 3 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const keyport = toKeyport(h, reseller);
  const orders: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    orders.push((await keyport.orders.create({ manual: { offerId, quantity: 1, maxPrice: '1.00' } })).id);
  }
  const told: (KeyportEvent & { cursor: string })[] = [];
  for await (const event of keyport.events.list({ wait: 10, types: ['order.complete'] })) {
    told.push(event);
    if (told.length === 3) break;
  }
  deepEqual(
    told.map((event) => (event.type === 'order.complete' ? event.data.order.id : event.type)),
    orders,
  );
  for (const [index, { cursor, ...event }] of told.entries()) {
    const rest: string[] = [];
    for await (const { id } of keyport.events.list({ cursor, types: ['order.complete'] })) rest.push(id);
    deepEqual(
      rest,
      told.slice(index + 1).map(({ id }) => id),
    );
    deepEqual((await keyport.events.get(event.id)) satisfies KeyportEvent, event);
  }
  const others: string[] = [];
  for await (const { id } of keyport.events.list({ types: ['order.refunded'] })) others.push(id);
  for await (const { id } of keyport.events.list({ cursor: 'now' })) others.push(id);
  deepEqual(others, []);
});

test('a signal among the filters also ends a feed', async () => {
  const keyport = toKeyport(h, await h.seed.reseller());
  const signal = AbortSignal.timeout(100);
  const follow = async () => {
    for await (const _ of keyport.events.list({ wait: 30, signal }));
  };
  await rejects(follow(), (reason) => reason === signal.reason);
});
