/**
 * Changes of an order after placement: payment settled, held, released, canceled, refunded. Pure. Each
 * decision returns the whole change or a rejection; nothing else in the service moves an order.
 */
import { assert, must } from '../assert.ts';
import { chargeTransfer, type PaymentMethod, refundTransfer, type Transfer } from '../ledger.ts';
import type { Outcome } from '../outcome.ts';
import { decideTransition, type HeldFrom, isHeldFrom, type OrderStatus } from './order-status.ts';
import type { Quantities } from './placed-order.ts';
import { priceRefund } from './pricing.ts';

export type ItemState = Quantities & {
  readonly id: string;
  readonly offerId: string;
  /** Minor units of the order's currency. */
  readonly unitPriceMinor: number;
};

/** A locked order with everything that its changes depend on. */
export type OrderState = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly heldFrom: HeldFrom | null;
  /** Null for imported orders, which are not in the books of this service. */
  readonly paymentMethod: PaymentMethod | null;
  readonly totalPriceMinor: number;
  /** The amount refunded so far. */
  readonly refundedMinor: number;
  readonly items: readonly ItemState[];
  /** Units are reserved for it; false when only image keys could have filled it (A44). */
  readonly hasUnits: boolean;
  /** Balance of its account, EUR cents. */
  readonly balanceMinor: number;
  /** Under review or caught by a risk rule: held once it is paid. */
  readonly isUnderReview: boolean;
};

/** The effect on the order's units. */
export type UnitEffect =
  | { readonly kind: 'none' }
  /** Reserved units become sold. */
  | { readonly kind: 'deliver' }
  /** Reserved units stay reserved, without or with the time limit of a pending payment. */
  | { readonly kind: 'reserve'; readonly expires: boolean }
  /** Reserved units go back on sale. */
  | { readonly kind: 'release' }
  /** Reserved units are taken out of stock. */
  | { readonly kind: 'withdraw' }
  /** Sold units are refunded. */
  | { readonly kind: 'take-back'; readonly keyIds: readonly number[]; readonly units: RefundedUnits };

/**
 * The effect on refunded units: they stay with the order, so that their keys can still be read (the default; before
 * delivery there are no keys to read, and they are withdrawn); they go back on sale; or they are withdrawn (A90).
 */
export type RefundedUnits = 'stay' | 'return' | 'withdraw';

/** A key that a delivered order has. */
export type DeliveredKey = {
  readonly id: number;
  readonly itemId: string;
  readonly isRefunded: boolean;
  /** The reseller has read it at least once. */
  readonly isRead: boolean;
};

export type OrderChange = {
  readonly status: OrderStatus;
  readonly heldFrom: HeldFrom | null;
  /** The statuses that it goes through, the last one included; empty when only money moves. */
  readonly path: readonly OrderStatus[];
  readonly items: readonly ItemState[];
  readonly transfers: readonly Transfer[];
  readonly units: UnitEffect;
  readonly isImageRefunded: boolean;
};

export type RefundLine = {
  readonly itemId: string;
  readonly quantity: number;
  /** As many as the quantity, without duplicates. Default: those delivered last. */
  readonly keyIds?: readonly string[] | undefined;
};

export type ChangeRejection =
  | { readonly code: 'illegal-transition'; readonly from: OrderStatus; readonly to: OrderStatus }
  /** Paid orders are refunded, not canceled. */
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

/** A change to a status that the state machine allows. Imported orders never change here. */
function statusChange(order: OrderState, to: OrderStatus, change: Partial<OrderChange>): ChangeOutcome {
  if (order.paymentMethod === null) return { ok: false, rejection: { code: 'order-was-imported' } };
  const transition = decideTransition(order, to);
  if (!transition.ok) return transition;
  return {
    ok: true,
    value: {
      status: to,
      heldFrom: null,
      path: [to],
      items: order.items,
      transfers: [],
      units: { kind: 'none' },
      isImageRefunded: false,
      ...change,
    },
  };
}

/**
 * The provider reports that the order is paid. Undefined if this is already known. An order that was canceled in between
 * is refunded immediately.
 */
export function decidePaid(order: OrderState): OrderChange | undefined {
  // A canceled order keeps its quantities; the refund of its late payment shows that it was reported before.
  if (isPaid(order) || order.refundedMinor > 0) return undefined;
  const paymentMethod = must(order.paymentMethod, 'only orders with a payment method are settled');
  const charge =
    order.totalPriceMinor === 0
      ? []
      : [chargeTransfer(paymentMethod, order.totalPriceMinor, order.balanceMinor)];
  const refund = charge.map(({ amountMinor, prepaidBalanceAfterMinor }) =>
    refundTransfer(paymentMethod, amountMinor, prepaidBalanceAfterMinor ?? order.balanceMinor),
  );
  const base = { transfers: charge, isImageRefunded: false, heldFrom: null };
  const paidItems = order.items.map((item) => ({ ...item, invoiced: item.ordered }));
  const from: readonly OrderStatus[] =
    order.heldFrom === null ? ['processing'] : [order.heldFrom, 'processing'];
  if (order.status === 'canceled' || order.status === 'closed') {
    return {
      ...base,
      status: order.status,
      path: [],
      items: order.items,
      transfers: [...charge, ...refund],
      units: { kind: 'none' },
    };
  }
  if (!order.hasUnits) {
    return {
      ...base,
      status: 'closed',
      path: [...from, 'closed'],
      items: paidItems.map((item) => ({ ...item, refunded: item.ordered })),
      transfers: [...charge, ...refund],
      units: { kind: 'none' },
      isImageRefunded: true,
    };
  }
  if (order.status === 'held' || order.isUnderReview) {
    const units: UnitEffect = { kind: 'reserve', expires: false };
    return {
      ...base,
      status: 'held',
      heldFrom: 'processing',
      path: [...from, 'held'],
      items: paidItems,
      units,
    };
  }
  return {
    ...base,
    status: 'complete',
    path: [...from, 'complete'],
    items: paidItems.map((item) => ({ ...item, shipped: item.ordered })),
    units: { kind: 'deliver' },
  };
}

