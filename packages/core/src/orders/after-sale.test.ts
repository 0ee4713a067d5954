/** A620. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { isWindowOver, rejectReturn } from './after-sale.ts';

const ITEM = {
  id: 'i1',
  offerId: 'o1',
  unitPriceMinor: 100,
  ordered: 3,
  invoiced: 3,
  shipped: 3,
  refunded: 1,
};
const ORDER = {
  status: 'complete',
  paymentMethod: 'balance',
  completedAtMicros: 1000,
  isRead: false,
  items: [ITEM],
} as const;
const CLOCK = { nowMicros: 1500, windowMicros: 500 };
const lines = (quantity: number) => [{ itemId: 'i1', quantity }];

test('unread units within the window may be returned, at most as many as are not yet refunded', () => {
  equal(rejectReturn(ORDER, lines(2), CLOCK), undefined);
  deepEqual(rejectReturn(ORDER, [...lines(1), ...lines(2)], CLOCK), {
    code: 'return-not-possible',
    reason: 'too-many',
    refundable: 2,
  });
});

test('the first applicable reason is returned', () => {
  const late = { nowMicros: 1501, windowMicros: 500 };
  const read = { ...ORDER, isRead: true };
  const toReason = (...[order, clock]: [typeof read | typeof ORDER, typeof CLOCK]) => {
    const rejection = rejectReturn(order, lines(9), clock);
    return rejection?.code === 'return-not-possible' ? rejection.reason : rejection?.code;
  };
  equal(toReason(read, { ...late, windowMicros: 0 }), 'not-offered');
  equal(toReason(read, late), 'window-over');
  equal(toReason(read, CLOCK), 'keys-were-read');
  equal(toReason(ORDER, CLOCK), 'too-many');
});

test('status and items are checked before the reasons', () => {
  const off = { ...CLOCK, windowMicros: 0 };
  const closed = rejectReturn({ ...ORDER, status: 'closed' }, [{ itemId: 'i2', quantity: 1 }], off);
  deepEqual(closed, { code: 'order-not-complete', status: 'closed', isRetryable: false });
  const unknown = rejectReturn(ORDER, [...lines(1), { itemId: 'i2', quantity: 1 }], off);
  deepEqual(unknown, { code: 'unknown-item', lineIndex: 1 });
  const imported = rejectReturn({ ...ORDER, paymentMethod: null }, lines(1), CLOCK);
  deepEqual(imported, { code: 'return-not-possible', reason: 'not-offered' });
});

test('a window ends after its last microsecond', () => {
  equal(isWindowOver(ORDER, CLOCK), false);
  equal(isWindowOver(ORDER, { ...CLOCK, nowMicros: 1501 }), true);
});
