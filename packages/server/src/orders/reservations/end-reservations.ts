/** Renews, releases and expires reservations. */
import type { AdminReservation, Reservation } from '@keyport/contract/orders/reservations';
import { formatDateTime } from '@keyport/core/date-time';
import { endOf, expiryOf, latestExpiry } from '@keyport/core/orders/reservations';
import { conflict, requireFound } from '@keyport/http/replies/api-error';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import {
  endReservations,
  findReservation,
  type LockedReservation,
  listOverdueReservations,
  lockReservationsOf,
  moveReservationIntoPast,
  updateExpiry,
} from './reservations.sql.ts';
import { describeEnd, formatAdminReservation, formatReservation } from './view-reservation.ts';

/** Which one: of an account, or of any. */
export type ReservationName = { readonly id: string; readonly accountId: string | undefined };

/** Throws not-found. */
async function lockNamed(tx: Tx, name: ReservationName): Promise<LockedReservation> {
  const found = requireFound(await findReservation(tx, name), 'reservation');
  return requireFound((await lockReservationsOf(tx, [found.id]))[0], 'reservation');
}

/** Throws not-found, conflict, reservation-expired and reservation-used. */
export async function renewReservation(
  tx: Tx,
  name: ReservationName,
  ttlSeconds: number,
): Promise<Reservation> {
  const reservation = await lockNamed(tx, name);
  const { id, nowMicros } = reservation;
  const end = endOf(reservation, nowMicros);
  if (end !== undefined) throw describeEnd(end);
  const expiresAtMicros = expiryOf(nowMicros, ttlSeconds);
  const latest = latestExpiry(reservation);
  if (expiresAtMicros > latest) {
    const latestExpiresAt = formatDateTime(latest);
    throw conflict(
      `A reservation lasts at most one hour: this one until ${latestExpiresAt}. Order it, or make a new one.`,
      { latestExpiresAt },
    );
  }
  await updateExpiry(tx, id, expiresAtMicros);
  return formatReservation({ ...reservation, expiresAtMicros });
}

/**
 * Releases it if it is still active; one that is over already, though no worker has seen it yet, expires. Returns whether the
 * catalogue changed. Throws not-found and reservation-used.
 */
export async function releaseReservation(tx: Tx, name: ReservationName) {
  const reservation = await lockNamed(tx, name);
  const { isReleased, ...released } = await release(tx, reservation);
  if (isReleased) await logChanges(tx, { productIds: [released.productId] });
  return { isCatalogueChanged: isReleased };
}

/** The same by an operator, in the audit log. */
export async function releaseAsOperator(
  tx: Tx,
  request: OperationRequest<'releaseAnyReservation'>,
): Promise<AdminReservation> {
  const { reason } = request.body;
  const reservation = await lockNamed(tx, { id: request.params.reservationId, accountId: undefined });
  const { isReleased, ...released } = await release(tx, reservation);
  const { id, accountId, quantity } = released;
  const data = { reservationId: id, quantity, reason };
  await insertAudit(tx, auditRecord(request, 'reservation.release', { accountId, data }));
  if (isReleased) await logChanges(tx, { productIds: [released.productId] });
  return formatAdminReservation(released);
}

async function release(
  tx: Tx,
  reservation: LockedReservation,
): Promise<LockedReservation & { readonly isReleased: boolean }> {
  const end = endOf(reservation, reservation.nowMicros);
  if (end?.status === 'ordered') throw describeEnd(end);
  if (end !== undefined) return { ...reservation, status: end.status, isReleased: false };
  await endReservations(tx, [reservation.number], 'released');
  return { ...reservation, status: 'released', isReleased: true };
}

/** In the sandbox: moves it into the past. Throws not-found and conflict. */
export async function advanceReservation(tx: Tx, name: ReservationName, seconds: number): Promise<void> {
  const { id } = await lockNamed(tx, name);
  if (!(await moveReservationIntoPast(tx, id, seconds)))
    throw conflict('The reservation would be older than 1970. Make a new one.');
}

/** Reservations of one transaction. */
const EXPIRED_AT_ONCE_MAX = 200;

/** Returns the units of all reservations whose time is over. Any node may do it. */
export async function expireReservations(
  database: Database,
  onCatalogueChanged: () => void,
  closing: AbortSignal,
): Promise<void> {
  for (let listed = EXPIRED_AT_ONCE_MAX; listed === EXPIRED_AT_ONCE_MAX && !closing.aborted; ) {
    const ids = await listOverdueReservations(database.kysely, EXPIRED_AT_ONCE_MAX);
    listed = ids.length;
    if (listed === 0) return;
    await runTransaction(database, {}, (tx) => expire(tx, ids));
    onCatalogueChanged();
  }
}

async function expire(tx: Tx, ids: readonly string[]): Promise<void> {
  // Some may have been renewed, ordered or released since they were listed.
  const overdue = (await lockReservationsOf(tx, ids)).filter(
    (reservation) =>
      reservation.status === 'active' && endOf(reservation, reservation.nowMicros) !== undefined,
  );
  await endReservations(
    tx,
    overdue.map(({ number }) => number),
    'expired',
  );
  await logChanges(tx, {
    productIds: overdue.map(({ productId }) => productId),
    events: overdue.map((reservation) => ({
      type: 'reservation.expired',
      accountId: reservation.accountId,
      data: { reservation: formatReservation({ ...reservation, status: 'expired' }) },
    })),
  });
}
