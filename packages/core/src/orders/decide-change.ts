/** Changes to an order after placement. Nothing else in the service changes an order. */
import { assert, must } from '../assert.ts';
import { chargeTransfer, type PaymentMethod, refundTransfer, type Transfer } from '../ledger.ts';
import type { Outcome } from '../outcome.ts';
import { decideTransition, type HeldFrom, isHeldFrom, type OrderStatus } from './order-status.ts';
import type { Quantities } from './placed-order.ts';
import { priceRefund } from './pricing.ts';

export type ItemState = Quantities & {
  readonly id: string;
  readonly offerId: string;
  readonly unitPriceMinor: number;
};

export type OrderState = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly heldFrom: HeldFrom | null;
  /** Null for imported orders, which are not in the books. */
  readonly paymentMethod: PaymentMethod | null;
  readonly totalPriceMinor: number;
  readonly refundedMinor: number;
  readonly items: readonly ItemState[];
  /** False if only image keys could fill the order (A44). */
  readonly hasUnits: boolean;
  readonly balanceMinor: number;
  /** The order is held when it is paid. */
  readonly isUnderReview: boolean;
};

export type UnitEffect =
  | { readonly kind: 'none' }
  /** Reserved units become sold. */
  | { readonly kind: 'deliver' }
  /** With `expires`, the units have the time limit of a pending payment. */
  | { readonly kind: 'reserve'; readonly expires: boolean }
  /** Reserved units go back on sale. */
  | { readonly kind: 'release' }
  /** Reserved units leave the stock. */
  | { readonly kind: 'withdraw' }
  /** Sold units are refunded. */
  | { readonly kind: 'take-back'; readonly keyIds: readonly number[]; readonly units: RefundedUnits };

/** A90. With `stay`, units stay with the order, so that their keys can be read. */
export type RefundedUnits = 'stay' | 'return' | 'withdraw';

export type DeliveredKey = {
  readonly id: number;
  readonly itemId: string;
  readonly isRefunded: boolean;
  readonly isRead: boolean;
};

export type OrderChange = {
  readonly status: OrderStatus;
  readonly heldFrom: HeldFrom | null;
  /** Includes the new status; empty if only money moves. */
  readonly path: readonly OrderStatus[];
  readonly items: readonly ItemState[];
  readonly transfers: readonly Transfer[];
  readonly units: UnitEffect;
  readonly isImageRefunded: boolean;
};

export type RefundLine = {
  readonly itemId: string;
  readonly quantity: number;
  /** As many ids as the quantity. Defaults to the keys delivered last. */
  readonly keyIds?: readonly string[] | undefined;
};

export type ChangeRejection =
  | { readonly code: 'illegal-transition'; readonly from: OrderStatus; readonly to: OrderStatus }
  | { readonly code: 'order-is-paid' }
  | { readonly code: 'order-is-not-paid' }
  | { readonly code: 'order-was-imported' }
  | { readonly code: 'refund-whole-before-delivery' }
  | { readonly code: 'unknown-key'; readonly lineIndex: number; readonly keyIndex: number }
  | { readonly code: 'key-was-refunded'; readonly lineIndex: number; readonly keyIndex: number }
  | { readonly code: 'keys-were-read' }
  | { readonly code: 'unknown-item'; readonly lineIndex: number }
  | { readonly code: 'too-many-units'; readonly lineIndex: number; readonly refundable: number };

export type ChangeOutcome = Outcome<OrderChange, ChangeRejection>;

function isPaid(order: OrderState): boolean {
  return order.items.some((item) => item.invoiced > 0);
}

const reject = (rejection: ChangeRejection) => ({ ok: false, rejection }) as const;

function changeTo(order: OrderState, status: OrderStatus, change: Partial<OrderChange>): OrderChange {
  return {
    status,
    heldFrom: null,
    path: [status],
    items: order.items,
    transfers: [],
    units: { kind: 'none' },
    isImageRefunded: false,
    ...change,
  };
}

function statusChange(order: OrderState, to: OrderStatus, change: Partial<OrderChange>): ChangeOutcome {
  if (order.paymentMethod === null) return reject({ code: 'order-was-imported' });
  const transition = decideTransition(order, to);
  return transition.ok ? { ok: true, value: changeTo(order, to, change) } : transition;
}

