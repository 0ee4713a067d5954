/** A126. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { must } from '@keyport/core/assert';
import { test } from 'vitest';
import { HeldRequests } from './held-requests.ts';

const LONG_MS = 600_000;

const enter = (held: HeldRequests, clientId = 'shop') => must(held.enter(clientId), 'there is a place');

test('places are limited for each client and for all clients together', () => {
  const held = new HeldRequests({ all: 5, perClient: 2 });
  const places = ['one', 'one', 'two', 'two'].map((clientId) => enter(held, clientId));
  equal(held.enter('one'), undefined);
  enter(held, 'three');
  equal(held.enter('four'), undefined);
  places[0]?.leave();
  places[0]?.leave();
  equal(held.count, 4);
  enter(held, 'one');
  equal(held.enter('one'), undefined);
});

test('a wait ends with news, when the client leaves, when all requests are closed, and when its time is up', async () => {
  const held = new HeldRequests();
  const woken = enter(held);
  const left = enter(held);
  const closed = enter(held);
  const waits = [woken.wait(LONG_MS), left.wait(LONG_MS)];
  held.wake();
  await Promise.all(waits);
  deepEqual([woken.isOver, left.isOver], [false, false]);
  const leaving = left.wait(LONG_MS);
  left.leave();
  await leaving;
  equal(left.isOver, true);
  await left.wait(LONG_MS);
  const closing = closed.wait(LONG_MS);
  held.close();
  await closing;
  deepEqual([closed.isOver, held.count, held.enter('shop')], [true, 0, undefined]);
  await enter(new HeldRequests()).wait(1);
});

test('news that arrives before a wait ends it immediately, and only once', async () => {
  const held = new HeldRequests();
  const place = enter(held);
  held.wake();
  await place.wait(LONG_MS);
  let isWoken = false;
  const waiting = place.wait(LONG_MS).then(() => {
    isWoken = true;
  });
  await nextTurn();
  equal(isWoken, false);
  place.leave();
  await waiting;
});

test('news wakes all waiting requests, a few in each turn of the event loop', async () => {
  const held = new HeldRequests({ all: 1000, perClient: 1000 });
  let wokenCount = 0;
  const waiting = Array.from({ length: 1000 }, async () => {
    const place = enter(held);
    await place.wait(LONG_MS);
    wokenCount += 1;
  });
  held.wake();
  let wokenBefore = 0;
  for (let turn = 0; wokenCount < 1000; turn += 1) {
    ok(turn < 1000);
    await nextTurn();
    ok(wokenCount - wokenBefore <= 100, 'only some wake in one turn');
    wokenBefore = wokenCount;
  }
  await Promise.all(waiting);
});
