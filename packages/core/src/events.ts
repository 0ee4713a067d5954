import type { OrderChange, OrderState } from './orders/decide-change.ts';
import type { OrderStatus } from './orders/order-status.ts';
import type { PlacedOrder } from './orders/place-order.ts';
import { placedQuantities, type Quantities } from './orders/placed-order.ts';

export const EVENT_TYPES = [
  'order.pending_payment',
  'order.processing',
  'order.held',
  'order.complete',
  'order.canceled',
  'order.closed',
  'order.refunded',
  'order.keys_expiring',
  'account.balance_low',
  'account.status_changed',
  'claim.decided',
  'client.changed',
  'reservation.expired',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const CLIENT_CHANGES = ['secret', 'name', 'addresses', 'access'] as const;
export type ClientChange = (typeof CLIENT_CHANGES)[number];
type OrderEventType = Extract<EventType, `order.${string}`>;

export type OrderMoment = { readonly status: OrderStatus; readonly quantity: Quantities };

type RefundNote = {
  readonly amountMinor: number;
  readonly items: readonly { readonly id: string; readonly quantity: number }[];
};

export type OrderEventData = {
  readonly order: OrderMoment;
  readonly refund?: RefundNote;
  readonly expiresAtMicros?: number;
};

export type NewEvent = { readonly accountId: string } & (
  | { readonly type: OrderEventType; readonly orderId: string; readonly data: OrderEventData }
  | {
      readonly type: 'account.balance_low';
      readonly data: { readonly balanceMinor: number; readonly thresholdMinor: number };
    }
  | { readonly type: 'account.status_changed'; readonly data: { readonly status: string } }
  | {
      readonly type: 'client.changed';
      readonly data: { readonly clientId: string; readonly change: ClientChange };
    }
  | {
      readonly type: 'reservation.expired';
      /** The reservation as its reseller sees it. */
      readonly data: { readonly reservation: object };
    }
  /** The claim as its reseller sees it, with masked codes. */
  | { readonly type: 'claim.decided'; readonly data: { readonly claim: object } }
  | { readonly type: 'webhook.test'; readonly data: { readonly endpointId: string } }
);

export function eventsOfPlacement(order: PlacedOrder): NewEvent[] {
  if (order.status === 'complete') return [];
  const { accountId, line } = order.command;
  const moment = { status: order.status, quantity: placedQuantities(order.status, line.quantity) };
  const refunded = order.status === 'closed' ? [{ id: order.itemId, quantity: line.quantity }] : undefined;
  const refund = refunded && { amountMinor: order.price.totalPriceMinor, items: refunded };
  return toEvents({ id: order.id, accountId }, moment, { hasNewStatus: true, refund });
}

export function eventsOfChange(
  order: Pick<OrderState, 'id' | 'status' | 'items'> & { readonly accountId: string },
  change: OrderChange,
): NewEvent[] {
  const [line] = change.items;
  if (line === undefined) return [];
  const { ordered, invoiced, shipped, refunded } = line;
  const moment = { status: change.status, quantity: { ordered, invoiced, shipped, refunded } };
  const refunds = change.transfers.filter(({ kind }) => kind === 'refund');
  const returned = refunded - (order.items[0]?.refunded ?? 0);
  // A late payment is refunded in full; the units were never invoiced.
  const quantity = returned === 0 && refunds.length > 0 ? ordered : returned;
  const refund =
    quantity > 0
      ? {
          amountMinor: refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
          items: [{ id: line.id, quantity }],
        }
      : undefined;
  return toEvents(order, moment, { hasNewStatus: change.status !== order.status, refund });
}

function toEvents(
  { id: orderId, accountId }: { readonly id: string; readonly accountId: string },
  order: OrderMoment,
  { hasNewStatus, refund }: { readonly hasNewStatus: boolean; readonly refund: RefundNote | undefined },
): NewEvent[] {
  const events: NewEvent[] = [];
  if (refund !== undefined)
    events.push({ type: 'order.refunded', accountId, orderId, data: { order, refund } });
  const type = `order.${order.status}`;
  if (hasNewStatus && isOrderEventType(type)) events.push({ type, accountId, orderId, data: { order } });
  return events;
}

/** No event reports `pending`. */
function isOrderEventType(type: string): type is OrderEventType {
  return EVENT_TYPES.some((known) => known === type);
}

/** Returns an event if there is a threshold and the balance fell below it. */
export function balanceEvents(
  accountId: string,
  thresholdMinor: number | null,
  balance: { readonly beforeMinor: number; readonly afterMinor: number },
): NewEvent[] {
  const { beforeMinor, afterMinor } = balance;
  if (thresholdMinor === null || beforeMinor < thresholdMinor || afterMinor >= thresholdMinor) return [];
  const data = { balanceMinor: afterMinor, thresholdMinor };
  return [{ type: 'account.balance_low', accountId, data }];
}
