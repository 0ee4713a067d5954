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
import { formatReservation } from './view-reservation.ts';

/** Throws not-found. */
export async function readReservation(db: Db, name: ReservationName): Promise<ReservationRow> {
  return requireFound(await findReservation(db, name), 'reservation');
}

export function listReservations(
  database: Database,
  query: OperationRequest<'listReservations'>['query'],
  accountId: string,
) {
  return listResponse(database, {
    name: `reservations of ${accountId}`,
    query: withLimit(query),
    list: reservationsList({ accountId, status: query.status }),
    load: loadReservations,
    idOf: ({ number }: ReservationRow) => number,
    format: formatReservation,
  });
}
