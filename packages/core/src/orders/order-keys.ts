import type { OrderStatus } from './order-status.ts';

export type IncompleteOrder = {
  readonly code: 'order-not-complete';
  readonly status: OrderStatus;
  /** True if the order can still become complete. */
  readonly isRetryable: boolean;
};

export type KeysRejection =
  | { readonly code: 'order-auto-refund-image-keys' }
  | IncompleteOrder
  | { readonly code: 'order-expired'; readonly completedAtMicros: number };

const FINAL: readonly OrderStatus[] = ['canceled', 'closed'];

/** Returns undefined if the keys may be read (A43, A44). */
export function rejectKeys(
  order: {
    readonly status: OrderStatus;
    readonly isImageRefunded: boolean;
    readonly completedAtMicros: number | null;
    /** Null if no key of the order was replaced. */
    readonly replacedAtMicros: number | null;
  },
  clock: { readonly nowMicros: number; readonly windowMicros: number },
): KeysRejection | undefined {
  if (order.isImageRefunded) return { code: 'order-auto-refund-image-keys' };
  const incomplete = rejectIncomplete(order);
  if (incomplete !== undefined) return incomplete;
  const completedAtMicros = order.completedAtMicros ?? 0;
  const openedAtMicros = Math.max(completedAtMicros, order.replacedAtMicros ?? 0);
  if (clock.nowMicros - openedAtMicros > clock.windowMicros)
    return { code: 'order-expired', completedAtMicros };
  return undefined;
}

export function rejectIncomplete({
  status,
  completedAtMicros,
}: {
  readonly status: OrderStatus;
  readonly completedAtMicros: number | null;
}): IncompleteOrder | undefined {
  if (status === 'complete' && completedAtMicros !== null) return undefined;
  return { code: 'order-not-complete', status, isRetryable: !FINAL.includes(status) };
}

export type ReplacementRejection =
  | { readonly code: 'order-was-imported' }
  | { readonly code: 'order-is-not-delivered'; readonly status: OrderStatus }
  | { readonly code: 'key-is-not-named'; readonly keyCount: number }
  | { readonly code: 'key-is-not-of-order' }
  | { readonly code: 'key-was-replaced' }
  | { readonly code: 'key-was-refunded' }
  | { readonly code: 'nothing-in-stock' };

export type OrderUnit = { readonly id: number; readonly isRefunded: boolean };

/** Returns undefined if the key may be replaced (A445). Checks in the order of the rejection type. */
export function rejectReplacement(
  order: { readonly status: OrderStatus; readonly isImported: boolean; readonly units: readonly OrderUnit[] },
  /** `isNamed` is true for a key named by id or code; an order with one key needs neither. */
  wanted: { readonly isNamed: boolean; readonly unit: OrderUnit | undefined; readonly wasReplaced: boolean },
  availableText: number,
): ReplacementRejection | undefined {
  if (order.isImported) return { code: 'order-was-imported' };
  if (order.status !== 'complete') return { code: 'order-is-not-delivered', status: order.status };
  if (!wanted.isNamed && order.units.length !== 1)
    return { code: 'key-is-not-named', keyCount: order.units.length };
  if (wanted.wasReplaced) return { code: 'key-was-replaced' };
  if (wanted.unit === undefined) return { code: 'key-is-not-of-order' };
  if (wanted.unit.isRefunded) return { code: 'key-was-refunded' };
  return availableText === 0 ? { code: 'nothing-in-stock' } : undefined;
}
