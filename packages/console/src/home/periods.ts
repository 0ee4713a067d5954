import { dayIn, dayStart } from '../lists/days.ts';

export const PERIODS = ['today', 'week', 'month'] as const;
export type PeriodName = (typeof PERIODS)[number];

export type Times = { readonly from: string; readonly to: string | undefined };
export type Period = {
  readonly bucket: 'hour' | 'day';
  /** The zone of the period's days. */
  readonly zone: string;
  readonly current: Times;
  readonly before: Times;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS: Readonly<Record<PeriodName, number>> = { today: 1, week: 7, month: 30 };

/**
 * Reads hours, because daily figures are for UTC days, not for days in the zone. A month has too many hours, so
 * it shows UTC days. The figures are for UTC hours, so days that begin within one, as in India, are UTC days too.
 */
export function toPeriod(name: PeriodName, zone: string, now: Date): Period {
  const days = DAYS[name];
  const isByDay = name === 'month';
  const startsIn = (one: string) => (back: number) =>
    dayStart(dayIn(one, now), one, -back) ?? now.toISOString();
  const [first, earliest] = [days - 1, 2 * days - 1];
  const isOffTheHour = [first, earliest].some((back) => Date.parse(startsIn(zone)(back)) % HOUR_MS !== 0);
  const own = isByDay || isOffTheHour ? 'UTC' : zone;
  const toStart = startsIn(own);
  // The previous period ends at the current time of day.
  const then = new Date(now.getTime() - days * DAY_MS).toISOString();
  return {
    bucket: isByDay ? 'day' : 'hour',
    zone: own,
    current: { from: toStart(first), to: undefined },
    before: { from: toStart(earliest), to: isByDay ? momentBefore(toStart(first)) : then },
  };
}

function momentBefore(at: string): string {
  return new Date(Date.parse(at) - 1).toISOString();
}
