import type { OrderState } from './decide-change.ts';
import { type IncompleteOrder, rejectIncomplete } from './order-keys.ts';

export const RETURN_REASONS = ['not-offered', 'window-over', 'keys-were-read', 'too-many'] as const;
type ReturnReason = (typeof RETURN_REASONS)[number];

export const CLAIM_REASONS = ['invalid', 'already-used', 'wrong-region', 'wrong-product'] as const;
export type ClaimReason = (typeof CLAIM_REASONS)[number];

export const CLAIM_STATUSES = ['open', 'decided', 'withdrawn'] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

export const CLAIM_DECISIONS = ['replace', 'refund', 'reject'] as const;
type ClaimDecision = (typeof CLAIM_DECISIONS)[number];

export const CLAIM_OUTCOMES = ['replaced', 'refunded', 'rejected'] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

export const OUTCOME_OF = {
  replace: 'replaced',
  refund: 'refunded',
  reject: 'rejected',
} as const satisfies Record<ClaimDecision, ClaimOutcome>;

export type AfterSaleClock = { readonly nowMicros: number; readonly windowMicros: number };

export type ReturnRejection =
  | IncompleteOrder
  | { readonly code: 'unknown-item'; readonly lineIndex: number }
  | { readonly code: 'return-not-possible'; readonly reason: ReturnReason; readonly refundable?: number };

type SoldOrder = Pick<OrderState, 'status' | 'paymentMethod' | 'items'> & {
  readonly completedAtMicros: number | null;
  readonly isRead: boolean;
};

/** Returns undefined if the units may be returned (A620). Checks in the order of the rejection type. */
export function rejectReturn(
  order: SoldOrder,
  lines: readonly { readonly itemId: string; readonly quantity: number }[],
  clock: AfterSaleClock,
): ReturnRejection | undefined {
  const incomplete = rejectIncomplete(order);
  if (incomplete !== undefined) return incomplete;
  const lineIndex = lines.findIndex(({ itemId }) => order.items.every(({ id }) => id !== itemId));
  if (lineIndex >= 0) return { code: 'unknown-item', lineIndex };
  const impossible = (reason: ReturnReason) => ({ code: 'return-not-possible', reason }) as const;
  // The service does not have the keys of an imported order.
  if (clock.windowMicros === 0 || order.paymentMethod === null) return impossible('not-offered');
  if (isWindowOver(order, clock)) return impossible('window-over');
  if (order.isRead) return impossible('keys-were-read');
  for (const { id, invoiced, refunded } of order.items) {
    const returned = lines.reduce((sum, line) => sum + (line.itemId === id ? line.quantity : 0), 0);
    const refundable = invoiced - refunded;
    if (returned > refundable) return { ...impossible('too-many'), refundable };
  }
  return undefined;
}

export function isWindowOver(
  { completedAtMicros }: { readonly completedAtMicros: number | null },
  { nowMicros, windowMicros }: AfterSaleClock,
): boolean {
  return nowMicros - (completedAtMicros ?? 0) > windowMicros;
}
