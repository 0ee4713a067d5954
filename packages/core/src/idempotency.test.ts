import { deepEqual, equal, match, notEqual, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  decideDuplicate,
  fingerprintLine,
  type IdempotencyRecord,
  type OrderLine,
  parseFingerprint,
} from './idempotency.ts';
import { normalizeUuid } from './ids.ts';
import { formatMinor, parseMaxPrice } from './money.ts';

const OFFER_ID = '0b5f2c1e-8a3d-4f6b-9c7e-1d2a3b4c5d6e';
const AUTO: OrderLine = { kind: 'auto', productId: '10000000000017', quantity: 2, maxPriceMinor: 1000 };
const MANUAL: OrderLine = { kind: 'manual', offerId: OFFER_ID, quantity: 2, maxPriceMinor: 1000 };

test('a fingerprint has the stored form of version 1, which old records keep forever', () => {
  equal(fingerprintLine(AUTO), '1|auto|10000000000017|2|1000|EUR');
  equal(fingerprintLine(MANUAL), `1|manual|${OFFER_ID}|2|1000|EUR`);
});

test('every part of the payload is in the fingerprint', () => {
  const others: OrderLine[] = [
    AUTO,
    MANUAL,
    { ...AUTO, productId: '10000000000018' },
    { ...AUTO, quantity: 3 },
    { ...AUTO, maxPriceMinor: 1001 },
    { ...MANUAL, offerId: OFFER_ID.replace('6e', '6f') },
    // Neighboring numbers must not run into each other.
    { ...AUTO, quantity: 21, maxPriceMinor: 0 },
    { ...AUTO, quantity: 2, maxPriceMinor: 10 },
    { ...AUTO, reference: 'A|1' },
    { ...AUTO, reference: 'A' },
  ];
  equal(new Set(others.map(fingerprintLine)).size, others.length);
  for (const line of others) deepEqual(parseFingerprint(fingerprintLine(line)), line);
});

/** A request in one of its equivalent spellings: "10", "10.0", "10.00", ids in any case. */
type Spelled = {
  kind: 'auto' | 'manual';
  digit: number;
  quantity: number;
  cents: number;
  trimmed: number;
  isUpper: boolean;
};

const spelled: fc.Arbitrary<Spelled> = fc.record({
  kind: fc.constantFrom('auto', 'manual'),
  digit: fc.integer({ min: 0, max: 2 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  cents: fc.constantFrom(10, 100, 101, 1000, 1010),
  trimmed: fc.integer({ min: 0, max: 2 }),
  isUpper: fc.boolean(),
});

function normalise({ kind, digit, quantity, cents, trimmed, isUpper }: Spelled): OrderLine {
  const full = formatMinor(cents);
  const text = [full, full.replace(/0$/, ''), full.replace(/\.?0+$/, '')][trimmed];
  const maxPriceMinor = parseMaxPrice(text ?? full) ?? Number.NaN;
  const uuid = `${OFFER_ID.slice(0, -1)}${digit + 7}`;
  const offerId = normalizeUuid(isUpper ? uuid.toUpperCase() : uuid) ?? '';
  return kind === 'auto'
    ? { kind, productId: `1000000000000${digit}`, quantity, maxPriceMinor }
    : { kind, offerId, quantity, maxPriceMinor };
}

test('requests have the same fingerprint if and only if they are equivalent, regardless of spelling', () => {
  fc.assert(
    fc.property(spelled, spelled, fc.boolean(), (left, other, isRespelled) => {
      const right = isRespelled ? { ...left, trimmed: other.trimmed, isUpper: other.isUpper } : other;
      const isSame = (['kind', 'digit', 'quantity', 'cents'] as const).every(
        (key) => left[key] === right[key],
      );
      const [leftPrint, rightPrint] = [fingerprintLine(normalise(left)), fingerprintLine(normalise(right))];
      match(leftPrint, /^1\|/);
      deepEqual(parseFingerprint(leftPrint), normalise(left));
      (isSame ? equal : notEqual)(leftPrint, rightPrint);
    }),
    { numRuns: 500 },
  );
});

test('a fingerprint of a different version is rejected', () => {
  throws(() => parseFingerprint('2|auto|10000000000001|1|100|EUR'), /current version/);
});

const NOW = 1_795_255_200_000_000;
const RECORD: IdempotencyRecord = { fingerprint: 'f', status: 201, body: '{}', finishedAtMicros: NOW };

function repeatAfter(micros: number, cooldownMs = 2000, record: IdempotencyRecord = RECORD) {
  return decideDuplicate(record, { fingerprint: 'f', nowMicros: NOW + micros, cooldownMs });
}

test('a retry during the cool-down gets the wait in whole milliseconds, never zero; a later retry gets a replay', () => {
  const replay = { kind: 'replay', status: 201, body: '{}' };
  deepEqual(repeatAfter(0), { kind: 'processing', retryAfterMs: 2000 });
  deepEqual(repeatAfter(500_001), { kind: 'processing', retryAfterMs: 1500 });
  deepEqual(repeatAfter(1_999_999), { kind: 'processing', retryAfterMs: 1 });
  deepEqual(repeatAfter(2_000_000), replay);
  deepEqual(repeatAfter(365 * 86_400_000_000), replay);
  deepEqual(repeatAfter(0, 0), replay);
});

test('a clock that went backwards ends the wait and never places the order again', () => {
  for (const micros of [-1, -1_000_000, -3_600_000_000]) equal(repeatAfter(micros).kind, 'replay');
});

test('a rejection replays after the cool-down, like an order', () => {
  const rejected = { ...RECORD, status: 402, body: '{"error":{}}' };
  deepEqual(repeatAfter(0, 2000, rejected), { kind: 'processing', retryAfterMs: 2000 });
  deepEqual(repeatAfter(2_000_000, 2000, rejected), { kind: 'replay', status: 402, body: '{"error":{}}' });
});

test('a request with an unknown outcome keeps returning processing, regardless of its age', () => {
  const open = { ...RECORD, status: null, body: null, finishedAtMicros: null };
  for (const micros of [0, 86_400_000_000]) {
    deepEqual(repeatAfter(micros, 0, open), { kind: 'processing', retryAfterMs: 1000 });
  }
});

test('a record without its complete response counts as unknown: half a response is never replayed', () => {
  for (const part of ['status', 'body', 'finishedAtMicros']) {
    const partial = { ...RECORD, [part]: null };
    deepEqual(repeatAfter(86_400_000_000, 0, partial), { kind: 'processing', retryAfterMs: 1000 }, part);
  }
});

test('a different payload is always rejected: with an unknown outcome, within the cool-down and after it', () => {
  const open = { ...RECORD, status: null, body: null, finishedAtMicros: null };
  for (const record of [open, RECORD, { ...RECORD, status: 402 }]) {
    for (const micros of [0, 86_400_000_000]) {
      const request = { fingerprint: 'another', nowMicros: NOW + micros, cooldownMs: 2000 };
      deepEqual(decideDuplicate(record, request), { kind: 'key-reused' });
    }
  }
});
