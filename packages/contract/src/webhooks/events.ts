import { CLIENT_CHANGES, EVENT_TYPES, type EventType } from '@keyport/core/events';
import { type Static, type TSchema, Type } from 'typebox';
import { ACCOUNT_STATUSES } from '../accounts/accounts.ts';
import { cursorQuery, dataEnvelope, FEED_META, listEnvelope, waitQuery } from '../envelope.ts';
import { DateTime, Price } from '../formats.ts';
import { Claim } from '../orders/claims.ts';
import { Order } from '../orders/orders.ts';
import { Reservation } from '../orders/reservations.ts';
import { namedObject, objectBy, oneOf, openEnum, strictObject, toQuery } from '../schema.ts';

export const EVENT_RETENTION_DAYS = 30;

/** Defines the form of `data`. */
export const API_VERSION = 'v1';
const EventTypeFilter = oneOf(EVENT_TYPES, 'The type of the event.', { title: 'EventType' });
const OrderEventData = namedObject('OrderEventData', { order: Order });

const OrderRefundedData = namedObject('OrderRefundedData', {
  order: Order,
  refund: strictObject({
    amount: Price,
    items: Type.Array(strictObject({ id: Type.String(), quantity: Type.Integer({ minimum: 1 }) })),
  }),
});

const OrderKeysExpiringData = namedObject('OrderKeysExpiringData', { order: Order, expiresAt: DateTime });
const BalanceLowData = namedObject('BalanceLowData', { balance: Price, threshold: Price });

const AccountStatusData = namedObject('AccountStatusData', {
  status: oneOf(ACCOUNT_STATUSES, 'Status of the account.'),
});

const ClientChangedData = namedObject('ClientChangedData', {
  clientId: Type.String(),
  change: openEnum(CLIENT_CHANGES, 'The change: a new secret, the name, the addresses or the access.'),
});

const ReservationExpiredData = namedObject('ReservationExpiredData', { reservation: Reservation });
const ClaimDecidedData = namedObject('ClaimDecidedData', { claim: Claim });
const WebhookTestData = namedObject('WebhookTestData', { endpointId: Type.String() });

const DATA_BY_TYPE = {
  'order.pending_payment': OrderEventData,
  'order.processing': OrderEventData,
  'order.held': OrderEventData,
  'order.complete': OrderEventData,
  'order.canceled': OrderEventData,
  'order.closed': OrderEventData,
  'order.refunded': OrderRefundedData,
  'order.keys_expiring': OrderKeysExpiringData,
  'account.balance_low': BalanceLowData,
  'account.status_changed': AccountStatusData,
  'claim.decided': ClaimDecidedData,
  'client.changed': ClientChangedData,
  'reservation.expired': ReservationExpiredData,
  'webhook.test': WebhookTestData,
} as const satisfies Record<EventType, TSchema>;

export const Event = objectBy(
  'Event',
  {
    id: Type.String({
      pattern: '^evt_[0-9a-z]{13}$',
      description: 'The same for every delivery of the event.',
      examples: ['evt_0e2k8v3q1m9ds'],
    }),
    apiVersion: Type.String({ description: 'The version of the format of `data`.', examples: [API_VERSION] }),
    type: openEnum(EVENT_TYPES, 'The type of the event.'),
    createdAt: DateTime,
    data: Type.Union([
      OrderKeysExpiringData,
      OrderRefundedData,
      OrderEventData,
      BalanceLowData,
      AccountStatusData,
      ClaimDecidedData,
      ClientChangedData,
      ReservationExpiredData,
      WebhookTestData,
    ]),
  },
  { member: 'type', suffix: 'Event', data: DATA_BY_TYPE },
);
export type Event = Static<typeof Event>;

export const EVENT_CURSOR_RULE =
  'must be the nextCursor of an earlier response to this account, unchanged; leave it out to start from the oldest event, or send `now` to start with the next one';

/** Requests only the cursor after the latest event. */
export const CURSOR_OF_NOW = 'now';
const EVENT_CURSOR = cursorQuery(EVENT_CURSOR_RULE);

export const EventsQuery = toQuery({
  ...EVENT_CURSOR,
  cursor: {
    ...EVENT_CURSOR.cursor,
    description:
      'The `nextCursor` of the previous response, unchanged. `now`: returns no events, and the `nextCursor` after the latest one. Default: from the oldest event.',
  },
  ...waitQuery,
  'types[]': Type.Array(EventTypeFilter, {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    description: 'Only events of these types, as a repeated parameter.',
    'x-rule': `must have 1 to ${EVENT_TYPES.length} values`,
  }),
});

export const Events = listEnvelope(
  Type.Array(Event, { description: 'In commit order.' }),
  namedObject('EventsMeta', FEED_META),
);

export const OneEvent = dataEnvelope(Event);
