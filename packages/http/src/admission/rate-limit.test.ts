import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'vitest';
import type { Principal } from '../server/principal.ts';
import { createRateLimit } from './rate-limit.ts';

function client(clientId: string): Principal {
  return { role: 'operator', clientId, operatorRole: 'admin' };
}

test('nothing is counted if there is no limit', () => {
  equal(createRateLimit({ perSecond: { reads: 0, orders: 0 }, nowMs: () => 0 }), undefined);
});

test('a budget of 0 beside one with a limit lets everything pass', () => {
  const limit = createRateLimit({ perSecond: { reads: 1, orders: 0 }, nowMs: () => 0 });
  for (let count = 0; count < 100; count += 1) limit?.take(client('a'), 'orders');
});

test('each client has its own bucket, refilled with time and never beyond one second', () => {
  let nowMs = 0;
  const limit = createRateLimit({ perSecond: { reads: 3, orders: 1 }, nowMs: () => nowMs });
  const burst = () => {
    let passed = 0;
    try {
      for (;;) {
        limit?.take(client('a'), 'reads');
        passed += 1;
      }
    } catch {
      return passed;
    }
  };
  equal(burst(), 3);
  limit?.take(client('b'), 'reads');
  limit?.take(client('a'), 'orders');
  nowMs += 400;
  equal(burst(), 1);
  nowMs += 3_600_000;
  equal(burst(), 3);
});

test('the wait that a rejection names is long enough', () => {
  let nowMs = 0;
  const limit = createRateLimit({ perSecond: { reads: 0, orders: 3 }, nowMs: () => nowMs });
  for (let count = 0; count < 3; count += 1) limit?.take(client('a'), 'orders');
  throws(() => limit?.take(client('a'), 'orders'), {
    code: 'too-many-requests',
    data: { limit: 3, retryAfterMs: 334 },
  });
  nowMs += 334;
  limit?.take(client('a'), 'orders');
});

test('if there are too many clients, the least recently used bucket is dropped', () => {
  const limit = createRateLimit({ perSecond: { reads: 1, orders: 0 }, nowMs: () => 0, bucketsMax: 2 });
  limit?.take(client('a'), 'reads');
  limit?.take(client('b'), 'reads');
  throws(() => limit?.take(client('a'), 'reads'));
  limit?.take(client('c'), 'reads');
  throws(() => limit?.take(client('a'), 'reads'));
  limit?.take(client('b'), 'reads');
});

test('each node lets its share of the requests pass, and at least one', () => {
  let nowMs = 0;
  let nodeCount = 1;
  const limit = createRateLimit({
    perSecond: { reads: 10, orders: 1 },
    nowMs: () => nowMs,
    nodeCount: () => nodeCount,
  });
  const countPassed = (budget: 'reads' | 'orders') => {
    for (let passed = 0; ; passed += 1)
      try {
        limit?.take(client('a'), budget);
      } catch {
        return passed;
      }
  };
  deepEqual([countPassed('reads'), countPassed('orders')], [10, 1]);
  nodeCount = 2;
  nowMs += 1000;
  deepEqual([countPassed('reads'), countPassed('orders')], [5, 1]);
  nowMs += 1000;
  deepEqual([countPassed('reads'), countPassed('orders')], [5, 0]);
  const rejected = { code: 'too-many-requests', data: { limit: 1, retryAfterMs: 1000 } };
  throws(() => limit?.take(client('a'), 'orders'), rejected);
  nowMs += 1000;
  const lines = limit?.take(client('a'), 'reads');
  deepEqual(lines, ['ratelimit-limit', '10', 'ratelimit-remaining', '4', 'ratelimit-reset', '1']);
});

test('the limits of a client replace the general ones, and a changed limit begins with a full bucket', () => {
  let nowMs = 0;
  let reads: number | null = null;
  const limit = createRateLimit({
    perSecond: { reads: 2, orders: 0 },
    nowMs: () => nowMs,
    ownLimitsOf: (clientId) => (clientId === 'own' ? { reads, orders: 1 } : undefined),
  });
  const countPassed = (clientId: string, budget: 'reads' | 'orders') => {
    for (let passed = 0; passed < 100; passed += 1)
      try {
        limit?.take(client(clientId), budget);
      } catch {
        return passed;
      }
    return 'all';
  };
  const counts = () => ['own', 'other'].map((clientId) => countPassed(clientId, 'reads'));
  deepEqual(counts(), [2, 2]);
  deepEqual([countPassed('own', 'orders'), countPassed('other', 'orders')], [1, 'all']);
  reads = 5;
  deepEqual(counts(), [5, 0]);
  nowMs += 1000;
  deepEqual(counts(), [5, 2]);
  reads = 1;
  deepEqual(counts(), [1, 0]);
  deepEqual([limit?.perSecondOf('own', 'reads'), limit?.perSecondOf('other', 'reads')], [1, 2]);
});

test('the headers contain the remaining requests and the time until all are available again', () => {
  const limit = createRateLimit({ perSecond: { reads: 4, orders: 0 }, nowMs: () => 0 });
  const toLines = (remaining: string, reset: string) => [
    ...['ratelimit-limit', '4', 'ratelimit-remaining', remaining, 'ratelimit-reset', reset],
  ];
  deepEqual(limit?.take(client('a'), 'reads'), toLines('3', '1'));
  for (const remaining of ['3', '2', '1', '0']) deepEqual(limit?.take(client('b'), 'reads')?.[3], remaining);
  equal(limit?.take(client('b'), 'orders'), undefined);
  throws(() => limit?.take(client('b'), 'reads'), {
    headers: {
      'retry-after': '1',
      'ratelimit-limit': '4',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    },
  });
});
