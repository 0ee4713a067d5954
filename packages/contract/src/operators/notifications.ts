import { type Static, Type } from 'typebox';
import { CURSOR_QUERY, ListMeta, listEnvelope } from '../envelope.ts';
import { DateTime } from '../formats.ts';
import { flag } from '../lists.ts';
import { count, namedObject, nullable, oneOf, strictObject, toMembers, toQuery } from '../schema.ts';

export const NOTIFICATION_EVENTS = [
  'held-order',
  'approval',
  'claim',
  'endpoint',
  'invariant',
  'low-stock',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];
export type NotificationChannel = 'console' | 'mail';

const EVENT =
  '`held-order`: an order is held. `approval`: a write that you may approve is pending. `claim`: a claim is open. `endpoint`: a webhook endpoint is failing. `invariant`: an invariant is violated. `low-stock`: an offer is running out.';

const NotificationId = Type.String({
  pattern: '^[0-9]{1,15}$',
  examples: ['17'],
  'x-rule': 'must be the id of a notification',
});

export const NotificationsQuery = toQuery({
  unread: flag('true: only unread notifications.'),
  ...CURSOR_QUERY,
});

const Notification = namedObject('Notification', {
  id: NotificationId,
  event: oneOf(NOTIFICATION_EVENTS, EVENT),
  subject: Type.String({
    description: 'The id of the order, approval, claim, endpoint, invariant or offer.',
    examples: ['2174556001234567'],
  }),
  title: Type.String({ description: 'The name or state of the subject at that time.' }),
  path: Type.String({
    description: 'The page of the subject, below `/console`.',
    examples: ['/orders/2174556001234567'],
  }),
  at: DateTime,
  endedAt: nullable(DateTime, { description: 'When it stopped needing attention.' }),
  unread: Type.Boolean({ description: 'Whether it needs attention and you have not marked it as read.' }),
});
export type Notification = Static<typeof Notification>;
const unread = count('The number of unread notifications, at most 1000.');

export const Notifications = listEnvelope(
  Type.Array(Notification),
  namedObject('NotificationsMeta', { ...ListMeta.properties, unread }),
);

export const NotificationsReadBody = strictObject({
  upTo: { ...NotificationId, description: 'This notification and all earlier ones become read.' },
});

export const NotificationsRead = namedObject('NotificationsRead', { unread });
const CHANNELS = strictObject({ console: Type.Boolean(), mail: Type.Boolean() });

const EVENTS = strictObject(toMembers(NOTIFICATION_EVENTS, CHANNELS), {
  description: 'Where you are notified of each event.',
});
export type NotificationChoices = Static<typeof EVENTS>;
export const NotificationPreferencesBody = strictObject({ events: EVENTS });

const FAILURE = {
  failingSince: nullable(DateTime, {
    description: 'The time since which sending has failed; the service retries.',
  }),
  error: nullable(Type.String({ description: 'Why messages cannot be sent.' })),
};

export const NotificationPreferences = namedObject('NotificationPreferences', {
  events: EVENTS,
  mail: strictObject({
    address: nullable(Type.String(), { description: 'null: this service sends you no mail.' }),
    ...FAILURE,
  }),
});
export type NotificationPreferences = Static<typeof NotificationPreferences>;
