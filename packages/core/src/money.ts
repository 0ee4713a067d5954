/** Safe integers of minor units, EUR cents unless stated otherwise. A7, A35, R1. */

import { assert, must } from './assert.ts';

export const PRICE_PATTERN = '^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,12})?$';

/** Above 0, below 100000000000, at most 2 decimals (R1). */
export const MAX_PRICE_PATTERN = '^(?!0(\\.00?)?$)(0|[1-9][0-9]{0,10})(\\.[0-9]{1,2})?$';

const DECIMALS_MAX = 12;

const BASIS_POINTS_MAX = 10_000;

const PRICE = new RegExp(PRICE_PATTERN);
const MAX_PRICE = new RegExp(MAX_PRICE_PATTERN);

/** With exactly `decimals` fraction digits: 1230 → "12.30". */
export function formatMinor(amountMinor: number | bigint, decimals = 2): string {
  assert(typeof amountMinor === 'bigint' || Number.isSafeInteger(amountMinor), 'an amount is a safe integer');
  assertDecimals(decimals);
  const sign = amountMinor < 0 ? '-' : '';
  const digits = String(amountMinor)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Minor units of a PriceType; undefined for other texts and unsafe integers. */
export function parseMinor(text: string, decimals = 2): number | undefined {
  assertDecimals(decimals);
  if (!PRICE.test(text)) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) return undefined;
  // A number above 2^53 may be rounded here, but never down into the safe range.
  const amountMinor = Number(whole + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(amountMinor) ? amountMinor : undefined;
}

export function toMinor(amount: string): number {
  return must(parseMinor(amount), 'the schema has checked the amount');
}

export function parseMaxPrice(text: string): number | undefined {
  return MAX_PRICE.test(text) ? parseMinor(text) : undefined;
}

/** Rounded half-up; operands are not negative. The product may exceed 2^53, the result must not. */
export function shareHalfUp(amountMinor: number, rateNumerator: number, rateDenominator: number): number {
  assert(Number.isSafeInteger(amountMinor) && amountMinor >= 0, 'the amount to share is not negative');
  assert(Number.isSafeInteger(rateNumerator) && rateNumerator >= 0, 'the numerator is not negative');
  assert(Number.isSafeInteger(rateDenominator) && rateDenominator > 0, 'the denominator is positive');
  const denominator = BigInt(rateDenominator);
  const doubled = 2n * BigInt(amountMinor) * BigInt(rateNumerator) + denominator;
  const share = Number(doubled / (2n * denominator));
  assert(Number.isSafeInteger(share), 'a share is a safe integer');
  return share;
}

/** Basis points of a percentage from 0 to 100 with at most 2 decimals ("2.50" → 250), or undefined. */
export function parsePercent(text: string): number | undefined {
  const basisPoints = parseMinor(text);
  return basisPoints !== undefined && basisPoints <= BASIS_POINTS_MAX ? basisPoints : undefined;
}

export function formatPercent(basisPoints: number): string {
  assert(basisPoints >= 0 && basisPoints <= BASIS_POINTS_MAX, 'a percentage is between 0 and 100');
  return basisPoints % 100 === 0 ? String(basisPoints / 100) : formatMinor(basisPoints);
}

function assertDecimals(decimals: number): void {
  assert(Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX, 'decimals are 0 to 12');
}
