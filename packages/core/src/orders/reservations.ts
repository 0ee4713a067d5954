/** Reservations: units and a price that are set aside for an account. Pure (A600 to A606). */
import { assert } from '../assert.ts';
import type { LinePrice } from './pricing.ts';

export const RESERVATION_STATUSES = ['active', 'ordered', 'released', 'expired'] as const;
export type ReservationStatus = (typeof RESERVATION_STATUSES)[number];

const MICROS_PER_SECOND = 1_000_000;

export const TTL_SECONDS_MIN = 60;
export const TTL_SECONDS_MAX = 1800;

/** How long after its creation a reservation can last at most, however often it is renewed. */
const RESERVATION_SECONDS_MAX = 3600;

export type ReservationState = {
  readonly id: string;
  /** Stored. One whose time is over stays `active` until a worker has returned its units. */
  readonly status: ReservationStatus;
  /** Microseconds since the epoch. */
  readonly createdAtMicros: number;
  readonly expiresAtMicros: number;
  /** The order that it became; null: none. */
  readonly orderId: string | null;
  /** The number of its first unit. */
  readonly firstUnit: number;
  /** EUR cents. */
  readonly unitPriceMinor: number;
  readonly price: LinePrice;
};

/** Why a reservation can be neither ordered nor renewed. */
export type ReservationEnd =
  | { readonly status: 'released' | 'expired' }
  | { readonly status: 'ordered'; readonly orderId: string };

/** Undefined while it is active. The clock decides, and not whether a worker has looked (A603). */
export function endOf(
  { status, orderId, expiresAtMicros }: Pick<ReservationState, 'status' | 'orderId' | 'expiresAtMicros'>,
  nowMicros: number,
): ReservationEnd | undefined {
  if (status === 'ordered') {
    assert(orderId !== null, 'an ordered reservation has an order');
    return { status, orderId };
  }
  if (status !== 'active') return { status };
  return expiresAtMicros <= nowMicros ? { status: 'expired' } : undefined;
}

export function expiryOf(nowMicros: number, ttlSeconds: number): number {
  return nowMicros + ttlSeconds * MICROS_PER_SECOND;
}

/** The latest time until which it can be renewed. */
export function latestExpiry({ createdAtMicros }: Pick<ReservationState, 'createdAtMicros'>): number {
  return expiryOf(createdAtMicros, RESERVATION_SECONDS_MAX);
}

/** The operations of resellers that share the records of create order, each with keys of its own (A37). */
const KEY_MARKS = { reserve: 0xc, order: 0x8 } as const;

/** The version digit of a UUID. */
const VERSION_PLACE = 14;

/** The key under which such an operation is recorded: with a version that no UUID has. Applied twice, the key as it was. */
export function operationKey(idempotencyKey: string, operation: keyof typeof KEY_MARKS): string {
  const version = Number.parseInt(idempotencyKey.charAt(VERSION_PLACE), 16) ^ KEY_MARKS[operation];
  return `${idempotencyKey.slice(0, VERSION_PLACE)}${version.toString(16)}${idempotencyKey.slice(VERSION_PLACE + 1)}`;
}
