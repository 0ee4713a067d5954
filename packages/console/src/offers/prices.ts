/** Changes prices by a percentage without rounding errors: amounts are strings and never become numbers. */
import { formatMinor } from '@keyport/core/money';

/** Reads `-2,5` as hundredths of a percent. Returns undefined for an invalid percentage. */
export function readPercent(typed: string): bigint | undefined {
  const found = /^([+-]?)(\d{1,4})(?:[.,](\d{1,2}))?\s*%?$/.exec(typed.trim());
  if (found === null) return undefined;
  const [, sign = '', whole = '', part = ''] = found;
  const hundredths = BigInt(whole + part.padEnd(2, '0')) * (sign === '-' ? -1n : 1n);
  return hundredths < -9900n || hundredths > 100_000n || hundredths === 0n ? undefined : hundredths;
}

/** In percent, rounded to two decimals. */
export function percentBetween(before: string, after: string): number {
  const cents = toCents(before);
  return Math.round((Number(toCents(after) - cents) / Number(cents)) * 10_000) / 100;
}

/** Rounded half up to the cent, and never to zero. */
export function changeByPercent(price: string, hundredths: bigint): string {
  const cents = toCents(price);
  const changed = (cents * (10_000n + hundredths) + 5000n) / 10_000n;
  return formatMinor(changed < 1n ? 1n : changed);
}

export function toCents(price: string): bigint {
  return BigInt(price.replace('.', ''));
}
