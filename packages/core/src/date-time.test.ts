import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { EPOCH_MICROS_MAX, EPOCH_MICROS_MIN, formatDateTime, isDate, parseDateTime } from './date-time.ts';

const anyMicros = fc.integer({ min: EPOCH_MICROS_MIN, max: EPOCH_MICROS_MAX });
const anyMillis = fc.integer({ min: -8_999_999_999_999, max: 8_999_999_999_999 });

function micros(text: string): number {
  const parsed = parseDateTime(text);
  return parsed.ok ? parsed.epochMicros : Number.NaN;
}

function reason(text: string): string {
  const parsed = parseDateTime(text);
  return parsed.ok ? `accepted as ${parsed.epochMicros}` : parsed.reason;
}

test('a time is printed as Date prints it, with six fraction digits', () => {
  fc.assert(
    fc.property(anyMillis, fc.nat(999), (millis, extraMicros) => {
      const iso = new Date(millis).toISOString().replace('Z', `${String(extraMicros).padStart(3, '0')}Z`);
      equal(formatDateTime(millis * 1000 + extraMicros), iso);
    }),
  );
});

test('a printed time is parsed to the same microsecond, even at both ends of the range', () => {
  fc.assert(fc.property(anyMicros, (epochMicros) => equal(micros(formatDateTime(epochMicros)), epochMicros)));
  equal(formatDateTime(EPOCH_MICROS_MAX), '2199-12-31T23:59:59.999999Z');
  equal(formatDateTime(EPOCH_MICROS_MIN), '1970-01-01T00:00:00.000000Z');
});

test('every day of four centuries is parsed and printed as Date does it', () => {
  for (let day = Date.UTC(1700, 0, 1) / 86_400_000; day <= Date.UTC(2100, 11, 31) / 86_400_000; day += 1) {
    const iso = new Date(day * 86_400_000).toISOString();
    const epochMicros = day * 86_400_000_000;
    const clamped = Math.max(epochMicros, EPOCH_MICROS_MIN);
    if (micros(iso) !== clamped || formatDateTime(epochMicros) !== iso.replace('Z', '000Z')) {
      equal(micros(iso), clamped);
      equal(formatDateTime(epochMicros), iso.replace('Z', '000Z'));
    }
  }
});

test('an offset is subtracted from the local time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 86_400_000, max: Date.UTC(2199, 11, 30) }),
      fc.constantFrom('+', '-'),
      fc.nat(23),
      fc.nat(59),
      (millis, sign, hours, minutes) => {
        const offset = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
        const text = new Date(millis).toISOString().replace('Z', offset);
        equal(micros(text), new Date(text).getTime() * 1000);
      },
    ),
  );
  equal(micros('2026-11-21T09:30:00-00:00'), micros('2026-11-21T09:30:00Z'));
});

test('T and Z may be lower case, as RFC 3339 allows', () => {
  fc.assert(
    fc.property(anyMicros, (epochMicros) =>
      equal(micros(formatDateTime(epochMicros).toLowerCase()), epochMicros),
    ),
  );
  equal(micros('2026-11-21t11:30:00+02:00'), micros('2026-11-21T09:30:00Z'));
});

test('digits beyond the microsecond are cut off, and missing ones are zeros', () => {
  const whole = micros('2026-11-21T09:30:00Z');
  equal(micros('2026-11-21T09:30:00.1Z') - whole, 100_000);
  equal(micros('2026-11-21T09:30:00.123456Z') - whole, 123_456);
  equal(micros('2026-11-21T09:30:00.123456999Z') - whole, 123_456);
  equal(micros(`2026-11-21T09:30:00.${'9'.repeat(5000)}Z`) - whole, 999_999);
  equal(micros('1970-01-01T00:00:00.0000019Z'), 1);
});

