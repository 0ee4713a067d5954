import { deepEqual, equal } from 'node:assert/strict';
import { test, vi } from 'vitest';
import { type PeriodName, toPeriod } from '../home/periods.ts';
import { areBackwards, dayEnd, dayIn, dayStart } from './days.ts';

test.each([
  ['2026-11-22', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['2026-11-22', 'Europe/Berlin', '2026-11-21T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-11-22', 'Asia/Kolkata', '2026-11-21T18:30:00.000Z'],
  ['2026-11-22', 'Pacific/Kiritimati', '2026-11-21T10:00:00.000Z'],
  ['2026-11-22', 'Pacific/Niue', '2026-11-22T11:00:00.000Z'],
  // The clock skips midnight, so that the day begins at 1:00.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
  ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  // The day before ends at 23:00.
  ['2026-03-29', 'America/Scoresbysund', '2026-03-29T01:00:00.000Z'],
  // The clock goes back to 23:00 at midnight, and to 0:00 at 1:00.
  ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00.000Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
])('the day %s begins at its first instant in %s', (day, zone, start) => {
  equal(dayStart(day, zone), start);
  equal(dayIn(zone, new Date(start)), day);
  equal(dayIn(zone, new Date(Date.parse(start) - 1)) < day, true);
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const before = new Date(Date.UTC(year, month - 1, date - 1)).toISOString().slice(0, 10);
  equal(dayEnd(before, zone), new Date(Date.parse(start) - 1).toISOString().replace('Z', '999Z'));
});

test.each<[PeriodName, string, string, string, string]>([
  [
    'today',
    'Europe/Berlin',
    '2026-11-27T23:00:00.000Z',
    '2026-11-26T23:00:00.000Z',
    '2026-11-27T15:00:00.000Z',
  ],
  // The figures are for UTC hours, which begin at half past in these zones.
  [
    'today',
    'Asia/Kolkata',
    '2026-11-28T00:00:00.000Z',
    '2026-11-27T00:00:00.000Z',
    '2026-11-27T15:00:00.000Z',
  ],
  [
    'week',
    'Asia/Kathmandu',
    '2026-11-22T00:00:00.000Z',
    '2026-11-15T00:00:00.000Z',
    '2026-11-21T15:00:00.000Z',
  ],
  [
    'month',
    'Europe/Berlin',
    '2026-10-30T00:00:00.000Z',
    '2026-09-30T00:00:00.000Z',
    '2026-10-29T23:59:59.999Z',
  ],
])('the period %s in %s is whole hours and begins with a day', (name, zone, from, beforeFrom, beforeTo) => {
  const { current, before } = toPeriod(name, zone, new Date('2026-11-28T15:00:00Z'));
  deepEqual(
    [current, before],
    [
      { from, to: undefined },
      { from: beforeFrom, to: beforeTo },
    ],
  );
});

test('a day does not depend on how the browser writes dates', (t) => {
  const format = vi.spyOn(Intl.DateTimeFormat.prototype, 'format', 'get').mockReturnValue(() => '11/28/26');
  t.onTestFinished(() => format.mockRestore());
  equal(dayIn('Asia/Tokyo', new Date('2026-11-28T15:00:00Z')), '2026-11-29');
});

test('a range is backwards only if its first day is after its last one', () => {
  const [from, to] = ['2026-11-28', '2026-11-29'];
  deepEqual(
    [{ from, to }, { from, to: from }, { from }, { to }, {}, { from: to, to: from }].map(areBackwards),
    [false, false, false, false, false, true],
  );
});
