/** The instant at which a day such as 2026-11-22, plus `days`, begins in a zone. */
export function dayStart(day: string | undefined, zone: string, days = 0): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const utcMs = Date.UTC(year, month - 1, date + days);
  // Computed twice, since the offset at midnight may differ from the one at the first guess.
  const guessMs = utcMs - offsetMs(utcMs, zone);
  return new Date(utcMs - offsetMs(guessMs, zone)).toISOString();
}

/** The last moment of a day, which ranges include. */
export function dayEnd(day: string | undefined, zone: string): string | undefined {
  const next = dayStart(day, zone, 1);
  return next && new Date(Date.parse(next) - 1).toISOString().replace('Z', '999Z');
}

function offsetMs(atMs: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}
