import { equal, ok, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  formatMinor,
  formatPercent,
  MAX_PRICE_PATTERN,
  PRICE_PATTERN,
  parseMaxPrice,
  parseMinor,
  parsePercent,
  shareHalfUp,
} from './money.ts';

const safeAmount = fc.oneof(fc.maxSafeNat(), fc.nat(100_000), fc.constant(Number.MAX_SAFE_INTEGER));
const decimalCount = fc.integer({ min: 0, max: 12 });

test('an amount is printed with exactly its decimals', () => {
  const rows: [number, number, string][] = [
    [1230, 2, '12.30'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [-0, 2, '0.00'],
    [-5, 2, '-0.05'],
    [-123456, 2, '-1234.56'],
    [42, 0, '42'],
    [1, 12, '0.000000000001'],
    [Number.MAX_SAFE_INTEGER, 12, '9007.199254740991'],
  ];
  for (const [amount, decimals, text] of rows) equal(formatMinor(amount, decimals), text);
  equal(formatMinor(2n ** 53n), '90071992547409.92');
});

test('an amount that is not a safe integer is never printed', () => {
  for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    throws(() => formatMinor(amount), /safe integer/);
  for (const decimals of [-1, 13, 0.5]) {
    throws(() => formatMinor(1, decimals), /decimals are 0 to 12/);
    throws(() => parseMinor('1', decimals), /decimals are 0 to 12/);
  }
});

test('a printed amount is parsed to the same amount, for every number of decimals', () => {
  fc.assert(
    fc.property(safeAmount, decimalCount, (amount, decimals) => {
      const text = formatMinor(amount, decimals);
      ok(new RegExp(PRICE_PATTERN).test(text), text);
      equal(parseMinor(text, decimals), amount);
    }),
  );
});

test('10, 10.0 and 10.00 are the same amount', () => {
  for (const text of ['10', '10.0', '10.00']) equal(parseMinor(text), 1000);
});

test('a text that is not a PriceType with the allowed decimals is not an amount', () => {
  const texts = [
    '',
    ' 1',
    '1 ',
    '1\n',
    '1.',
    '.5',
    '01',
    '00',
    '-1',
    '+1',
    '1e3',
    '1,00',
    '1.234',
    '10.000',
    '٣',
  ];
  for (const text of [...texts, 'NaN', 'Infinity', '0x1', '1_000', '1.2.3'])
    equal(parseMinor(text), undefined, text);
});

test('an amount beyond the safe integers is rejected, and the last safe one is accepted', () => {
  equal(parseMinor('90071992547409.91'), Number.MAX_SAFE_INTEGER);
  equal(parseMinor('90071992547409.92'), undefined);
  equal(parseMinor('9007199254740993', 0), undefined);
  equal(parseMinor('9999999999999999.999999999999', 12), undefined);
});

test('a maximum price is above 0, below 100000000000 and has at most 2 decimals', () => {
  const accepted: [string, number][] = [
    ['0.01', 1],
    ['0.1', 10],
    ['1', 100],
    ['10.00', 1000],
    ['99999999999', 9_999_999_999_900],
    ['99999999999.99', 9_999_999_999_999],
  ];
  for (const [text, cents] of accepted) equal(parseMaxPrice(text), cents, text);
  const refused = [
    '0',
    '0.0',
    '0.00',
    '100000000000',
    '100000000000.00',
    '1.234',
    '0.001',
    '-1',
    '+1',
    '1.',
    '.5',
  ];
  for (const text of [...refused, '01', '1e3', 'NaN', '1,00', ' 1', '', '1\n'])
    equal(parseMaxPrice(text), undefined, text);
});

test('the pattern of a maximum price agrees with R1: in range, with at most 2 decimals', () => {
  const pattern = new RegExp(MAX_PRICE_PATTERN);
  const nearPrice = fc.stringMatching(/^[0-9]{1,13}(\.[0-9]{0,3})?$/);
  fc.assert(
    fc.property(nearPrice, (text) => {
      const cents = parseMinor(text);
      equal(pattern.test(text), cents !== undefined && cents > 0 && cents < 10_000_000_000_000);
    }),
  );
});

test('a price of a million digits is rejected', () => {
  const texts = ['9'.repeat(1_000_000), `1.${'0'.repeat(1_000_000)}`, '0'.repeat(1_000_000)];
  for (const text of texts) {
    equal(parseMaxPrice(text), undefined);
    equal(parseMinor(text), undefined);
  }
});

test('the patterns of prices repeat no group and bound every repetition, so a long text is not read to its end', () => {
  for (const pattern of [PRICE_PATTERN, MAX_PRICE_PATTERN])
    equal(/[*+]|\{\d+,\}|\)\{/.test(pattern), false, pattern);
});

test('a share is rounded half-up to the minor unit', () => {
  const rows: [number, number, number, number][] = [
    [1, 1, 2, 1],
    [3, 1, 2, 2],
    [1, 49, 100, 0],
    [1, 1, 3, 0],
    [2, 1, 3, 1],
    [1999, 250, 10_000, 50],
    [0, 5, 7, 0],
    [1000, 0, 7, 0],
    [Number.MAX_SAFE_INTEGER, 10_000, 10_000, Number.MAX_SAFE_INTEGER],
  ];
  for (const [amount, numerator, denominator, share] of rows)
    equal(shareHalfUp(amount, numerator, denominator), share);
});

test('a share is never further than half a unit from the exact one, and a tie is rounded up', () => {
  fc.assert(
    fc.property(safeAmount, fc.nat(10_000), fc.integer({ min: 1, max: 10_000 }), (amount, a, b) => {
      const numerator = Math.min(a, b);
      const share = BigInt(shareHalfUp(amount, numerator, b));
      const remainderDoubled = 2n * (BigInt(amount) * BigInt(numerator) - share * BigInt(b));
      ok(-BigInt(b) <= remainderDoubled && remainderDoubled < BigInt(b));
    }),
  );
});

test('sharing invalid amounts throws', () => {
  for (const amount of [-1, 0.5]) throws(() => shareHalfUp(amount, 1, 2), /amount to share is not negative/);
  for (const numerator of [-1, 0.5]) throws(() => shareHalfUp(1, numerator, 2), /numerator is not negative/);
  for (const denominator of [0, -1, 0.5, Number.POSITIVE_INFINITY])
    throws(() => shareHalfUp(1, 1, denominator), /denominator is positive/);
  throws(() => shareHalfUp(Number.MAX_SAFE_INTEGER, 2, 1), /share is a safe integer/);
});

test('a percentage is 0 to 100 with at most 2 decimals', () => {
  const accepted: [string, number][] = [
    ['0', 0],
    ['5', 500],
    ['2.5', 250],
    ['2.50', 250],
    ['100', 10_000],
    ['100.00', 10_000],
  ];
  for (const [text, basisPoints] of accepted) equal(parsePercent(text), basisPoints, text);
  for (const text of ['100.01', '101', '-1', '2.505', '5%', '', '1e1'])
    equal(parsePercent(text), undefined, text);
});

test('a percentage is printed without decimals if it is whole, otherwise with two, and can be read back', () => {
  equal(formatPercent(500), '5');
  equal(formatPercent(250), '2.50');
  equal(formatPercent(0), '0');
  fc.assert(fc.property(fc.nat(10_000), (points) => equal(parsePercent(formatPercent(points)), points)));
  equal(formatPercent(10_000), '100');
  for (const points of [-1, 10_001]) throws(() => formatPercent(points), /between 0 and 100/);
});
