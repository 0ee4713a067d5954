/**
 * An order as it was placed. Everything follows from its first status, so neither the first row of its status log nor its
 * first response is stored.
 */
import type { HeldFrom, OrderStatus } from './order-status.ts';

export type PlacedStatus = Extract<OrderStatus, 'complete' | 'held' | 'closed' | 'pending_payment'>;

type Placed = {
  /** Its statuses, including the last one. */
  readonly path: readonly OrderStatus[];
  readonly heldFrom: HeldFrom | null;
  readonly isPaid: boolean;
  readonly isDelivered: boolean;
  /** Its price was refunded immediately: only image keys were left (A44). */
  readonly isRefunded: boolean;
};

const PLACED: Readonly<Record<PlacedStatus, Placed>> = {
  complete: {
    path: ['pending', 'processing', 'complete'],
    heldFrom: null,
    isPaid: true,
    isDelivered: true,
    isRefunded: false,
  },
  held: {
    path: ['pending', 'processing', 'held'],
    heldFrom: 'processing',
    isPaid: true,
    isDelivered: false,
    isRefunded: false,
  },
  closed: {
    path: ['pending', 'processing', 'closed'],
    heldFrom: null,
    isPaid: true,
    isDelivered: false,
    isRefunded: true,
  },
  pending_payment: {
    path: ['pending', 'pending_payment'],
    heldFrom: null,
    isPaid: false,
    isDelivered: false,
    isRefunded: false,
  },
};

export const PLACED_STATUSES = Object.keys(PLACED) as readonly PlacedStatus[];

export type Quantities = {
  readonly ordered: number;
  readonly invoiced: number;
  readonly shipped: number;
  readonly refunded: number;
};

export function placedHeldFrom(status: PlacedStatus): HeldFrom | null {
  return PLACED[status].heldFrom;
}

export function placedPath(status: PlacedStatus): readonly OrderStatus[] {
  return PLACED[status].path;
}

export function placedQuantities(status: PlacedStatus, ordered: number): Quantities {
  const { isPaid, isDelivered, isRefunded } = PLACED[status];
  return {
    ordered,
    invoiced: isPaid ? ordered : 0,
    shipped: isDelivered ? ordered : 0,
    refunded: isRefunded ? ordered : 0,
  };
}

/** The first reason in the status log. */
export function placedReason(status: PlacedStatus, holdReason: string | null): string {
  switch (status) {
    case 'complete':
      return 'paid from the balance and delivered';
    case 'held':
      return `paid from the balance; held: ${holdReason}`;
    case 'closed':
      return 'refunded in full: only image keys were left';
    case 'pending_payment':
      return 'waiting for the payment provider';
  }
}
