import { equal, ok, throws } from 'node:assert/strict';
import { test } from 'vitest';
import { judge, type Point } from './verdict.ts';

const ALLOWANCE = { share: 0.1, atLeast: 5 };

function anHour(valueAt: (seconds: number) => number): Point[] {
  return Array.from({ length: 360 }, (_, index) => ({ seconds: index * 10, value: valueAt(index * 10) }));
}

test('memory that rises and falls between collections is flat', () => {
  const trend = judge(
    anHour((seconds) => 100 + (seconds % 300) / 10),
    ALLOWANCE,
  );
  ok(trend.isFlat);
  ok(Math.abs(trend.perHour) < 5);
});

test('a leak that is smaller than the noise is still not flat', () => {
  const trend = judge(
    anHour((seconds) => 100 + (seconds % 300) / 10 + seconds / 100),
    ALLOWANCE,
  );
  equal(trend.isFlat, false);
  ok(Math.abs(trend.perHour - 36) < 5);
});

test('a small count may grow by a few, not by many', () => {
  ok(
    judge(
      anHour((seconds) => (seconds < 1800 ? 20 : 25)),
      ALLOWANCE,
    ).isFlat,
  );
  equal(
    judge(
      anHour((seconds) => (seconds < 1800 ? 20 : 26)),
      ALLOWANCE,
    ).isFlat,
    false,
  );
});

test('a handful of samples proves nothing', () => {
  throws(() => judge(anHour(() => 1).slice(0, 7), ALLOWANCE), /too few/);
});