/** The payment was declined or timed out. Undefined if the order is not waiting for payment. */
export function decideUnpaid(order: OrderState): OrderChange | undefined {
  const change = decideCancel(order);
  return change.ok ? change.value : undefined;
}

/** From pending, pending_payment or processing. */
export function decideHold(order: OrderState): ChangeOutcome {
  if (!isHeldFrom(order.status)) {
    return { ok: false, rejection: { code: 'illegal-transition', from: order.status, to: 'held' } };
  }
  return statusChange(order, 'held', { heldFrom: order.status, units: { kind: 'reserve', expires: false } });
}

/** Back to its earlier status; a paid order is delivered immediately. */
export function decideRelease(order: OrderState): ChangeOutcome {
  if (order.status !== 'held' || order.heldFrom === null) {
    return { ok: false, rejection: { code: 'illegal-transition', from: order.status, to: 'processing' } };
  }
  if (order.heldFrom !== 'processing') {
    return statusChange(order, order.heldFrom, { units: { kind: 'reserve', expires: true } });
  }
  return statusChange(order, 'processing', {
    status: 'complete',
    path: ['processing', 'complete'],
    items: order.items.map((item) => ({ ...item, shipped: item.ordered })),
    units: { kind: 'deliver' },
  });
}

/** Only unpaid orders; their units return to stock. */
export function decideCancel(order: OrderState): ChangeOutcome {
  if (isPaid(order)) return { ok: false, rejection: { code: 'order-is-paid' } };
  return statusChange(order, 'canceled', { units: { kind: 'release' } });
}

/**
 * Refunds `lines`, or everything that is not refunded yet.
 * Rejections in order: order-was-imported, illegal-transition, order-is-not-paid, unknown-item, too-many-units,
 * refund-whole-before-delivery, unknown-key, key-was-refunded, keys-were-read.
 */
export function decideRefund(
  order: OrderState,
  request: { readonly lines: readonly RefundLine[] | undefined; readonly units: RefundedUnits },
  /** The keys of a delivered order, in order of delivery. */
  keys: readonly DeliveredKey[],
): ChangeOutcome {
  if (order.paymentMethod === null) return { ok: false, rejection: { code: 'order-was-imported' } };
  if (order.status === 'closed' || order.status === 'canceled') {
    return { ok: false, rejection: { code: 'illegal-transition', from: order.status, to: 'closed' } };
  }
  if (!isPaid(order)) return { ok: false, rejection: { code: 'order-is-not-paid' } };
  const lines = request.lines ?? wholeRefund(order);
  const refunded = refundItems(order, lines);
  if (!refunded.ok) return refunded;
  const items = refunded.value;
  const isWhole = items.every((item) => item.refunded === item.invoiced);
  const isDelivered = order.status === 'complete';
  const namesKeys = lines.some(({ keyIds }) => keyIds !== undefined);
  if (!isDelivered && (!isWhole || namesKeys))
    return { ok: false, rejection: { code: 'refund-whole-before-delivery' } };
  const { units } = request;
  const chosen = chooseKeys(isDelivered ? lines : [], keys);
  if (!chosen.ok) return chosen;
  if (units === 'return' && chosen.value.some(({ isRead }) => isRead))
    return { ok: false, rejection: { code: 'keys-were-read' } };
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

/** The keys named by the lines; for lines without keys, those delivered last. */
function chooseKeys(
  lines: readonly RefundLine[],
  keys: readonly DeliveredKey[],
): Outcome<readonly DeliveredKey[], ChangeRejection> {
  const named = new Set<DeliveredKey>();
  for (const [lineIndex, { itemId, keyIds = [] }] of lines.entries()) {
    for (const [keyIndex, keyId] of keyIds.entries()) {
      const key = keys.find((candidate) => candidate.itemId === itemId && String(candidate.id) === keyId);
      if (key === undefined) return { ok: false, rejection: { code: 'unknown-key', lineIndex, keyIndex } };
      if (key.isRefunded) return { ok: false, rejection: { code: 'key-was-refunded', lineIndex, keyIndex } };
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
    if (item === undefined) return { ok: false, rejection: { code: 'unknown-item', lineIndex } };
    const refundable = item.invoiced - item.refunded;
    if (line.quantity > refundable)
      return { ok: false, rejection: { code: 'too-many-units', lineIndex, refundable } };
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
