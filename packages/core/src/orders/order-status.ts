/** No other file decides whether a status may change (R12). */
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

export type HeldFrom = 'pending' | 'pending_payment' | 'processing';

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
): Outcome<
  OrderStatus,
  { readonly code: 'illegal-transition'; readonly from: OrderStatus; readonly to: OrderStatus }
> {
  if (!listTransitions(order).includes(to))
    return { ok: false, rejection: { code: 'illegal-transition', from: order.status, to } };
  return { ok: true, value: to };
}
