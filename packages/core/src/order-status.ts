/**
 * The order state machine (R12). Pure. Every other file asks here whether a status may change;
 * `canceled` and `closed` are final. R12.
 */
import type { Outcome } from './outcome.ts';

/** Every status of an order (R12). */
export const ORDER_STATUSES = [
  'pending',
  'processing',
  'held',
  'complete',
  'canceled',
  'closed',
  'pending_payment',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** What a held order remembers: the status that a release returns it to. */
export type HeldFrom = 'pending' | 'pending_payment' | 'processing';

/** Where each status may go. Where a held order may go depends on what it remembers: `listTransitions`. */
const TRANSITIONS: Readonly<Record<Exclude<OrderStatus, 'held'>, readonly OrderStatus[]>> = {
  pending: ['pending_payment', 'processing', 'canceled', 'held'],
  pending_payment: ['processing', 'canceled', 'held'],
  processing: ['complete', 'held', 'closed'],
  complete: ['complete', 'closed'],
  canceled: [],
  closed: [],
};

export function isHeldFrom(status: OrderStatus): status is HeldFrom {
  return status === 'pending' || status === 'pending_payment' || status === 'processing';
}

export type TransitionRejection = {
  readonly code: 'illegal-transition';
  readonly from: OrderStatus;
  readonly to: OrderStatus;
};

type Position = { readonly status: OrderStatus; readonly heldFrom: HeldFrom | null };

/** A held order goes back to where it came from, or ends: canceled when it is not paid yet, closed when it is. */
function listTransitions({ status, heldFrom }: Position): readonly OrderStatus[] {
  if (status !== 'held') return TRANSITIONS[status];
  if (heldFrom === null) return [];
  return [heldFrom, heldFrom === 'processing' ? 'closed' : 'canceled'];
}

/** The new status, or why the order may not go there. `heldFrom` is the held order's memory, null otherwise. */
export function decideTransition(
  order: Position,
  to: OrderStatus,
): Outcome<OrderStatus, TransitionRejection> {
  if (!listTransitions(order).includes(to)) {
    return { ok: false, rejection: { code: 'illegal-transition', from: order.status, to } };
  }
  return { ok: true, value: to };
}
