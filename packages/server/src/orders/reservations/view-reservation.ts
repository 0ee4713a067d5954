import { CURRENCY } from '@keyport/contract/formats';
import type { AdminReservation, Reservation } from '@keyport/contract/orders/reservations';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { ReservedLine } from '@keyport/core/orders/place-order';
import type { ReservationEnd } from '@keyport/core/orders/reservations';
import { ApiError, conflict } from '@keyport/http/replies/api-error';
import type { ReservationRow } from './reservations.sql.ts';

export type ReservationView = Omit<ReservationRow, 'number' | 'accountId' | 'accountName' | 'maxPriceMinor'>;

export function formatReservation(row: ReservationView): Reservation {
  return {
    id: row.id,
    status: row.status,
    createdAt: formatDateTime(row.createdAtMicros),
    expiresAt: formatDateTime(row.expiresAtMicros),
    item: {
      productId: row.productId,
      offerId: row.offerId,
      quantity: row.quantity,
      price: formatMinor(row.unitPriceMinor),
      totalPrice: formatMinor(row.unitPriceMinor * row.quantity),
    },
    discount: formatMinor(row.discountMinor),
    totalPrice: formatMinor(row.totalPriceMinor),
    currency: CURRENCY,
    ...(row.orderId === null ? {} : { orderId: row.orderId }),
    ...(row.reference === null ? {} : { reference: row.reference }),
  };
}

export function formatAdminReservation(row: ReservationRow): AdminReservation {
  return { ...formatReservation(row), accountId: row.accountId, accountName: row.accountName };
}

/** Without its traceId. */
export function reservedBody({ offer, ...reserved }: ReservedLine, createdAtMicros: number): string {
  const { price, command } = reserved;
  return JSON.stringify({
    data: formatReservation({
      ...reserved,
      ...price,
      status: 'active',
      createdAtMicros,
      productId: offer.productId,
      offerId: offer.id,
      unitPriceMinor: offer.priceMinor,
      quantity: command.line.quantity,
      orderId: null,
      reference: command.line.reference ?? null,
    }),
  });
}

export function describeEnd(end: ReservationEnd): ApiError {
  switch (end.status) {
    case 'ordered':
      return new ApiError('reservation-used', { data: { orderId: end.orderId } });
    case 'expired':
      return new ApiError('reservation-expired');
    case 'released':
      return conflict('The reservation was released. Make a new one.', { reservationStatus: end.status });
  }
}
