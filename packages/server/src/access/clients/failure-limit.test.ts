import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { createFailureLimit, type FailureLimit } from './failure-limit.ts';

const MINUTE_MS = 60_000;
const oneNode = () => 1;

test('an address may fail a hundred times a minute, and then waits for the rest of that minute', async () => {
  let nowMs = 0;
  const limit = createFailureLimit(() => nowMs, oneNode);
  for (let count = 0; count < 100; count += 1) await fail(limit, '192.0.2.1');
  nowMs = 20_000;
  equal(limit.waitMs('192.0.2.1'), 40_000);
  nowMs = MINUTE_MS;
  equal(limit.waitMs('192.0.2.1'), 0);
  await fail(limit, '192.0.2.1');
  equal(limit.waitMs('192.0.2.1'), 0);
});

test('100 of 300 concurrent wrong attempts are admitted, and correct attempts do not count', async () => {
  const limit = createFailureLimit(() => 0, oneNode);
  const begun = { wrong: 0, right: 0, refused: 0 };
  const tryAtOnce = async (isFailure: boolean) => {
    const attempt = await limit.begin('192.0.2.1');
    if (attempt === undefined || attempt.waitMs > 0) begun.refused += 1;
    else {
      begun[isFailure ? 'wrong' : 'right'] += 1;
      await new Promise((resolve) => setImmediate(resolve));
      attempt.end(isFailure);
    }
  };
  await Promise.all(Array.from({ length: 300 }, () => tryAtOnce(false)));
  deepEqual(begun, { wrong: 0, right: 300, refused: 0 });
  await Promise.all(Array.from({ length: 300 }, () => tryAtOnce(true)));
  deepEqual(begun, { wrong: 100, right: 300, refused: 200 });
  await tryAtOnce(false);
  equal(begun.refused, 201);
});

test('attempts that wait in an expired or evicted window continue, and the next window limits them', async () => {
  for (const isOver of [true, false]) {
    let nowMs = 0;
    const limit = createFailureLimit(() => nowMs, oneNode);
    const open = await Promise.all(Array.from({ length: 100 }, () => limit.begin('192.0.2.1')));
    const waiting = Array.from({ length: 150 }, () => limit.begin('192.0.2.1'));
    if (isOver) nowMs = MINUTE_MS;
    else for (let source = 0; source < 10_000; source += 1) await fail(limit, String(source));
    for (const attempt of open) attempt?.end(false);
    const begun = await Promise.all(waiting.slice(0, 100));
    for (const attempt of begun) attempt?.end(true);
    const decided = await Promise.all(waiting);
    const count = (isRefused: boolean) =>
      decided.filter((attempt) => attempt !== undefined && attempt.waitMs > 0 === isRefused).length;
    deepEqual([count(false), count(true)], [100, 50]);
  }
});

test('at most 200 attempts of a source wait, and other sources are not affected', async () => {
  const limit = createFailureLimit(() => 0, oneNode);
  const open = await Promise.all(Array.from({ length: 100 }, () => limit.begin('192.0.2.1')));
  const waiting = Array.from({ length: 200 }, () => limit.begin('192.0.2.1'));
  equal(await limit.begin('192.0.2.1'), undefined);
  equal((await limit.begin('192.0.2.2'))?.waitMs, 0);
  for (const attempt of open) attempt?.end(false);
  for (const each of waiting) {
    const attempt = await each;
    equal(attempt?.waitMs, 0);
    attempt.end(false);
  }
});

test('IPv6 addresses of one /64 network count as one, in any notation', async () => {
  const limit = createFailureLimit(() => 0, oneNode);
  const sameNetwork = ['2001:db8:0:1::', '2001:0DB8:0000:0001:ffff::2', '2001:db8::1:0:0:192.0.2.1'];
  for (let count = 0; count < 99; count += 1) await fail(limit, sameNetwork[count % 3] ?? '');
  equal(limit.waitMs('2001:db8:0:1::5'), 0);
  await fail(limit, '2001:db8:0:1:abcd::1');
  for (const address of [...sameNetwork, '2001:db8:0:1::5']) ok(limit.waitMs(address) > 0, address);
  for (const address of ['2001:db8:0:2::', '2001:db8::1', '::', '192.0.2.1']) equal(limit.waitMs(address), 0);
});

test('failures of one address do not affect another', async () => {
  const limit = createFailureLimit(() => 0, oneNode);
  for (let count = 0; count < 100; count += 1) await fail(limit, '192.0.2.1');
  ok(limit.waitMs('192.0.2.1') > 0);
  equal(limit.waitMs('192.0.2.2'), 0);
});

test('forgetting the oldest of many addresses does not free the newest', async () => {
  const limit = createFailureLimit(() => 0, oneNode);
  for (const address of ['first', 'second'])
    for (let count = 0; count < 100; count += 1) await fail(limit, address);
  for (let address = 0; address < 9_999; address += 1) await fail(limit, String(address));
  equal(limit.waitMs('first'), 0);
  ok(limit.waitMs('second') > 0);
});

test.for([
  [2, 50],
  [50, 5],
] as const)('with %i nodes, each lets %i failures of an address pass', async ([nodeCount, failures]) => {
  const limit = createFailureLimit(
    () => 0,
    () => nodeCount,
  );
  for (let count = 0; count < failures; count += 1) await fail(limit, '192.0.2.1');
  ok(limit.waitMs('192.0.2.1') > 0);
});

async function fail(limit: FailureLimit, address: string): Promise<void> {
  const attempt = await limit.begin(address);
  equal(attempt?.waitMs, 0);
  attempt.end(true);
}
