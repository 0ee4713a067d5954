import type { Claim, Order, Reservation } from './generated/reseller-contract.ts';

/** Members of every event. */
export interface EventOf<Type extends string, Data> {
  /** The same for every delivery: handle the event once. */
  readonly id: string;
  /** The version of the format: `v1`. */
  readonly apiVersion: string;
  readonly type: Type;
  readonly createdAt: string;
  readonly data: Data;
}

/** An order changed to this status. */
export type OrderStatusEvent = EventOf<
  | 'order.pending_payment'
  | 'order.complete'
  | 'order.held'
  | 'order.processing'
  | 'order.canceled'
  | 'order.closed',
  { readonly order: Order }
>;

/** A full or partial refund was booked. */
export type OrderRefundedEvent = EventOf<
  'order.refunded',
  {
    readonly order: Order;
    readonly refund: {
      readonly amount: string;
      readonly items: readonly { readonly id: string; readonly quantity: number }[];
    };
  }
>;

/** An order's keys were never read, and their window ends within hours. */
export type OrderKeysExpiringEvent = EventOf<
  'order.keys_expiring',
  { readonly order: Order; readonly expiresAt: string }
>;

/** The balance fell below the account's threshold. */
export type AccountBalanceLowEvent = EventOf<
  'account.balance_low',
  { readonly balance: string; readonly threshold: string }
>;

/** The account is now active, suspended or closed. */
export type AccountStatusChangedEvent = EventOf<'account.status_changed', { readonly status: string }>;

/** A client's secret, name, addresses or access changed. */
export type ClientChangedEvent = EventOf<
  'client.changed',
  { readonly clientId: string; readonly change: 'secret' | 'name' | 'addresses' | 'access' | (string & {}) }
>;

/** A reservation was not ordered in time; its units are back in stock. */
export type ReservationExpiredEvent = EventOf<'reservation.expired', { readonly reservation: Reservation }>;

/** The marketplace decided about the keys of a claim. */
export type ClaimDecidedEvent = EventOf<'claim.decided', { readonly claim: Claim }>;

/** Requested with `webhookEndpoints.test`. */
export type WebhookTestEvent = EventOf<'webhook.test', { readonly endpointId: string }>;

/** An event of the account or one of its orders. New types may be added: ignore unknown ones. */
export type KeyportEvent =
  | OrderStatusEvent
  | OrderRefundedEvent
  | OrderKeysExpiringEvent
  | AccountBalanceLowEvent
  | AccountStatusChangedEvent
  | ClientChangedEvent
  | ReservationExpiredEvent
  | ClaimDecidedEvent
  | WebhookTestEvent;
