import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { createRandom } from './random.ts';

test('the same seed gives the same stream, and a different seed a different one', () => {
  const draw = (seed: string) => {
    const random = createRandom(seed);
    return [random.unit(), random.between(1, 1000), random.uuid(), random.code('?????-#####')];
  };
  deepEqual(draw('a'), draw('a'));
  notEqual(draw('a')[2], draw('b')[2]);
});

test('between reaches both bounds and nothing else, each about as often', () => {
  const random = createRandom('between');
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 6000; draw += 1) {
    const value = random.between(1, 6);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  deepEqual([...counts.keys()].sort(), [1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) ok(count > 850 && count < 1150, `1000 expected, got ${count}`);
});

test('weighted follows the weights and never takes a value of weight 0', () => {
  const random = createRandom('weighted');
  const draws = Array.from({ length: 4000 }, () =>
    random.weighted([
      ['never', 0],
      ['often', 3],
      ['rarely', 1],
    ]),
  );
  equal(draws.includes('never'), false);
  const rare = draws.filter((draw) => draw === 'rarely').length;
  ok(rare > 850 && rare < 1150, `1000 expected, got ${rare}`);
});

test('shuffled keeps every element and leaves the original list unchanged', () => {
  const list = Array.from({ length: 50 }, (_, index) => index);
  const shuffled = createRandom('shuffled').shuffled(list);
  notEqual(shuffled.join(), list.join());
  deepEqual(
    shuffled.sort((one, other) => one - other),
    list,
  );
});

test('uuid has the form of version 4, and code keeps all characters except placeholders', () => {
  const random = createRandom('forms');
  for (let draw = 0; draw < 500; draw += 1) {
    match(random.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    match(random.code('GC-??-##'), /^GC-[2-9A-HJ-NP-Z]{2}-[0-9]{2}$/);
  }
});
