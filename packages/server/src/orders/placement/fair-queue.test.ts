import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

type Item = { readonly name: string; readonly sinceMs: number };

function toQueue(...names: string[]): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const [sinceMs, name] of names.entries()) queue.push(name.slice(0, 1), { name, sinceMs });
  return queue;
}

const toNames = (items: readonly Item[]) => items.map(({ name }) => name).join(' ');

test('takes one item of each account in turn, and the items of an account in order of arrival', () => {
  const queue = toQueue('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2');
  equal(toNames(queue.take(5)), 'a1 b1 c1 a2 c2');
  equal(queue.length, 2);
  equal(toNames(queue.take(5)), 'a3 a4');
  deepEqual([queue.length, toNames(queue.take(1))], [0, '']);
});

test('an account that was passed over comes first the next time', () => {
  const queue = toQueue('a1', 'a2', 'b1', 'b2', 'c1');
  equal(toNames(queue.take(2)), 'a1 b1');
  equal(toNames(queue.take(2)), 'c1 a2');
  equal(toNames(queue.take(2)), 'b2');
});

test('takes all items that waited too long, from every account', () => {
  const queue = toQueue('a1', 'b1', 'a2', 'b2', 'c1');
  equal(toNames(queue.takeOlderThan(3)), 'a1 a2 b1');
  equal(queue.length, 2);
  equal(toNames(queue.take(9)), 'b2 c1');
});

test('takes the newest item of an account, and none of the other accounts', () => {
  const queue = toQueue('a1', 'b1', 'a2');
  deepEqual(
    ['a', 'a', 'a', 'z'].map((account) => queue.takeNewest(account)?.name),
    ['a2', 'a1', undefined, undefined],
  );
  deepEqual([queue.length, toNames(queue.take(9))], [1, 'b1']);
});
