/** A day lasts from its first to its last microsecond, in UTC. */

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function toStart(text: string): string {
  return DAY.test(text) ? `${text}T00:00:00Z` : text;
}

export function toEnd(text: string): string {
  return DAY.test(text) ? `${text}T23:59:59.999999Z` : text;
}
