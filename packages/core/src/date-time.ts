/** RFC 3339 without Date, which has no microseconds (A8, A9). Times are microseconds since 1970 in UTC. */

import { assert } from './assert.ts';

/**
 * Parsed times are clamped to the years 1970 to 2199, in which everything that happened here lies, so that a caller may
 * send the first or last moment of a calendar. Adding or subtracting a few years stays within the ranges of PostgreSQL,
 * safe integers and ids that begin with a time.
 */
export const EPOCH_MICROS_MIN = 0;
/** One microsecond before the year 2200. */
export const EPOCH_MICROS_MAX = 7_258_118_399_999_999;

/** `reason` follows the name of the field and a colon. */
export type ParsedDateTime =
  | { readonly ok: true; readonly epochMicros: number }
  | { readonly ok: false; readonly reason: string };

type CivilDate = { readonly year: number; readonly month: number; readonly day: number };

export const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_HOUR = 3600 * MICROS_PER_SECOND;
export const MICROS_PER_DAY = 24 * MICROS_PER_HOUR;

// Years start on 1 March, so that the leap day is the last day of its year.
const DAYS_PER_400_YEARS = 146_097;
const DAYS_TO_EPOCH = 719_468;

const EXAMPLE = 'such as 2026-11-21T09:30:00Z';
const REASON_FORM = `must be an RFC 3339 date-time ${EXAMPLE}`;
const REASON_DATE_ONLY = `must have a time and a zone after the date, ${EXAMPLE}`;
const REASON_SEPARATOR = `a T must separate the date and the time, ${EXAMPLE}`;
const REASON_NO_ZONE = 'has no time zone; add Z or an offset such as +02:00';
const REASON_PLUS_AS_BLANK = 'a + in a query string must be written as %2B, otherwise it arrives as a blank';

/** Accepts more than RFC 3339, so that the error can name the wrong part. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:(.)(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(.*))?$/s;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const OFFSET = /^([+-])(\d\d):(\d\d)$/;
const OFFSET_WITHOUT_SIGN = /^ \d\d:\d\d$/;

/** Drops digits after the microsecond. */
export function parseDateTime(text: string): ParsedDateTime {
  const match = DATE_TIME.exec(text);
  if (match === null) return reject(REASON_FORM);
  const [, year, month, day, separator, hour, minute, second, fraction = '', zone = ''] = match;
  if (separator === undefined) return reject(REASON_DATE_ONLY);
  if (separator !== 'T' && separator !== 't') return reject(REASON_SEPARATOR);

  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  const offset = parseZone(zone);
  const reason = checkDate(date) ?? checkTime(time.hour, time.minute, time.second) ?? offset.reason;
  if (reason !== undefined) return reject(reason);

  const localMinutes = daysFromDate(date) * 1440 + time.hour * 60 + time.minute;
  const epochSeconds = (localMinutes - offset.minutes) * 60 + time.second;
  const fractionMicros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  const epochMicros = epochSeconds * MICROS_PER_SECOND + fractionMicros;
  return { ok: true, epochMicros: Math.min(Math.max(epochMicros, EPOCH_MICROS_MIN), EPOCH_MICROS_MAX) };
}

/** Always with six fraction digits: `2026-11-21T09:30:00.123456Z`. */
export function formatDateTime(epochMicros: number): string {
  assert(Number.isSafeInteger(epochMicros), 'a time is a safe integer of microseconds');
  // Exact: below 2^53 the quotient of two integers never rounds up to the next integer.
  const days = Math.floor(epochMicros / MICROS_PER_DAY);
  const { year, month, day } = dateFromDays(days);
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const microsOfDay = epochMicros - days * MICROS_PER_DAY;
  const secondOfDay = Math.floor(microsOfDay / MICROS_PER_SECOND);
  const hour = pad(Math.floor(secondOfDay / 3600), 2);
  const minute = pad(Math.floor(secondOfDay / 60) % 60, 2);
  const fraction = pad(microsOfDay % MICROS_PER_SECOND, 6);
  return `${date}T${hour}:${minute}:${pad(secondOfDay % 60, 2)}.${fraction}Z`;
}

/** True for a calendar date `YYYY-MM-DD` that exists, years 0001 to 9999. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match;
  return checkDate({ year: Number(year), month: Number(month), day: Number(day) }) === undefined;
}

function reject(reason: string): ParsedDateTime {
  return { ok: false, reason };
}

function parseZone(zone: string): { minutes: number; reason?: string } {
  if (zone === 'Z' || zone === 'z') return { minutes: 0 };
  const match = OFFSET.exec(zone);
  if (match === null) return { minutes: 0, reason: zoneReason(zone) };
  const [, sign, hourText, minuteText] = match;
  const hours = Number(hourText);
  const minutes = Number(minuteText);
  if (hours > 23 || minutes > 59) return { minutes: 0, reason: `the offset ${zone} does not exist` };
  return { minutes: (sign === '-' ? -1 : 1) * (hours * 60 + minutes) };
}

function zoneReason(zone: string): string {
  if (zone === '') return REASON_NO_ZONE;
  if (OFFSET_WITHOUT_SIGN.test(zone)) return REASON_PLUS_AS_BLANK;
  return REASON_FORM;
}

function checkDate({ year, month, day }: CivilDate): string | undefined {
  if (year === 0) return 'year 0000 does not exist';
  if (month < 1 || month > 12) return `month ${month} does not exist`;
  if (day < 1 || day > daysInMonth(year, month))
    return `day ${day} does not exist in month ${month} of ${year}`;
  return undefined;
}

function checkTime(hour: number, minute: number, second: number): string | undefined {
  if (hour === 24) return 'hour 24 does not exist; write 00:00:00 of the next day';
  if (hour > 23) return `hour ${hour} does not exist`;
  if (minute > 59) return `minute ${minute} does not exist`;
  if (second === 60) return 'second 60 is not accepted; write second 59 or the next minute';
  if (second > 59) return `second ${second} does not exist`;
  return undefined;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysFromDate({ year, month, day }: CivilDate): number {
  const marchYear = month < 3 ? year - 1 : year;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + daysBeforeMonth((month + 9) % 12) + day - 1 - DAYS_TO_EPOCH;
}

/** Month 0 is March; five months from March or August have 153 days. */
function daysBeforeMonth(marchMonth: number): number {
  return Math.floor((153 * marchMonth + 2) / 5);
}

function dateFromDays(days: number): CivilDate {
  const marchDays = days + DAYS_TO_EPOCH;
  const cycle = Math.floor(marchDays / DAYS_PER_400_YEARS);
  const dayOfCycle = marchDays - cycle * DAYS_PER_400_YEARS;
  // Days 1460 and 146096 are the leap days that end 4 and 400 years; 36524 starts the second century.
  const leapDays =
    Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36_524) + Math.floor(dayOfCycle / 146_096);
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365);
  const firstDay = yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100);
  const dayOfYear = dayOfCycle - firstDay;
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((marchMonth + 2) % 12) + 1;
  const year = cycle * 400 + yearOfCycle + (month < 3 ? 1 : 0);
  return { year, month, day: dayOfYear - daysBeforeMonth(marchMonth) + 1 };
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
