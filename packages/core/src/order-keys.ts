/** Whether the keys of an order may be read now (spec: "5. Get order keys"; A43, A44). Pure. */
import type { OrderStatus } from './order-status.ts';

export type KeysRejection =
  | { readonly code: 'order-auto-refund-image-keys' }
  | { readonly code: 'order-not-complete'; readonly status: OrderStatus; readonly isRetryable: boolean }
  | { readonly code: 'order-expired'; readonly completedAtMicros: number };

/** Statuses that cannot become complete any more. */
const FINAL: readonly OrderStatus[] = ['canceled', 'closed'];

/** Undefined when the keys may be read. Rejections in order: image refund, status, window. */
export function rejectKeys(
  order: {
    readonly status: OrderStatus;
    readonly isImageRefunded: boolean;
    readonly completedAtMicros: number | null;
  },
  clock: { readonly nowMicros: number; readonly windowMicros: number },
): KeysRejection | undefined {
  if (order.isImageRefunded) return { code: 'order-auto-refund-image-keys' };
  if (order.status !== 'complete' || order.completedAtMicros === null) {
    return { code: 'order-not-complete', status: order.status, isRetryable: !FINAL.includes(order.status) };
  }
  if (clock.nowMicros - order.completedAtMicros > clock.windowMicros) {
    return { code: 'order-expired', completedAtMicros: order.completedAtMicros };
  }
  return undefined;
}
