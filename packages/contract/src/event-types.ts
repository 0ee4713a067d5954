/** What an event can tell of. */
export const EVENT_TYPES = [
  'order.pending_payment',
  'order.complete',
  'order.held',
  'order.processing',
  'order.canceled',
  'order.closed',
  'order.refunded',
  'order.keys_expiring',
  'account.balance_low',
  'account.status_changed',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
