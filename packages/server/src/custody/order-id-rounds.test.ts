import { equal, notEqual, ok, throws } from 'node:assert/strict';
import { buildOrderId, isOrderId, permute } from '@keyport/core/ids';
import { test } from 'vitest';
import { loadOrderIdRounds } from './order-id-rounds.ts';

const HALVES = { highSize: 2500, lowSize: 4000 };
const EPOCH_SECONDS = 1_795_000_000;

test('the rounds of a secret never change, or ids could repeat', () => {
  const round = loadOrderIdRounds(Buffer.alloc(32, 7));
  const ids = [0, 1, 2, 9_999_999].map((serial) =>
    buildOrderId({ epochSeconds: EPOCH_SECONDS, serial, round, isSandbox: false }),
  );
  equal(ids.join(' '), '2171632006442571 2171632006875601 2171632004954029 2171632003250860');
});

test('a different secret produces different ids', () => {
  const [one, other] = [1, 2].map((byte) => loadOrderIdRounds(Buffer.alloc(32, byte)));
  ok(one !== undefined && other !== undefined);
  const idOf = (round: typeof one) =>
    buildOrderId({ epochSeconds: EPOCH_SECONDS, serial: 5, round, isSandbox: false });
  notEqual(idOf(one), idOf(other));
});

test('a hundred thousand consecutive serials have different ids, and neighbors are far apart', () => {
  const round = loadOrderIdRounds(Buffer.alloc(32, 3));
  const hidden = Array.from({ length: 100_000 }, (_, serial) => permute(serial, HALVES, round));
  equal(new Set(hidden).size, hidden.length);
  const closeCount = hidden.filter(
    (value, index) => Math.abs(value - (hidden[index + 1] ?? 0)) < 1000,
  ).length;
  // Independent values would be that close about 20 times in 100,000.
  ok(closeCount < 60, `${closeCount} neighbors are close`);
  ok(isOrderId(buildOrderId({ epochSeconds: EPOCH_SECONDS, serial: 99_999, round, isSandbox: false })));
});

test('a round or half outside the permutation, and a short secret, are rejected', () => {
  const round = loadOrderIdRounds(Buffer.alloc(32, 7));
  throws(() => round(0, 4000));
  throws(() => round(1, 2500));
  throws(() => round(6, 0));
  throws(() => loadOrderIdRounds(Buffer.alloc(31)));
});
