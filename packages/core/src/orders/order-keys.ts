/** Whether the keys of an order may be read now (R18, A43, A44), or replaced (A445). Pure. */
import type { OrderStatus } from './order-status.ts';

export type IncompleteOrder = {
  readonly code: 'order-not-complete';
  readonly status: OrderStatus;
  /** It can still become complete. */
  readonly isRetryable: boolean;
};

export type KeysRejection =
  | { readonly code: 'order-auto-refund-image-keys' }
  | IncompleteOrder
  | { readonly code: 'order-expired'; readonly completedAtMicros: number };

/** Statuses that cannot become complete any more. */
const FINAL: readonly OrderStatus[] = ['canceled', 'closed'];

/** Undefined when the keys may be read. Rejections in order: image refund, status, window. */
export function rejectKeys(
  order: {
    readonly status: OrderStatus;
    readonly isImageRefunded: boolean;
    readonly completedAtMicros: number | null;
    /** When a key of it was last replaced; null: never. */
    readonly replacedAtMicros: number | null;
  },
  clock: { readonly nowMicros: number; readonly windowMicros: number },
): KeysRejection | undefined {
  if (order.isImageRefunded) return { code: 'order-auto-refund-image-keys' };
  const incomplete = rejectIncomplete(order);
  if (incomplete !== undefined) return incomplete;
  const completedAtMicros = order.completedAtMicros ?? 0;
  const openedAtMicros = Math.max(completedAtMicros, order.replacedAtMicros ?? 0);
  if (clock.nowMicros - openedAtMicros > clock.windowMicros) {
    return { code: 'order-expired', completedAtMicros };
  }
  return undefined;
}

/** Undefined when the order is complete. */
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

/** Why a key of an order cannot be replaced. */
export type ReplacementRejection =
  | { readonly code: 'order-was-imported' }
  | { readonly code: 'order-is-not-delivered'; readonly status: OrderStatus }
  | { readonly code: 'key-is-not-named'; readonly keyCount: number }
  | { readonly code: 'key-is-not-of-order' }
  | { readonly code: 'key-was-replaced' }
  | { readonly code: 'key-was-refunded' }
  | { readonly code: 'nothing-in-stock' };

export type OrderUnit = { readonly id: number; readonly isRefunded: boolean };

/**
 * Undefined when the unit may be replaced. Only keys of delivered orders, which keep their quantities and their price.
 * Rejections in the order of the type.
 */
export function rejectReplacement(
  order: { readonly status: OrderStatus; readonly isImported: boolean; readonly units: readonly OrderUnit[] },
  /** `isNamed`: by id or code; an order with one key needs neither. */
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
