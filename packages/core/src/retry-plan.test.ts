import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { RETRY_DELAYS_MS, retryDelayMs } from './retry-plan.ts';

test('there are nine retries in a little more than three days, then none', () => {
  equal(RETRY_DELAYS_MS.length, 9);
  const planned = RETRY_DELAYS_MS.map((_, index) => retryDelayMs(index + 1, 0.5));
  equal(planned.join(), RETRY_DELAYS_MS.join());
  equal(retryDelayMs(10, 0.5), undefined);
  equal(retryDelayMs(0, 0.5), undefined);
});

test('jitter keeps a delay between half and twice its length, and reaches both', () => {
  const attempt = fc.integer({ min: 1, max: RETRY_DELAYS_MS.length });
  fc.assert(
    fc.property(attempt, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (count, random) => {
      const planned = RETRY_DELAYS_MS[count - 1] ?? 0;
      const delay = retryDelayMs(count, random) ?? 0;
      ok(delay >= planned / 2 && delay <= planned * 2, `${delay}`);
    }),
  );
  equal(retryDelayMs(1, 0), 2500);
  equal(retryDelayMs(1, 1 - Number.EPSILON), 10_000);
});

test('Retry-After postpones a retry, up to the next delay of the plan', () => {
  for (const [index, plannedMs] of RETRY_DELAYS_MS.entries()) {
    const latestMs = RETRY_DELAYS_MS[index + 1] ?? plannedMs;
    const delayMs = (wantedMs: number) => retryDelayMs(index + 1, 0, wantedMs);
    equal(delayMs(-1), plannedMs / 2);
    equal(delayMs(plannedMs), plannedMs);
    equal(delayMs(latestMs + 1), latestMs);
  }
  equal(retryDelayMs(RETRY_DELAYS_MS.length + 1, 0, 1), undefined);
});
