import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createFailureLimit } from './failure-limit.ts';

const MINUTE_MS = 60_000;

test('an address may fail a hundred times a minute, then waits for the rest of that minute', () => {
  let nowMs = 0;
  const limit = createFailureLimit(() => nowMs);
  for (let count = 0; count < 100; count += 1) {
    equal(limit.waitMs('192.0.2.1'), 0);
    limit.recordFailure('192.0.2.1');
  }
  nowMs = 20_000;
  equal(limit.waitMs('192.0.2.1'), 40_000);
  nowMs = MINUTE_MS;
  equal(limit.waitMs('192.0.2.1'), 0);
  limit.recordFailure('192.0.2.1');
  equal(limit.waitMs('192.0.2.1'), 0);
});

test('failures of one address do not touch another', () => {
  const limit = createFailureLimit(() => 0);
  for (let count = 0; count < 200; count += 1) limit.recordFailure('192.0.2.1');
  ok(limit.waitMs('192.0.2.1') > 0);
  equal(limit.waitMs('192.0.2.2'), 0);
});

test('so many addresses that the oldest are forgotten do not free the newest', () => {
  const limit = createFailureLimit(() => 0);
  const block = (address: string) => {
    for (let count = 0; count < 100; count += 1) limit.recordFailure(address);
  };
  block('first');
  block('second');
  for (let address = 0; address < 9_999; address += 1) limit.recordFailure(String(address));
  equal(limit.waitMs('first'), 0);
  ok(limit.waitMs('second') > 0);
});
