/** A426. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'vitest';
import { PasswordQueue } from './password-queue.ts';

function closedQueue() {
  const queue = new PasswordQueue();
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run('gate', () => gate.promise);
  const run = (range: string, name = range) => queue.run(range, async () => void done.push(name));
  const open = () => {
    gate.resolve();
    return first;
  };
  return { queue, done, run, open };
}

test('ranges take turns, and a range with failures comes after those without', async () => {
  const { queue, done, run, open } = closedQueue();
  queue.recordFailure('guesser');
  const all = [run('a', 'a1'), run('a', 'a2'), run('guesser'), run('a', 'a3'), run('b'), run('c')];
  await open();
  await Promise.all(all);
  deepEqual(done, ['a1', 'b', 'c', 'a2', 'guesser', 'a3']);
});

test('a full queue rejects the newest job of the busiest range and accepts a new range', async () => {
  const { done, run, open } = closedQueue();
  const flood = Array.from({ length: 40 }, (_, index) => run('flood', String(index)));
  const settled = Promise.allSettled(flood);
  await rejects(run('flood'), { code: 'service-unavailable' });
  const person = run('person');
  await open();
  await person;
  equal(done.indexOf('person'), 1);
  const rejected = (await settled).flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  deepEqual(rejected, [39]);
});

test('a failing computation does not stop the next one', async () => {
  const { queue, done, run, open } = closedQueue();
  const broken = queue.run('a', () => Promise.reject(new Error('broken')));
  const next = run('b');
  await open();
  await rejects(broken, /broken/);
  await next;
  deepEqual(done, ['b']);
});
