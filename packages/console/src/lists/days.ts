/** The first instant of a day such as 2026-11-22, plus `days`, in a zone. Some days begin at 1:00, not at 0:00. */
export function dayStart(day: string | undefined, zone: string, days = 0): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const utcMs = Date.UTC(year, month - 1, date + days);
  const wanted = dayIn('UTC', new Date(utcMs));
  const hasBegun = (second: number) => dayIn(zone, new Date(second * 1000)) >= wanted;
  // Zones are at most 14 hours ahead of UTC and 12 hours behind it.
  let [before, after] = [utcMs / 1000 - 15 * 3600, utcMs / 1000 + 13 * 3600];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (hasBegun(middle)) after = middle;
    else before = middle;
  }
  return new Date(after * 1000).toISOString();
}

/** True if the first day is after the last one, so that no day is in the range. */
export function areBackwards({ from, to }: { readonly [name: string]: string | undefined }): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** The last moment of a day, which ranges include. */
export function dayEnd(day: string | undefined, zone: string): string | undefined {
  const next = dayStart(day, zone, 1);
  return next && new Date(Date.parse(next) - 1).toISOString().replace('Z', '999Z');
}

/** Cached by zone, because creating a format takes the browser a millisecond. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** For example, 2026-11-22. It is built from parts, because browsers order and separate them differently. */
export function dayIn(zone: string, at: Date): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes, digits: number) =>
    (parts.get(type) ?? '').padStart(digits, '0');
  return [of('year', 4), of('month', 2), of('day', 2)].join('-');
}
