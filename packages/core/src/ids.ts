/** Ids are strings: an order id can exceed 2^53. R1, A6, A37. */

import { assert } from './assert.ts';

export const PRODUCT_ID_PATTERN = '^[1-9][0-9]{13}$';

/** Ids created here have 16 digits (A6). */
export const ORDER_ID_PATTERN = '^[0-9]{14,16}$';

export const MEMBER_ID_PATTERN = '^mem_[0-9a-f]{24}$';

/** PostgreSQL also accepts braces and missing dashes; the contract does not. */
export const UUID_FORM = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

const PRODUCT_ID = new RegExp(PRODUCT_ID_PATTERN);
const ORDER_ID = new RegExp(ORDER_ID_PATTERN);
export const UUID = new RegExp(`^${UUID_FORM}$`);
const MEMBER_ID = new RegExp(MEMBER_ID_PATTERN);
const QUOTED = /^"(.*)"$/;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** 2020-01-01. The seconds since then have nine digits from March 2023 to September 2051. */
const ORDER_ID_EPOCH_SECONDS = 1_577_836_800;
const ORDER_ID_SECONDS_DIGITS = 9;
const ORDER_ID_SECONDS_MIN = 100_000_000;
const ORDER_ID_SECONDS_MAX = 999_999_999;

/** Sandbox ids are odd and above 2^53, so that a client that reads them as numbers fails there (A6). */
const SANDBOX_SECONDS_OFFSET = 9_007_200_000;
const SANDBOX_SECONDS_DIGITS = 10;
const SANDBOX_SECONDS_MAX = 992_799_999;

export function placedAtSeconds(orderId: string): number {
  const inSandbox = Number(orderId.slice(0, SANDBOX_SECONDS_DIGITS)) - SANDBOX_SECONDS_OFFSET;
  const seconds =
    inSandbox >= ORDER_ID_SECONDS_MIN ? inSandbox : Number(orderId.slice(0, ORDER_ID_SECONDS_DIGITS));
  return ORDER_ID_EPOCH_SECONDS + seconds;
}

const RANDOM_DIGITS = 7;
const SANDBOX_RANDOM_DIGITS = 6;

export function isProductId(text: string): boolean {
  return PRODUCT_ID.test(text);
}

export function isOrderId(text: string): boolean {
  return ORDER_ID.test(text);
}

/**
 * Undefined unless the text may be an item's id, which is that of its order and two digits, or an id of which a spreadsheet
 * kept 15 digits and replaced the others by zeros.
 */
export function likelyOrderIdStart(text: string): string | undefined {
  if (!/^[1-9]\d{15,17}$/.test(text)) return undefined;
  if (/^0+$/.test(text.slice(15))) return text.slice(0, 15);
  return text.length > 16 ? text.slice(0, -2) : undefined;
}

/** The log of requests and the audit log name a caller as a client or as a member (A803). */
export const isMemberId = (text: string): boolean => MEMBER_ID.test(text);

export function describeCaller(id: string): { readonly clientId: string | null; readonly memberId?: string } {
  return isMemberId(id) ? { clientId: null, memberId: id } : { clientId: id };
}

/** Returns lower case; undefined if the form is not 8-4-4-4-12. */
export function normalizeUuid(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined;
}

/** Returns lower case without quotes. Rejects the nil UUID, which careless clients send for every order. */
export function parseIdempotencyKey(headerValue: string): string | undefined {
  const key = normalizeUuid(QUOTED.exec(headerValue)?.[1] ?? headerValue);
  return key === NIL_UUID ? undefined : key;
}

/** Draws a whole number from 0 to below `end`; the core has no randomness. */
export type RandomBelow = (end: number) => number;

/**
 * Nine digits of seconds since 2020 and seven random ones (A6); in the sandbox, ten and six, the last of them odd. The
 * primary key of orders keeps ids unique, and an order whose id is taken gets another one.
 */
export function drawOrderId(order: {
  readonly epochSeconds: number;
  readonly randomBelow: RandomBelow;
  readonly isSandbox: boolean;
}): string {
  const { epochSeconds, randomBelow, isSandbox } = order;
  const seconds = epochSeconds - ORDER_ID_EPOCH_SECONDS;
  assert(Number.isInteger(seconds), 'an order id takes whole seconds');
  assert(
    seconds >= ORDER_ID_SECONDS_MIN && seconds <= (isSandbox ? SANDBOX_SECONDS_MAX : ORDER_ID_SECONDS_MAX),
    'the clock is between 2023 and 2051',
  );
  if (!isSandbox) return `${seconds}${padded(randomBelow(10 ** RANDOM_DIGITS), RANDOM_DIGITS)}`;
  const odd = 2 * randomBelow(10 ** SANDBOX_RANDOM_DIGITS / 2) + 1;
  return `${SANDBOX_SECONDS_OFFSET + seconds}${padded(odd, SANDBOX_RANDOM_DIGITS)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

export type DrawOrderId = (epochSeconds: number) => string;
