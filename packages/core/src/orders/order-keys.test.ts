import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { rejectKeys, rejectReplacement } from './order-keys.ts';
import { ORDER_STATUSES, type OrderStatus } from './order-status.ts';

const WINDOW_MICROS = 48 * 3_600_000_000;
const COMPLETED_AT = 1_795_255_200_000_000;
const COMPLETE = {
  status: 'complete',
  isImageRefunded: false,
  completedAtMicros: COMPLETED_AT,
  replacedAtMicros: null,
} as const;

function rejectAfter(micros: number, windowMicros = WINDOW_MICROS) {
  return rejectKeys(COMPLETE, { nowMicros: COMPLETED_AT + micros, windowMicros });
}

/** True if the order can still become complete. */
const IS_RETRYABLE = {
  pending: true,
  pending_payment: true,
  processing: true,
  held: true,
  canceled: false,
  closed: false,
} satisfies Record<Exclude<OrderStatus, 'complete'>, boolean>;

test('only a complete order returns its keys; the rejection of any other states whether a retry can help', () => {
  const clock = { nowMicros: COMPLETED_AT, windowMicros: WINDOW_MICROS };
  for (const status of ORDER_STATUSES) {
    if (status === 'complete') continue;
    for (const completedAtMicros of [null, COMPLETED_AT]) {
      deepEqual(rejectKeys({ ...COMPLETE, status, completedAtMicros }, clock), {
        code: 'order-not-complete',
        status,
        isRetryable: IS_RETRYABLE[status],
      });
    }
  }
  equal(rejectKeys(COMPLETE, clock), undefined);
});

test('keys are returned until the last microsecond of the window and rejected after it', () => {
  equal(rejectAfter(0), undefined);
  equal(rejectAfter(WINDOW_MICROS), undefined);
  const expired = { code: 'order-expired', completedAtMicros: COMPLETED_AT };
  deepEqual(rejectAfter(WINDOW_MICROS + 1), expired);
  deepEqual(rejectAfter(1_800_001, 1_800_000), expired);
});

test('keys are returned if the clock is behind the completion time', () => {
  equal(rejectAfter(-1), undefined);
});

/** In each case, the later reasons apply too. */
test('an image refund takes precedence over the status, and the status over the window', () => {
  const clock = { nowMicros: COMPLETED_AT + WINDOW_MICROS + 1, windowMicros: WINDOW_MICROS };
  const closed = { ...COMPLETE, status: 'closed' as const };
  deepEqual(rejectKeys({ ...closed, isImageRefunded: true }, clock), {
    code: 'order-auto-refund-image-keys',
  });
  equal(rejectKeys(closed, clock)?.code, 'order-not-complete');
  equal(rejectKeys(COMPLETE, clock)?.code, 'order-expired');
});

test('an order without a completion time returns no keys', () => {
  const clock = { nowMicros: COMPLETED_AT, windowMicros: WINDOW_MICROS };
  equal(rejectKeys({ ...COMPLETE, completedAtMicros: null }, clock)?.code, 'order-not-complete');
});

test('a replaced key opens the window again', () => {
  const replaced = { ...COMPLETE, replacedAtMicros: COMPLETED_AT + WINDOW_MICROS + 5 };
  const rejectAt = (nowMicros: number) => rejectKeys(replaced, { nowMicros, windowMicros: WINDOW_MICROS });
  equal(rejectAt(replaced.replacedAtMicros + WINDOW_MICROS), undefined);
  equal(rejectAt(replaced.replacedAtMicros + WINDOW_MICROS + 1)?.code, 'order-expired');
});

/** In each case, the later reasons apply too. */
test('a replacement is rejected for the first reason that applies', () => {
  const units = [
    { id: 1, isRefunded: true },
    { id: 2, isRefunded: false },
  ];
  const order = { status: 'complete' as const, isImported: false, units };
  const wanted = { isNamed: true, unit: units[0], wasReplaced: true };
  const toCode = (...given: Parameters<typeof rejectReplacement>) => rejectReplacement(...given)?.code;
  const held = { ...order, status: 'held' as const };
  equal(toCode({ ...held, isImported: true }, { ...wanted, isNamed: false }, 0), 'order-was-imported');
  equal(toCode(held, { ...wanted, isNamed: false }, 0), 'order-is-not-delivered');
  equal(toCode(order, { ...wanted, isNamed: false }, 0), 'key-is-not-named');
  equal(toCode(order, wanted, 0), 'key-was-replaced');
  equal(toCode(order, { ...wanted, wasReplaced: false, unit: undefined }, 0), 'key-is-not-of-order');
  equal(toCode(order, { ...wanted, wasReplaced: false }, 0), 'key-was-refunded');
  equal(toCode(order, { ...wanted, wasReplaced: false, unit: units[1] }, 0), 'nothing-in-stock');
  equal(toCode(order, { ...wanted, wasReplaced: false, unit: units[1] }, 1), undefined);
  equal(
    toCode({ ...order, units: units.slice(1) }, { isNamed: false, unit: units[1], wasReplaced: false }, 1),
    undefined,
  );
});