/** Returns undefined if the payment is already booked. Refunds a canceled order immediately. */
export function decidePaid(order: OrderState): OrderChange | undefined {
  if (isPaid(order) || order.refundedMinor > 0) return undefined;
  const paymentMethod = must(order.paymentMethod, 'only orders with a payment method are settled');
  const charge =
    order.totalPriceMinor === 0
      ? []
      : [chargeTransfer(paymentMethod, order.totalPriceMinor, order.balanceMinor)];
  const refund = charge.map(({ amountMinor, prepaidBalanceAfterMinor }) =>
    refundTransfer(paymentMethod, amountMinor, prepaidBalanceAfterMinor ?? order.balanceMinor),
  );
  const transfers = [...charge, ...refund];
  if (order.status === 'canceled' || order.status === 'closed')
    return changeTo(order, order.status, { path: [], transfers });
  const from: readonly OrderStatus[] =
    order.heldFrom === null ? ['processing'] : [order.heldFrom, 'processing'];
  const pay = (
    status: OrderStatus,
    done: 'invoiced' | 'shipped' | 'refunded',
    change: Partial<OrderChange>,
  ) =>
    changeTo(order, status, {
      path: [...from, status],
      items: order.items.map((item) => ({ ...item, invoiced: item.ordered, [done]: item.ordered })),
      transfers: charge,
      ...change,
    });
  if (!order.hasUnits) return pay('closed', 'refunded', { transfers, isImageRefunded: true });
  if (order.status === 'held' || order.isUnderReview)
    return pay('held', 'invoiced', { heldFrom: 'processing', units: { kind: 'reserve', expires: false } });
  return pay('complete', 'shipped', { units: { kind: 'deliver' } });
}

/** Returns undefined if the order is not waiting for payment. */
export function decideUnpaid(order: OrderState): OrderChange | undefined {
  const change = decideCancel(order);
  return change.ok ? change.value : undefined;
}

export function decideHold(order: OrderState): ChangeOutcome {
  if (!isHeldFrom(order.status))
    return reject({ code: 'illegal-transition', from: order.status, to: 'held' });
  return statusChange(order, 'held', { heldFrom: order.status, units: { kind: 'reserve', expires: false } });
}

export function decideRelease(order: OrderState): ChangeOutcome {
  if (order.status !== 'held' || order.heldFrom === null)
    return reject({ code: 'illegal-transition', from: order.status, to: 'processing' });
  if (order.heldFrom !== 'processing')
    return statusChange(order, order.heldFrom, { units: { kind: 'reserve', expires: true } });
  return statusChange(order, 'processing', {
    status: 'complete',
    path: ['processing', 'complete'],
    items: order.items.map((item) => ({ ...item, shipped: item.ordered })),
    units: { kind: 'deliver' },
  });
}

export function decideCancel(order: OrderState): ChangeOutcome {
  if (isPaid(order)) return reject({ code: 'order-is-paid' });
  return statusChange(order, 'canceled', { units: { kind: 'release' } });
}

/** Refunds `lines`, or everything not refunded yet; `keys` in order of delivery. */
export function decideRefund(
  order: OrderState,
  request: { readonly lines: readonly RefundLine[] | undefined; readonly units: RefundedUnits },
  keys: readonly DeliveredKey[],
): ChangeOutcome {
  if (order.paymentMethod === null) return reject({ code: 'order-was-imported' });
  if (order.status === 'closed' || order.status === 'canceled')
    return reject({ code: 'illegal-transition', from: order.status, to: 'closed' });
  if (!isPaid(order)) return reject({ code: 'order-is-not-paid' });
  const lines = request.lines ?? wholeRefund(order);
  const refunded = refundItems(order, lines);
  if (!refunded.ok) return refunded;
  const items = refunded.value;
  const isWhole = items.every((item) => item.refunded === item.invoiced);
  const isDelivered = order.status === 'complete';
  const namesKeys = lines.some(({ keyIds }) => keyIds !== undefined);
  if (!isDelivered && (!isWhole || namesKeys)) return reject({ code: 'refund-whole-before-delivery' });
  const { units } = request;
  const chosen = chooseKeys(isDelivered ? lines : [], keys);
  if (!chosen.ok) return chosen;
  if (units === 'return' && chosen.value.some(({ isRead }) => isRead))
    return reject({ code: 'keys-were-read' });
  const amountMinor = refundAmount(order, lines, isWhole);
  return statusChange(order, isWhole ? 'closed' : 'complete', {
    items: isDelivered && units !== 'stay' ? unship(items, lines) : items,
    transfers:
      amountMinor === 0 ? [] : [refundTransfer(order.paymentMethod, amountMinor, order.balanceMinor)],
    units: isDelivered
      ? { kind: 'take-back', keyIds: chosen.value.map(({ id }) => id), units }
      : { kind: units === 'return' ? 'release' : 'withdraw' },
  });
}