test('times outside the years 1970 to 2199 are clamped instead of rejected', () => {
  equal(micros('9999-12-31T23:59:59.999999Z'), EPOCH_MICROS_MAX);
  equal(micros('2200-01-01T00:00:00Z'), EPOCH_MICROS_MAX);
  equal(micros('2199-12-31T23:59:59.999999-14:00'), EPOCH_MICROS_MAX);
  equal(micros('1970-01-01T00:00:00+14:00'), EPOCH_MICROS_MIN);
  equal(micros('0001-01-01T00:00:00Z'), EPOCH_MICROS_MIN);
  equal(micros('0001-01-01T00:00:00+23:59'), EPOCH_MICROS_MIN);
});

test('the message about a rejected date-time explains what to change', () => {
  const rows: [string, RegExp][] = [
    ['', /must be an RFC 3339 date-time such as 2026-11-21T09:30:00Z/],
    ['yesterday', /must be an RFC 3339/],
    ['2026-11-21', /must have a time and a zone/],
    ['2026-11-21T09:30Z', /must be an RFC 3339/],
    ['2026-11-21T09:30:00', /has no time zone; add Z or an offset such as \+02:00/],
    ['2026-11-21T09:30:00.5', /has no time zone/],
    ['2026-11-21T09:30:00 02:00', /a \+ in a query string must be written as %2B/],
    ['2026-11-21 09:30:00Z', /T must separate/],
    ['2026-11-21T09:30:00+0200', /must be an RFC 3339/],
    ['2026-11-21T09:30:00+02', /must be an RFC 3339/],
    ['2026-11-21T09:30:00+24:00', /the offset \+24:00 does not exist/],
    ['2026-11-21T09:30:00+02:60', /the offset \+02:60 does not exist/],
    ['2026-11-21T09:30:00.Z', /must be an RFC 3339/],
    ['2026-11-21T09:30:00,5Z', /must be an RFC 3339/],
    ['2026-02-30T00:00:00Z', /day 30 does not exist in month 2 of 2026/],
    ['2100-02-29T00:00:00Z', /day 29 does not exist in month 2 of 2100/],
    ['2026-04-31T00:00:00Z', /day 31 does not exist in month 4 of 2026/],
    ['2026-04-00T00:00:00Z', /day 0 does not exist/],
    ['2026-13-01T00:00:00Z', /month 13 does not exist/],
    ['2026-00-01T00:00:00Z', /month 0 does not exist/],
    ['0000-01-01T00:00:00Z', /year 0000 does not exist/],
    ['2026-11-21T24:00:00Z', /hour 24 does not exist; write 00:00:00 of the next day/],
    ['2026-11-21T25:00:00Z', /hour 25 does not exist/],
    ['2026-11-21T09:60:00Z', /minute 60 does not exist/],
    ['2026-11-21T23:59:60Z', /second 60 is not accepted/],
    ['2026-11-21T23:59:61Z', /second 61 does not exist/],
    [' 2026-11-21T09:30:00Z', /must be an RFC 3339/],
    ['2026-11-21T09:30:00Z\n', /must be an RFC 3339/],
    ['+002026-11-21T09:30:00Z', /must be an RFC 3339/],
    ['٢٠٢٦-11-21T09:30:00Z', /must be an RFC 3339/],
  ];
  for (const [text, expected] of rows) match(reason(text), expected, text);
});

test('any text results in a safe integer or a reason', () => {
  const nearDateTime = fc.stringMatching(
    /^[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9].{0,8}$/,
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearDateTime), (text) => {
      const parsed = parseDateTime(text);
      ok(parsed.ok ? Number.isSafeInteger(parsed.epochMicros) : parsed.reason.length > 0);
    }),
  );
});

test('a date is YYYY-MM-DD and exists in the calendar', () => {
  const dates = ['2026-11-21', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'];
  deepEqual(dates.filter(isDate), dates);
  const others = [
    '2026-02-29',
    '1900-02-29',
    '0000-01-01',
    '2026-1-1',
    '2026-11-21T00:00:00Z',
    '20261121',
    '2026-11-31',
  ];
  deepEqual([...others, '', '2026-11-21\n', ' 2026-11-21', '12026-11-21'].filter(isDate), []);
});

test('printing a time that is not a safe integer throws', () => {
  for (const value of [0.5, Number.NaN, 2 ** 53]) {
    throws(() => formatDateTime(value));
  }
});
