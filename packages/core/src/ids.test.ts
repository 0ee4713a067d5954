import { deepEqual, equal, notEqual, ok, throws } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  buildOrderId,
  isOrderId,
  isProductId,
  normalizeUuid,
  parseIdempotencyKey,
  permute,
  placedAtSeconds,
  type RoundFunction,
} from './ids.ts';

const UUID = '0b5e1c9a-3f4d-4e21-9c77-5a1d2e3f4a5b';
/** 2026-11-21T09:30:00Z. */
const NOW_SECONDS = 1_795_253_400;

const round = keyedRound('test key');

function keyedRound(key: string): RoundFunction {
  return (roundIndex, half) =>
    createHmac('sha256', key).update(`${roundIndex}:${half}`).digest().readUInt32BE();
}

function orderId(serial: number, epochSeconds = NOW_SECONDS): string {
  return buildOrderId({ epochSeconds, serial, round, isSandbox: false });
}

test('a product id is 14 digits, the first not 0', () => {
  ok(isProductId('10000000000017'));
  const others = [
    '',
    '00000000000017',
    '1000000000001',
    '100000000000017',
    '1000000000001a',
    '10000000000017\n',
  ];
  deepEqual([...others, ' 10000000000017', '١0000000000017'].filter(isProductId), []);
});

test('an order id is 14 to 16 digits', () => {
  const ids = ['10000000000001', '100000000000001', '1000000000000001', '00000000000001'];
  deepEqual(ids.filter(isOrderId), ids);
  deepEqual(['', '1234567890123', '12345678901234567', '1234567890123x', UUID].filter(isOrderId), []);
});

test('a UUID is 8-4-4-4-12 digits in any case and is returned in lower case', () => {
  equal(normalizeUuid(UUID), UUID);
  equal(normalizeUuid(UUID.toUpperCase()), UUID);
  const others = [
    `{${UUID}}`,
    UUID.replaceAll('-', ''),
    `urn:uuid:${UUID}`,
    UUID.slice(1),
    `${UUID}0`,
    `${UUID}\n`,
    '',
  ];
  for (const text of [...others, UUID.replace('b', 'g'), ` ${UUID}`])
    equal(normalizeUuid(text), undefined, text);
});

test('an idempotency key is the same quoted or not, in upper or lower case', () => {
  for (const value of [UUID, UUID.toUpperCase(), `"${UUID}"`, `"${UUID.toUpperCase()}"`]) {
    equal(parseIdempotencyKey(value), UUID);
  }
});

test('an idempotency key that is not one UUID, or the nil UUID, is rejected', () => {
  const nil = '00000000-0000-0000-0000-000000000000';
  const values = [
    '',
    'abc',
    nil,
    `"${nil}"`,
    `${UUID}a`,
    `"${UUID}`,
    `${UUID}"`,
    `""${UUID}""`,
    `'${UUID}'`,
    '""',
    '"',
  ];
  for (const value of [...values, `${UUID}, ${UUID}`]) equal(parseIdempotencyKey(value), undefined, value);
});

test('an order id has 16 digits, starts with the seconds since 2020 and never with 0', () => {
  equal(orderId(1).slice(0, 9), '217416600');
  fc.assert(
    fc.property(
      fc.maxSafeNat(),
      fc.integer({ min: 1_677_836_800, max: 2_577_836_799 }),
      (serial, seconds) => {
        const id = orderId(serial, seconds);
        ok(/^[1-9][0-9]{15}$/.test(id) && isOrderId(id), id);
      },
    ),
  );
});

test('an order in a later second has a greater id, regardless of the serials', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
      ok(orderId(first, NOW_SECONDS) < orderId(second, NOW_SECONDS + 1));
    }),
  );
});

test('the orders of one second have different ids', () => {
  const serials = Array.from({ length: 4000 }, (_, index) => 9_998_000 + index);
  equal(new Set(serials.map((serial) => orderId(serial))).size, serials.length);
});

test('the ids of successive orders lie far apart and do not reveal their order', () => {
  // 4000 is the size of one half: such serials differ only in the other half.
  for (const stride of [1, 4000]) {
    const hidden = Array.from({ length: 2000 }, (_, index) => Number(orderId(index * stride).slice(9)));
    const steps = hidden.slice(1).map((value, index) => value - (hidden[index] ?? 0));
    const upward = steps.filter((step) => step > 0).length;
    ok(upward > 800 && upward < 1200, `${upward} of 1999 steps go up`);
    const near = steps.filter((step) => Math.abs(step) < 100_000).length;
    ok(near < 100, `${near} of 1999 steps are below 1 % of the range`);
  }
});

const sandboxId = (serial: number, epochSeconds = NOW_SECONDS) =>
  buildOrderId({ epochSeconds, serial, round, isSandbox: true });

test('no sandbox order id fits in a number, and each exceeds earlier ones and those of live mode', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
      const id = sandboxId(first);
      ok(/^9[0-9]{15}$/.test(id) && isOrderId(id), id);
      notEqual(String(Number(id)), id);
      ok(BigInt(id) > 2n ** 53n && id > orderId(second, NOW_SECONDS + 1000));
      ok(id < sandboxId(second, NOW_SECONDS + 1));
    }),
  );
  const serials = Array.from({ length: 4000 }, (_, index) => 498_000 + index);
  equal(new Set(serials.map((serial) => sandboxId(serial))).size, serials.length);
});

test('an order id contains the time of the order, in both modes', () => {
  fc.assert(
    fc.property(
      fc.maxSafeNat(),
      fc.integer({ min: 1_677_836_800, max: 2_474_000_000 }),
      (serial, seconds) => {
        equal(placedAtSeconds(orderId(serial, seconds)), seconds);
        equal(placedAtSeconds(sandboxId(serial, seconds)), seconds);
      },
    ),
  );
});

test('a different key gives different ids', () => {
  const other = keyedRound('another key');
  notEqual(
    orderId(1),
    buildOrderId({ epochSeconds: NOW_SECONDS, serial: 1, round: other, isSandbox: false }),
  );
});

test('hiding is a permutation for every domain and every round function, even a bad one', () => {
  const size = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(size, size, fc.func(fc.nat(2 ** 32 - 1)), (highSize, lowSize, anyRound) => {
      const domain = Array.from({ length: highSize * lowSize }, (_, value) => value);
      const images = domain.map((value) => permute(value, { highSize, lowSize }, anyRound));
      deepEqual(
        images.toSorted((a, b) => a - b),
        domain,
      );
    }),
    { numRuns: 40 },
  );
});

test('building an order id from a clock that is far off or from an invalid serial throws', () => {
  for (const seconds of [0, 1_677_836_799, 2_577_836_800, NOW_SECONDS + 0.5, Number.NaN]) {
    throws(() => orderId(1, seconds));
  }
  for (const serial of [-1, 0.5, 2 ** 53, Number.NaN]) throws(() => orderId(serial));
});
