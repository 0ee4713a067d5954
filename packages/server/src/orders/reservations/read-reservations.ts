import { withLimit } from '@keyport/contract/orders/reservations';
import { requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../../db/engines/database.ts';
import type { Db } from '../../db/schema.ts';
import { listResponse } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import type { ReservationName } from './end-reservations.ts';
import {
  findReservation,
  loadReservations,
  type ReservationRow,
  reservationsList,
} from './reservations.sql.ts';
import { formatAdminReservation, formatReservation } from './view-reservation.ts';

/** Throws not-found. */
export async function readReservation(db: Db, name: ReservationName): Promise<ReservationRow> {
  return requireFound(await findReservation(db, name), 'reservation');
}

/** Those of one account. */
export function listReservations(
  database: Database,
  query: OperationRequest<'listReservations'>['query'],
  accountId: string,
) {
  const list = listOf(`reservations of ${accountId}`, { ...query, accountId });
  return listResponse(database, { ...list, query: withLimit(query), format: formatReservation });
}

export function listAllReservations(
  database: Database,
  query: OperationRequest<'listAllReservations'>['query'],
) {
  const list = listOf('reservations', query);
  return listResponse(database, { ...list, query: withLimit(query), format: formatAdminReservation });
}

function listOf(name: string, filter: Parameters<typeof reservationsList>[0]) {
  return {
    name,
    list: reservationsList(filter),
    load: loadReservations,
    idOf: ({ number }: ReservationRow) => number,
  };
}
