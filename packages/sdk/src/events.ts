/** What an event says; the same whether it is pulled or pushed. */
import type { Order } from './generated/reseller-contract.ts';

/** What all events have. */
export interface EventOf<Type extends string, Data> {
  /** The same however often the event comes: handle it once. */
  readonly id: string;
  readonly type: Type;
  readonly createdAt: string;
  readonly data: Data;
}

/** An order got this status. */
export type OrderStatusEvent = EventOf<
  | 'order.pending_payment'
  | 'order.complete'
  | 'order.held'
  | 'order.processing'
  | 'order.canceled'
  | 'order.closed',
  { readonly order: Order }
>;

/** A refund was booked, of all or of a part. */
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

/** The keys of an order were never read, and can be for some hours only. */
export type OrderKeysExpiringEvent = EventOf<
  'order.keys_expiring',
  { readonly order: Order; readonly expiresAt: string }
>;

/** The balance fell below the threshold of the account. */
export type AccountBalanceLowEvent = EventOf<
  'account.balance_low',
  { readonly balance: string; readonly threshold: string }
>;

/** The account is active, suspended or closed now. */
export type AccountStatusChangedEvent = EventOf<'account.status_changed', { readonly status: string }>;

/** Asked for with `webhookEndpoints.test`. */
export type WebhookTestEvent = EventOf<'webhook.test', { readonly endpointId: string }>;

/** Something that happened to the account or an order of it. New types may come: leave those alone that you do not know. */
export type KeyportEvent =
  | OrderStatusEvent
  | OrderRefundedEvent
  | OrderKeysExpiringEvent
  | AccountBalanceLowEvent
  | AccountStatusChangedEvent
  | WebhookTestEvent;
