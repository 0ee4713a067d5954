import { deepEqual, equal, notEqual, ok, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  drawOrderId,
  isOrderId,
  isProductId,
  normalizeUuid,
  parseIdempotencyKey,
  placedAtSeconds,
} from './ids.ts';

const UUID = '0b5e1c9a-3f4d-4e21-9c77-5a1d2e3f4a5b';
/** 2026-11-21T09:30:00Z. */
const NOW_SECONDS = 1_795_253_400;

/** A share of the range, from 0 to below 1, chooses the random digits. */
function orderId(share: number, epochSeconds = NOW_SECONDS, isSandbox = false): string {
  return drawOrderId({ epochSeconds, isSandbox, randomBelow: (end) => Math.floor(share * end) });
}

const SHARES = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

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
  equal(orderId(0), '2174166000000000');
  equal(orderId(0.99999999), '2174166009999999');
  fc.assert(
    fc.property(SHARES, fc.integer({ min: 1_677_836_800, max: 2_577_836_799 }), (share, seconds) => {
      const id = orderId(share, seconds);
      ok(/^[1-9][0-9]{15}$/.test(id) && isOrderId(id), id);
    }),
  );
});

test('an order in a later second has a greater id', () => {
  fc.assert(
    fc.property(SHARES, SHARES, (first, second) => {
      ok(orderId(first, NOW_SECONDS) < orderId(second, NOW_SECONDS + 1));
    }),
  );
});

const sandboxId = (share: number, epochSeconds = NOW_SECONDS) => orderId(share, epochSeconds, true);

test('no sandbox order id fits in a number, and each exceeds earlier ones and those of live mode', () => {
  fc.assert(
    fc.property(SHARES, SHARES, (first, second) => {
      const id = sandboxId(first);
      ok(/^9[0-9]{15}$/.test(id) && isOrderId(id), id);
      notEqual(String(Number(id)), id);
      ok(BigInt(id) > 2n ** 53n && id > orderId(second, NOW_SECONDS + 1000));
      ok(id < sandboxId(second, NOW_SECONDS + 1));
    }),
  );
});

test('an order id contains the time of the order, in both modes', () => {
  fc.assert(
    fc.property(SHARES, fc.integer({ min: 1_677_836_800, max: 2_474_000_000 }), (share, seconds) => {
      equal(placedAtSeconds(orderId(share, seconds)), seconds);
      equal(placedAtSeconds(sandboxId(share, seconds)), seconds);
    }),
  );
});

test.each([0, 1_677_836_799, 2_577_836_800, NOW_SECONDS + 0.5, Number.NaN])(
  'drawing an order id from a clock that is far off throws: %d',
  (seconds) => {
    throws(() => orderId(0, seconds));
  },
);
