const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays after the first failed attempt, the second, and so on (A314). */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * Random between half and twice the planned delay; undefined after the last attempt.
 * `wantedMs` is the receiver's Retry-After, honored up to the next planned delay.
 */
export function retryDelayMs(attemptCount: number, random: number, wantedMs = 0): number | undefined {
  const plannedMs = RETRY_DELAYS_MS[attemptCount - 1];
  if (plannedMs === undefined) return undefined;
  const delayMs = Math.round(plannedMs * 2 ** (2 * random - 1));
  return Math.max(delayMs, Math.min(wantedMs, RETRY_DELAYS_MS[attemptCount] ?? plannedMs));
}
