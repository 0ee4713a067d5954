/** The retry schedule of webhooks (A314). Pure: the random number is an argument. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the first attempt, the second, and so on. */
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
 * How long to wait after so many failed attempts, between half and twice the planned time; undefined: give up. Evenly in powers, so
 * that shorter is as likely as longer. `random`: from 0 up to 1. `wantedMs`: the receiver's Retry-After, at most the delay that the
 * plan has next (A494).
 */
export function retryDelayMs(attemptCount: number, random: number, wantedMs = 0): number | undefined {
  const plannedMs = RETRY_DELAYS_MS[attemptCount - 1];
  if (plannedMs === undefined) return undefined;
  const delayMs = Math.round(plannedMs * 2 ** (2 * random - 1));
  return Math.max(delayMs, Math.min(wantedMs, RETRY_DELAYS_MS[attemptCount] ?? plannedMs));
}
