/** A126. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { must } from '@keyport/core/assert';
import { test } from 'vitest';
import { LongPolls } from './long-polls.ts';

const LONG_MS = 600_000;

const enter = (polls: LongPolls, clientId = 'shop') => must(polls.enter(clientId), 'it may wait');

test('polls are limited for each client and for all clients together', () => {
  const polls = new LongPolls({ all: 5, perClient: 2 });
  const entered = ['one', 'one', 'two', 'two'].map((clientId) => enter(polls, clientId));
  equal(polls.enter('one'), undefined);
  enter(polls, 'three');
  equal(polls.enter('four'), undefined);
  entered[0]?.leave();
  entered[0]?.leave();
  equal(polls.count, 4);
  enter(polls, 'one');
  equal(polls.enter('one'), undefined);
});

test('a wait ends with news, when the client leaves, when all requests are closed, and when its time is up', async () => {
  const polls = new LongPolls();
  const woken = enter(polls);
  const left = enter(polls);
  const closed = enter(polls);
  const waits = [woken.wait(LONG_MS), left.wait(LONG_MS)];
  polls.wake();
  await Promise.all(waits);
  deepEqual([woken.isOver, left.isOver], [false, false]);
  const leaving = left.wait(LONG_MS);
  left.leave();
  await leaving;
  equal(left.isOver, true);
  await left.wait(LONG_MS);
  const closing = closed.wait(LONG_MS);
  polls.close();
  await closing;
  deepEqual([closed.isOver, polls.count, polls.enter('shop')], [true, 0, undefined]);
  await enter(new LongPolls()).wait(1);
});

test('news that arrives before a wait ends it immediately, and only once', async () => {
  const polls = new LongPolls();
  const poll = enter(polls);
  polls.wake();
  await poll.wait(LONG_MS);
  let isWoken = false;
  const waiting = poll.wait(LONG_MS).then(() => {
    isWoken = true;
  });
  await nextTurn();
  equal(isWoken, false);
  poll.leave();
  await waiting;
});

test('news wakes all waiting requests, a few in each turn of the event loop', async () => {
  const polls = new LongPolls({ all: 1000, perClient: 1000 });
  let wokenCount = 0;
  const waiting = Array.from({ length: 1000 }, async () => {
    const poll = enter(polls);
    await poll.wait(LONG_MS);
    wokenCount += 1;
  });
  polls.wake();
  let wokenBefore = 0;
  for (let turn = 0; wokenCount < 1000; turn += 1) {
    ok(turn < 1000);
    await nextTurn();
    ok(wokenCount - wokenBefore <= 100, 'only some wake in one turn');
    wokenBefore = wokenCount;
  }
  await Promise.all(waiting);
});
