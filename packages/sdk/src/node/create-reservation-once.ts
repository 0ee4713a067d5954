import type { Reservation } from '../generated/reseller-contract.ts';
import type { Keyport } from '../keyport.ts';
import type { CallOptions } from '../options.ts';
import type { ReservationRequest } from '../resources/reservations.ts';
import { writeOnce } from './write-once.ts';

/**
 * Makes the reservation of the journal file once, as `createOrderOnce` places an order. Later runs return the reservation as it
 * was made, without a request; `reservations.get` returns its current status. It becomes at most one order: after a crash call
 * `reservations.order` again. If it was ordered before, that is rejected with `reservation-used` and the `orderId`.
 *
 * A rejection, such as `offer-not-available`, means that nothing is reserved: the file is removed, and the next run is a new
 * attempt. The file of a reservation that expired stays: reserve again with another file.
 *
 * @example
 * ```ts
 * const { id, totalPrice } = await createReservationOnce(keyport, 'sales/4711.json', {
 *   auto: { productId, quantity: 1, maxPrice: '15.00' },
 *   reference: '4711',
 * });
 * if (await customerPays(totalPrice)) await keyport.reservations.order(id);
 * ```
 * @throws {@link JournalError} if the file is damaged or belongs to a different purchase; nothing is sent then.
 */
export function createReservationOnce(
  keyport: Keyport,
  journalFile: string,
  request: ReservationRequest,
  options: CallOptions = {},
): Promise<Reservation> {
  const write = {
    kind: 'reservation',
    request,
    send: (stored: ReservationRequest, keyed: CallOptions) => keyport.reservations.create(stored, keyed),
    by: 'createReservationOnce',
    suspicion: 'The units may be reserved: look for them (reservations.list)',
  } as const;
  return writeOnce(keyport, journalFile, write, options);
}
