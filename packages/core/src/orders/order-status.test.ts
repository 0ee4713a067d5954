import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { isLegalMove } from '../../test/model.ts';
import { decideTransition, type HeldFrom, isHeldFrom, ORDER_STATUSES } from './order-status.ts';

const HELD_FROM: readonly HeldFrom[] = ['pending', 'pending_payment', 'processing'];

test('the statuses are those of the contract, in the same order', () => {
  deepEqual(ORDER_STATUSES, [
    'pending',
    'processing',
    'held',
    'complete',
    'canceled',
    'closed',
    'pending_payment',
  ]);
});

/** All orders by status and, if held, earlier status. */
const ORDERS = ORDER_STATUSES.flatMap((status) => {
  const memories: readonly (HeldFrom | null)[] = status === 'held' ? HELD_FROM : [null];
  return memories.map((heldFrom) => ({ status, heldFrom }));
});

test('an order makes exactly the moves that R12 allows', () => {
  for (const order of ORDERS) {
    for (const to of ORDER_STATUSES) {
      const isLegal = isLegalMove(order.status, to, order.heldFrom);
      deepEqual(
        decideTransition(order, to),
        isLegal
          ? { ok: true, value: to }
          : { ok: false, rejection: { code: 'illegal-transition', from: order.status, to } },
        `${order.status} (${order.heldFrom}) to ${to}`,
      );
    }
  }
});

test('nothing leaves canceled or closed', () => {
  for (const status of ['canceled', 'closed'] as const) {
    for (const to of ORDER_STATUSES) equal(decideTransition({ status, heldFrom: null }, to).ok, false);
  }
});

test('an order can be held in every status before its delivery or its end', () => {
  deepEqual(
    ORDER_STATUSES.filter(isHeldFrom).toSorted(),
    ORDER_STATUSES.filter((status) => decideTransition({ status, heldFrom: null }, 'held').ok).toSorted(),
  );
});
