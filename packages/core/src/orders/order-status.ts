/** The order state machine (R12): no other file decides whether a status may change. */
import type { Outcome } from '../outcome.ts';

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

/** The statuses to which a release can return a held order. */
export type HeldFrom = 'pending' | 'pending_payment' | 'processing';

/** For a held order see `listTransitions`. */
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

/** A held order returns to its earlier status, or ends: canceled if unpaid, closed if paid. */
function listTransitions({ status, heldFrom }: Position): readonly OrderStatus[] {
  if (status !== 'held') return TRANSITIONS[status];
  if (heldFrom === null) return [];
  return [heldFrom, heldFrom === 'processing' ? 'closed' : 'canceled'];
}

export function decideTransition(
  order: Position,
  to: OrderStatus,
): Outcome<OrderStatus, TransitionRejection> {
  if (!listTransitions(order).includes(to))
    return { ok: false, rejection: { code: 'illegal-transition', from: order.status, to } };
  return { ok: true, value: to };
}