function chooseKeys(
  lines: readonly RefundLine[],
  keys: readonly DeliveredKey[],
): Outcome<readonly DeliveredKey[], ChangeRejection> {
  const named = new Set<DeliveredKey>();
  for (const [lineIndex, { itemId, keyIds = [] }] of lines.entries()) {
    for (const [keyIndex, keyId] of keyIds.entries()) {
      const key = keys.find((candidate) => candidate.itemId === itemId && String(candidate.id) === keyId);
      if (key === undefined) return reject({ code: 'unknown-key', lineIndex, keyIndex });
      if (key.isRefunded) return reject({ code: 'key-was-refunded', lineIndex, keyIndex });
      named.add(key);
    }
  }
  const taken = [...named];
  for (const { itemId, quantity } of lines.filter(({ keyIds }) => keyIds === undefined)) {
    const left = keys.filter((key) => key.itemId === itemId && !key.isRefunded && !taken.includes(key));
    taken.push(...left.slice(-quantity).toReversed());
  }
  const wanted = lines.reduce((sum, line) => sum + line.quantity, 0);
  assert(taken.length === wanted, `${wanted} units are refunded and ${taken.length} were found`);
  return { ok: true, value: taken };
}

function wholeRefund(order: OrderState): RefundLine[] {
  return order.items
    .map((item) => ({ itemId: item.id, quantity: item.invoiced - item.refunded }))
    .filter((line) => line.quantity > 0);
}

function refundItems(
  order: OrderState,
  lines: readonly RefundLine[],
): Outcome<readonly ItemState[], ChangeRejection> {
  const items = new Map(order.items.map((item) => [item.id, item]));
  for (const [lineIndex, line] of lines.entries()) {
    const item = items.get(line.itemId);
    if (item === undefined) return reject({ code: 'unknown-item', lineIndex });
    const refundable = item.invoiced - item.refunded;
    if (line.quantity > refundable) return reject({ code: 'too-many-units', lineIndex, refundable });
    items.set(item.id, { ...item, refunded: item.refunded + line.quantity });
  }
  return { ok: true, value: [...items.values()] };
}

/** Units that leave the order no longer have a key assigned (A36). */
function unship(items: readonly ItemState[], lines: readonly RefundLine[]): ItemState[] {
  return items.map((item) => {
    const returned = lines.reduce((sum, line) => sum + (line.itemId === item.id ? line.quantity : 0), 0);
    return { ...item, shipped: item.shipped - returned };
  });
}

function refundAmount(order: OrderState, lines: readonly RefundLine[], isWhole: boolean): number {
  const orderSumMinor = order.items.reduce((sum, item) => sum + item.unitPriceMinor * item.ordered, 0);
  let amountMinor = 0;
  for (const [index, line] of lines.entries()) {
    const item = must(
      order.items.find((candidate) => candidate.id === line.itemId),
      'the lines were checked',
    );
    amountMinor += priceRefund({
      unitPriceMinor: item.unitPriceMinor,
      quantity: line.quantity,
      orderSumMinor,
      orderTotalPriceMinor: order.totalPriceMinor,
      alreadyRefundedMinor: order.refundedMinor + amountMinor,
      isLast: isWhole && index === lines.length - 1,
    });
  }
  return amountMinor;
}
