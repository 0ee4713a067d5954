import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'vitest';
import { assert, assertNever, must } from './assert.ts';

test('assert throws its message if and only if the condition is false', () => {
  assert(true, 'holds');
  throws(() => assert(false, 'balance is negative'), /Assertion failed: balance is negative/);
});

test('must returns falsy values and throws on undefined and null', () => {
  deepEqual([must(0, 'zero'), must('', 'empty'), must(false, 'no')], [0, '', false]);
  throws(() => must(undefined, 'offer 7'), /Missing value: offer 7/);
  throws(() => must(null, 'offer 7'), /Missing value: offer 7/);
});

test('assertNever throws when a value gets past the types', () => {
  const check = (value: 'a'): number => {
    if (value === 'a') return 1;
    return assertNever(value);
  };
  equal(check('a'), 1);
  throws(() => check(JSON.parse('"b"')), /Unreachable value: b/);
});
