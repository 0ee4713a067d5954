import { RESERVATION_STATUSES, TTL_SECONDS_MAX, TTL_SECONDS_MIN } from '@keyport/core/orders/reservations';
import { type Static, Type } from 'typebox';
import { CURSOR_RULE, cursorQuery } from '../envelope.ts';
import { Currency, DateTime, OrderId, Price, ProductId, Reference, Uuid, UuidInput } from '../formats.ts';
import { namedObject, oneOf, strictObject, toQuery, wholeNumber } from '../schema.ts';
import { CreateOrderBody, ORDER_BODY_RULE } from './orders.ts';

export const TTL_SECONDS_DEFAULT = 900;
const RESERVATIONS_LIMIT_DEFAULT = 20;
const EXAMPLE_RESERVATION_ID = 'rsv_2b7e9c1e53a44c9e9f0f6a4ce5f0d111';

export const ReservationId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Id of the reservation.',
  examples: [EXAMPLE_RESERVATION_ID],
  'x-rule': `must be the id of a reservation, such as ${EXAMPLE_RESERVATION_ID}`,
});

const ReservationStatus = oneOf(
  RESERVATION_STATUSES,
  'Reservation status. `active`: its units are set aside. `ordered`: it became an order. `released`: it was given up. `expired`: it was not ordered in time.',
  { title: 'ReservationStatus' },
);

export const Reservation = namedObject('Reservation', {
  id: { ...ReservationId, pattern: '^rsv_[0-9a-f]{32}$' },
  status: ReservationStatus,
  createdAt: DateTime,
  expiresAt: {
    ...DateTime,
    description: 'From this time on, the reservation cannot be ordered, and its units return to stock.',
  },
  item: strictObject({
    productId: ProductId,
    offerId: Uuid,
    quantity: Type.Integer({ minimum: 1 }),
    price: { ...Price, description: 'The unit price of its order, whatever the offer costs by then.' },
    totalPrice: Price,
  }),
  discount: Price,
  totalPrice: Price,
  currency: Currency,
  orderId: Type.Optional({ ...OrderId, description: 'The order that was placed from it.' }),
  reference: Type.Optional(Type.String({ description: 'Your reference, if you sent one.' })),
});
export type Reservation = Static<typeof Reservation>;
const Ttl = wholeNumber(
  TTL_SECONDS_MIN,
  TTL_SECONDS_MAX,
  'How long the reservation lasts from now on, in seconds.',
);

export const ReservationCreateBody = strictObject(
  { ...CreateOrderBody.properties, ttlSeconds: Type.Optional({ ...Ttl, default: TTL_SECONDS_DEFAULT }) },
  { title: 'CreateReservationRequest', 'x-rule': ORDER_BODY_RULE },
);
export type ReservationCreateBody = Static<typeof ReservationCreateBody>;
export const ReservationRenewBody = strictObject({ ttlSeconds: Ttl });

export const ReservationOrderBody = strictObject({});

export const ReservationsQuery = toQuery({
  status: ReservationStatus,
  reference: { ...Reference, description: 'Only reservations with exactly this reference.' },
  cursor: cursorQuery(CURSOR_RULE).cursor,
  limit: wholeNumber(1, 100, 'At most this many elements.', { default: RESERVATIONS_LIMIT_DEFAULT }),
});

export function withLimit<Query extends { readonly limit?: number }>(query: Query) {
  return { ...query, limit: query.limit ?? RESERVATIONS_LIMIT_DEFAULT };
}

export const AdminReservation = namedObject('AdminReservation', {
  ...Reservation.properties,
  accountId: Uuid,
  accountName: Type.String(),
});
export type AdminReservation = Static<typeof AdminReservation>;
export const AdminReservationsQuery = toQuery({ accountId: UuidInput, ...ReservationsQuery.properties });
const ADVANCE_SECONDS_MAX = 86_400;

export const AdvanceReservationBody = strictObject({
  seconds: Type.Number({
    exclusiveMinimum: 0,
    maximum: ADVANCE_SECONDS_MAX,
    description:
      'The number of seconds by which the times of the reservation move into the past; may be a fraction.',
    examples: [900],
    'x-rule': `must be a number above 0, at most ${ADVANCE_SECONDS_MAX}`,
  }),
});
