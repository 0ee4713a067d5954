/** Units and a price set aside for an account (A600 to A606). */
import { assert } from '../assert.ts';
import { MICROS_PER_SECOND } from '../date-time.ts';
import type { LinePrice } from './pricing.ts';

export const RESERVATION_STATUSES = ['active', 'ordered', 'released', 'expired'] as const;
export type ReservationStatus = (typeof RESERVATION_STATUSES)[number];

export const TTL_SECONDS_MIN = 60;
export const TTL_SECONDS_MAX = 1800;

const RESERVATION_SECONDS_MAX = 3600;

export type ReservationState = {
  readonly id: string;
  /** `active` until a worker has returned the units, even after expiry. */
  readonly status: ReservationStatus;
  readonly createdAtMicros: number;
  readonly expiresAtMicros: number;
  readonly orderId: string | null;
  readonly firstUnit: number;
  readonly unitPriceMinor: number;
  readonly price: LinePrice;
};

export type ReservationEnd =
  | { readonly status: 'released' | 'expired' }
  | { readonly status: 'ordered'; readonly orderId: string };

/** Returns undefined while it is active. The clock decides, not the worker (A603). */
export function toEnd(
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

export function computeExpiry(nowMicros: number, ttlSeconds: number): number {
  return nowMicros + ttlSeconds * MICROS_PER_SECOND;
}

export function latestExpiry({ createdAtMicros }: Pick<ReservationState, 'createdAtMicros'>): number {
  return computeExpiry(createdAtMicros, RESERVATION_SECONDS_MAX);
}

/** Operations that share the idempotency records of create order, but not its keys (A37). */
const KEY_MARKS = { reserve: 0xc, order: 0x8 } as const;

const VERSION_PLACE = 14;

/** Gives the key a version that no UUID has. Applied twice, it returns the original key. */
export function operationKey(idempotencyKey: string, operation: keyof typeof KEY_MARKS): string {
  const version = Number.parseInt(idempotencyKey.charAt(VERSION_PLACE), 16) ^ KEY_MARKS[operation];
  return `${idempotencyKey.slice(0, VERSION_PLACE)}${version.toString(16)}${idempotencyKey.slice(VERSION_PLACE + 1)}`;
}
