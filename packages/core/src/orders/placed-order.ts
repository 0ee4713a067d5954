/** The status log and response of a new order follow from its first status. */
import type { HeldFrom, OrderStatus } from './order-status.ts';

export type PlacedStatus = Extract<OrderStatus, 'complete' | 'held' | 'closed' | 'pending_payment'>;

type Placed = {
  readonly path: readonly OrderStatus[];
  readonly heldFrom: HeldFrom | null;
  /** The quantities that equal the ordered quantity. */
  readonly done: readonly ('invoiced' | 'shipped' | 'refunded')[];
};

const PLACED: Readonly<Record<PlacedStatus, Placed>> = {
  complete: { path: ['pending', 'processing', 'complete'], heldFrom: null, done: ['invoiced', 'shipped'] },
  held: { path: ['pending', 'processing', 'held'], heldFrom: 'processing', done: ['invoiced'] },
  // Only image keys were in stock (A44).
  closed: { path: ['pending', 'processing', 'closed'], heldFrom: null, done: ['invoiced', 'refunded'] },
  pending_payment: { path: ['pending', 'pending_payment'], heldFrom: null, done: [] },
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
  const { done } = PLACED[status];
  const toQuantity = (name: (typeof done)[number]) => (done.includes(name) ? ordered : 0);
  return {
    ordered,
    invoiced: toQuantity('invoiced'),
    shipped: toQuantity('shipped'),
    refunded: toQuantity('refunded'),
  };
}

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
