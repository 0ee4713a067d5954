/** The token buckets, with a clock of our own. */
import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from './operation.ts';
import { createRateLimit } from './rate-limit.ts';

function client(clientId: string): Principal {
  return { role: 'operator', clientId };
}

test('without a limit nothing is counted', () => {
  equal(createRateLimit({ readsPerSecond: 0, ordersPerSecond: 0, nowMs: () => 0 }), undefined);
});

test('a budget of 0 beside one with a limit lets everything pass', () => {
  const limit = createRateLimit({ readsPerSecond: 1, ordersPerSecond: 0, nowMs: () => 0 });
  for (let count = 0; count < 100; count += 1) limit?.(client('a'), 'orders');
});

test('each client has its own bucket, refilled with time and never beyond one second', () => {
  let nowMs = 0;
  const limit = createRateLimit({ readsPerSecond: 3, ordersPerSecond: 1, nowMs: () => nowMs });
  const burst = () => {
    let passed = 0;
    try {
      for (;;) {
        limit?.(client('a'), 'reads');
        passed += 1;
      }
    } catch {
      return passed;
    }
  };
  equal(burst(), 3);
  limit?.(client('b'), 'reads');
  limit?.(client('a'), 'orders');
  nowMs += 400;
  equal(burst(), 1);
  nowMs += 3_600_000;
  equal(burst(), 3);
});

test('the wait that a refusal names is enough', () => {
  let nowMs = 0;
  const limit = createRateLimit({ readsPerSecond: 0, ordersPerSecond: 3, nowMs: () => nowMs });
  for (let count = 0; count < 3; count += 1) limit?.(client('a'), 'orders');
  throws(() => limit?.(client('a'), 'orders'), {
    code: 'too-many-requests',
    data: { limit: 3, retryAfterMs: 334 },
  });
  nowMs += 334;
  limit?.(client('a'), 'orders');
});

test('of too many clients the one unused for longest is forgotten', () => {
  const limit = createRateLimit({ readsPerSecond: 1, ordersPerSecond: 0, nowMs: () => 0, bucketsMax: 2 });
  limit?.(client('a'), 'reads');
  limit?.(client('b'), 'reads');
  throws(() => limit?.(client('a'), 'reads'));
  limit?.(client('c'), 'reads');
  throws(() => limit?.(client('a'), 'reads'));
  limit?.(client('b'), 'reads');
});
