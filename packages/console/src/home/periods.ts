import { dayStart } from '../lists/days.ts';

export const PERIODS = ['today', 'week', 'month'] as const;
export type PeriodName = (typeof PERIODS)[number];

export type Times = { readonly from: string; readonly to: string | undefined };
export type Period = { readonly bucket: 'hour' | 'day'; readonly current: Times; readonly before: Times };

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<PeriodName, number>> = { today: 1, week: 7, month: 30 };

/**
 * Reads hours, because daily figures are for UTC days, not for days in the zone. A month has too many hours, so
 * it shows UTC days.
 */
export function periodOf(name: PeriodName, zone: string, now: Date): Period {
  const days = DAYS[name];
  const isUtc = name === 'month';
  const today = dayIn(isUtc ? 'UTC' : zone, now);
  const startOf = (back: number) => dayStart(today, isUtc ? 'UTC' : zone, -back) ?? now.toISOString();
  // The previous period ends at the current time of day.
  const then = new Date(now.getTime() - days * DAY_MS).toISOString();
  return {
    bucket: isUtc ? 'day' : 'hour',
    current: { from: startOf(days - 1), to: undefined },
    before: { from: startOf(2 * days - 1), to: isUtc ? momentBefore(startOf(days - 1)) : then },
  };
}

function momentBefore(at: string): string {
  return new Date(Date.parse(at) - 1).toISOString();
}

/** For example, 2026-11-22. */
export function dayIn(zone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at);
}
