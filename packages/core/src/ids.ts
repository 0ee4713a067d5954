/** Ids are strings: an order id can exceed 2^53. R1, A6, A37. */

import { assert } from './assert.ts';

export const PRODUCT_ID_PATTERN = '^[1-9][0-9]{13}$';

/** Ids created here have 16 digits (A6). */
export const ORDER_ID_PATTERN = '^[0-9]{14,16}$';

/** PostgreSQL also accepts braces and missing dashes; the contract does not. */
export const UUID_FORM = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

const PRODUCT_ID = new RegExp(PRODUCT_ID_PATTERN);
const ORDER_ID = new RegExp(ORDER_ID_PATTERN);
export const UUID = new RegExp(`^${UUID_FORM}$`);
const QUOTED = /^"(.*)"$/;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** 2020-01-01. The seconds since then have nine digits from March 2023 to September 2051. */
const ORDER_ID_EPOCH_SECONDS = 1_577_836_800;
const ORDER_ID_SECONDS_DIGITS = 9;
const ORDER_ID_SECONDS_MIN = 100_000_000;
const ORDER_ID_SECONDS_MAX = 999_999_999;

/** Sandbox ids are odd and above 2^53, so that a client that reads them as numbers fails there (A523). */
const SANDBOX_SECONDS_OFFSET = 9_007_200_000;
const SANDBOX_SECONDS_DIGITS = 10;
const SANDBOX_SECONDS_MAX = 992_799_999;

export function placedAtSeconds(orderId: string): number {
  const inSandbox = Number(orderId.slice(0, SANDBOX_SECONDS_DIGITS)) - SANDBOX_SECONDS_OFFSET;
  const seconds =
    inSandbox >= ORDER_ID_SECONDS_MIN ? inSandbox : Number(orderId.slice(0, ORDER_ID_SECONDS_DIGITS));
  return ORDER_ID_EPOCH_SECONDS + seconds;
}

/** Covers all seven-digit serials; in the sandbox, half of the six-digit ones, since ids are odd. */
const SERIAL_HALVES: DomainHalves = { highSize: 2500, lowSize: 4000 };
const SANDBOX_SERIAL_HALVES: DomainHalves = { highSize: 500, lowSize: 1000 };

/** Even, to mix both halves equally. With two rounds, serials 4000 apart would get similar digits. */
const ROUND_COUNT = 6;

/** A keyed pseudo-random function to unsigned 32-bit numbers; the core has no cryptography. */
export type RoundFunction = (roundIndex: number, half: number) => number;

export type DomainHalves = { readonly highSize: number; readonly lowSize: number };

export function isProductId(text: string): boolean {
  return PRODUCT_ID.test(text);
}

export function isOrderId(text: string): boolean {
  return ORDER_ID.test(text);
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

/**
 * Nine digits of seconds since 2020 and seven that hide `serial` (A6); in the sandbox, ten and six (A523).
 * Unique below ten million orders a second; without the key of `round`, adjacent ids cannot be guessed.
 */
export function buildOrderId(order: {
  epochSeconds: number;
  serial: number;
  round: RoundFunction;
  isSandbox: boolean;
}): string {
  const seconds = order.epochSeconds - ORDER_ID_EPOCH_SECONDS;
  assert(Number.isInteger(seconds), 'an order id takes whole seconds');
  assert(
    seconds >= ORDER_ID_SECONDS_MIN &&
      seconds <= (order.isSandbox ? SANDBOX_SECONDS_MAX : ORDER_ID_SECONDS_MAX),
    'the clock is between 2023 and 2051',
  );
  assert(Number.isSafeInteger(order.serial) && order.serial >= 0, 'a serial is a sequence value');
  const hide = (halves: DomainHalves) =>
    permute(order.serial % (halves.highSize * halves.lowSize), halves, order.round);
  if (!order.isSandbox) return `${seconds}${String(hide(SERIAL_HALVES)).padStart(7, '0')}`;
  const digits = String(2 * hide(SANDBOX_SERIAL_HALVES) + 1).padStart(6, '0');
  return `${SANDBOX_SECONDS_OFFSET + seconds}${digits}`;
}

export type MakeOrderId = (order: { readonly epochSeconds: number; readonly serial: number }) => string;

/** A Feistel network: adds to each half in turn a function of the other, modulo its size. */
export function permute(value: number, { highSize, lowSize }: DomainHalves, round: RoundFunction): number {
  assert(value >= 0 && value < highSize * lowSize, 'the value is in the domain');
  let low = value % lowSize;
  let high = (value - low) / lowSize;
  for (let roundIndex = 0; roundIndex < ROUND_COUNT; roundIndex += 2) {
    high = (high + round(roundIndex, low)) % highSize;
    low = (low + round(roundIndex + 1, high)) % lowSize;
  }
  return high * lowSize + low;
}
