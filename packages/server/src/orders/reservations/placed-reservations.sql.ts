/** Sent only for requests with reservations, which are locked after accounts and offers. */
import type {
  OwnReservation,
  PlaceOrder,
  ReservationAllowance,
  ReservedLine,
} from '@keyport/core/orders/place-order';
import type { LinePrice } from '@keyport/core/orders/pricing';
import type { ReservationState } from '@keyport/core/orders/reservations';
import { plainArray, prepareStatement, type Session } from '../../db/engines/prepared.ts';
import { declareColumns } from '../../db/row-columns.ts';
import { microsText } from '../../db/timestamps.ts';

type LockedRow = Omit<ReservationState, 'price'> & Omit<LinePrice, 'sumMinor'> & { quantity: number };

const LOCK_RESERVATIONS = prepareStatement<LockedRow>(
  'lock_reservations',
  `SELECT id, status, ${microsText('created_at')} AS "createdAtMicros", ${microsText('expires_at')} AS "expiresAtMicros",
      order_id::text AS "orderId", first_unit AS "firstUnit", quantity, unit_price_minor AS "unitPriceMinor",
      discount_minor AS "discountMinor", total_price_minor AS "totalPriceMinor"
    FROM reservation WHERE id = ANY ($1::text[]) ORDER BY number FOR NO KEY UPDATE`,
);

export async function lockReservations(
  session: Session,
  commands: readonly PlaceOrder[],
): Promise<Map<string, ReservationState>> {
  const ids = commands.flatMap(({ reservationId }) => reservationId ?? []);
  const rows = ids.length === 0 ? [] : await LOCK_RESERVATIONS.send(session, [ids]);
  return new Map(
    rows.map(({ quantity, discountMinor, totalPriceMinor, ...row }) => {
      const price = { sumMinor: row.unitPriceMinor * quantity, discountMinor, totalPriceMinor };
      return [row.id, { ...row, price }];
    }),
  );
}

const LOAD_ALLOWANCES = prepareStatement<{ id: string; max: number; units: number }>(
  'load_reservation_allowances',
  `SELECT account.id, account.reserved_units_max AS max, (
      SELECT coalesce(sum(quantity), 0)::integer FROM reservation
      WHERE reservation.account_id = account.id AND reservation.status = 'active' AND expires_at > transaction_timestamp()
    ) AS units
    FROM account WHERE account.id = ANY ($1::uuid[])`,
);

/** By account id. The accounts must be locked. Index: reservation_active_ix. */
export async function loadAllowances(
  session: Session,
  commands: readonly PlaceOrder[],
): Promise<Map<string, ReservationAllowance>> {
  const ids = commands.flatMap(({ reserve, accountId }) => (reserve === undefined ? [] : [accountId]));
  const rows = ids.length === 0 ? [] : await LOAD_ALLOWANCES.send(session, [plainArray(ids)]);
  return new Map(rows.map(({ id, max, units }) => [id, { unitsMax: max, units }]));
}

const LOAD_OWN_RESERVATIONS = prepareStatement<OwnReservation>(
  'load_own_reservations',
  `SELECT reservation.id, account_id AS "accountId", offer_id AS "offerId", quantity, reference
    FROM (SELECT DISTINCT account_id, offer_id FROM unnest($1::uuid[], $2::uuid[]) AS pair (account_id, offer_id)) AS wanted
    JOIN reservation USING (account_id, offer_id)
    WHERE reservation.status = 'active' AND expires_at > transaction_timestamp()
    ORDER BY number`,
);

/** Index: reservation_active_ix. */
export function loadOwnReservations(
  session: Session,
  wanted: readonly Pick<OwnReservation, 'accountId' | 'offerId'>[],
): Promise<OwnReservation[]> {
  return LOAD_OWN_RESERVATIONS.send(session, [
    plainArray(wanted.map(({ accountId }) => accountId)),
    plainArray(wanted.map(({ offerId }) => offerId)),
  ]);
}

export type NewReservation = ReservedLine & {
  /** Without traceId. */
  readonly response: string;
};

const RESERVATIONS = declareColumns<NewReservation>({
  id: ['text', ({ id }) => id],
  account_id: ['uuid', ({ command }) => command.accountId],
  offer_id: ['uuid', ({ offer }) => offer.id],
  key: ['uuid', ({ command }) => command.idempotencyKey],
  fingerprint: ['text', ({ command }) => command.fingerprint],
  response: ['text', ({ response }) => response],
  first_unit: ['integer', ({ firstUnit }) => firstUnit],
  quantity: ['smallint', ({ command }) => command.line.quantity],
  unit_price: ['bigint', ({ offer }) => offer.priceMinor],
  max_price: ['bigint', ({ command }) => command.line.maxPriceMinor],
  discount: ['bigint', ({ price }) => price.discountMinor],
  total: ['bigint', ({ price }) => price.totalPriceMinor],
  reference: ['text', ({ command }) => command.line.reference ?? null],
  expires: ['bigint', ({ expiresAtMicros }) => expiresAtMicros],
});

const INSERT_RESERVATIONS = prepareStatement<never>(
  'insert_reservations',
  `INSERT INTO reservation (id, account_id, offer_id, idempotency_key, fingerprint, response, first_unit, quantity,
      unit_price_minor, max_price_minor, discount_minor, total_price_minor, reference, reserved_at, created_at, expires_at)
    SELECT id, account_id, offer_id, key, fingerprint, response, first_unit, quantity, unit_price, max_price, discount, total,
      reference, transaction_timestamp(), transaction_timestamp(), to_timestamp(0) + expires * interval '1 microsecond'
    FROM ${RESERVATIONS.unnest(1, 'reserved')}`,
);

export function insertReservations(
  session: Session,
  reservations: readonly NewReservation[],
): Promise<unknown> {
  return INSERT_RESERVATIONS.send(session, RESERVATIONS.arrays(reservations));
}

const ORDER_RESERVATIONS = prepareStatement<never>(
  'order_reservations',
  `WITH changed AS (
      UPDATE reservation SET status = 'ordered', order_id = placed.order_id
      FROM unnest($1::text[], $2::bigint[]) AS placed (id, order_id)
      WHERE reservation.id = placed.id AND reservation.status = 'active'
      RETURNING reservation.number, reservation.order_id
    ), noted AS (
      UPDATE "order" SET reservation = changed.number FROM changed WHERE "order".id = changed.order_id
    )
    SELECT must_equal('reservations ordered', (SELECT count(*) FROM changed), cardinality($1))`,
);

export function orderReservations(
  session: Session,
  orders: readonly { readonly id: string; readonly reservationId: string }[],
): Promise<unknown> {
  return ORDER_RESERVATIONS.send(session, [
    orders.map(({ reservationId }) => reservationId),
    plainArray(orders.map(({ id }) => id)),
  ]);
}
