import { type AdminReservation, type Reservation, withLimit } from '@keyport/contract/orders/reservations';
import { formatDateTime } from '@keyport/core/date-time';
import { computeExpiry, latestExpiry, toEnd } from '@keyport/core/orders/reservations';
import { conflict, requireFound } from '@keyport/http/replies/api-error';
import { audit } from '../../audit/action.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import { listResponse } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import * as sql from './reservations.sql.ts';
import { describeEnd, formatAdminReservation, formatReservation } from './view-reservation.ts';

/** `accountId`: undefined for any account. */
export type ReservationName = { readonly id: string; readonly accountId: string | undefined };

export async function readReservation(db: Db, name: ReservationName): Promise<sql.ReservationRow> {
  return requireFound(await sql.findReservation(db, name), 'reservation');
}

export function listReservations(
  database: Database,
  query: OperationRequest<'listReservations'>['query'],
  accountId: string,
) {
  const list = toList(`reservations of ${accountId}`, { ...query, accountId });
  return listResponse(database, { ...list, query: withLimit(query), format: formatReservation });
}

export function listAllReservations(
  database: Database,
  query: OperationRequest<'listAllReservations'>['query'],
) {
  const list = toList('reservations', query);
  return listResponse(database, { ...list, query: withLimit(query), format: formatAdminReservation });
}

function toList(name: string, filter: Parameters<typeof sql.reservationsList>[0]) {
  const toId = ({ number }: sql.ReservationRow) => number;
  return { name, list: sql.reservationsList(filter), load: sql.loadReservations, toId };
}

async function lockNamed(tx: Tx, name: ReservationName): Promise<sql.LockedReservation> {
  const { id } = await readReservation(tx, name);
  return requireFound((await sql.lockReservationsOf(tx, [id]))[0], 'reservation');
}

/** Throws not-found, conflict, reservation-expired and reservation-used. */
export async function renewReservation(
  tx: Tx,
  name: ReservationName,
  ttlSeconds: number,
): Promise<Reservation> {
  const reservation = await lockNamed(tx, name);
  const { id, nowMicros } = reservation;
  const end = toEnd(reservation, nowMicros);
  if (end !== undefined) throw describeEnd(end);
  const expiresAtMicros = computeExpiry(nowMicros, ttlSeconds);
  const latest = latestExpiry(reservation);
  if (expiresAtMicros > latest) {
    const latestExpiresAt = formatDateTime(latest);
    throw conflict(
      `A reservation lasts at most one hour; this one can last until ${latestExpiresAt}. Order it, or make a new one.`,
      { latestExpiresAt },
    );
  }
  await sql.updateExpiry(tx, id, expiresAtMicros);
  return formatReservation({ ...reservation, expiresAtMicros });
}

/** Throws not-found and reservation-used. Returns whether the catalogue changed. */
export async function releaseReservation(tx: Tx, name: ReservationName): Promise<boolean> {
  const { isReleased, productId } = await release(tx, name);
  if (isReleased) await logChanges(tx, { productIds: [productId] });
  return isReleased;
}

export async function releaseAsOperator(
  tx: Tx,
  request: OperationRequest<'releaseAnyReservation'>,
): Promise<AdminReservation> {
  const { reason } = request.body;
  const released = await release(tx, { id: request.params.reservationId, accountId: undefined });
  const { id, accountId, quantity, isReleased, productId } = released;
  const data = { reservationId: id, quantity, reason };
  await audit(tx, request, 'reservation.release', { accountId, data });
  if (isReleased) await logChanges(tx, { productIds: [productId] });
  return formatAdminReservation(released);
}

async function release(tx: Tx, name: ReservationName) {
  const reservation = await lockNamed(tx, name);
  const end = toEnd(reservation, reservation.nowMicros);
  if (end?.status === 'ordered') throw describeEnd(end);
  if (end === undefined) await sql.endReservations(tx, [reservation.number], 'released');
  return { ...reservation, status: end?.status ?? 'released', isReleased: end === undefined };
}

/** Sandbox only. Throws not-found and conflict. */
export async function advanceReservation(tx: Tx, name: ReservationName, seconds: number): Promise<void> {
  const { id } = await lockNamed(tx, name);
  if (!(await sql.moveReservationIntoPast(tx, id, seconds)))
    throw conflict('The reservation would be dated before 1970. Make a new one.');
}

export const EXPIRED_AT_ONCE_MAX = 200;

/** Returns how many were overdue. */
export async function expireReservations(
  database: Database,
  onCatalogueChanged: () => void,
): Promise<number> {
  const ids = await sql.listOverdueReservations(database.db, EXPIRED_AT_ONCE_MAX);
  if (ids.length === 0) return 0;
  await runTransaction(database, {}, (tx) => expire(tx, ids));
  onCatalogueChanged();
  return ids.length;
}

async function expire(tx: Tx, ids: readonly string[]): Promise<void> {
  // Some may have changed since they were listed.
  const overdue = (await sql.lockReservationsOf(tx, ids)).filter(
    (reservation) =>
      reservation.status === 'active' && toEnd(reservation, reservation.nowMicros) !== undefined,
  );
  const numbers = overdue.map(({ number }) => number);
  await sql.endReservations(tx, numbers, 'expired');
  await logChanges(tx, {
    productIds: overdue.map(({ productId }) => productId),
    events: overdue.map((reservation) => ({
      type: 'reservation.expired',
      accountId: reservation.accountId,
      data: { reservation: formatReservation({ ...reservation, status: 'expired' }) },
    })),
  });
}
