import type {
  CreateOrderItem,
  ListReservationsQuery,
  Order,
  Reservation,
} from '../generated/reseller-contract.ts';
import type { CallOptions } from '../options.ts';
import type { Call } from '../requests/call.ts';
import { CursorList } from '../requests/lists.ts';
import { segment } from '../requests/segment.ts';
import { Resource } from '../requests/transport.ts';

/** The item to reserve, and the duration. */
export type ReservationRequest = CreateOrderItem & {
  /** Your order number, which the reservation's order shows. */
  readonly reference?: string | undefined;
  /** Seconds until it expires: 60 to 1800, 900 by default. */
  readonly ttlSeconds?: number | undefined;
};

const PATH = '/export/v1/reservations';
const toPath = (id: string) => `${PATH}/${segment('reservationId', id)}`;

/** `keyport.reservations` */
export class Reservations extends Resource {
  /**
   * Sets units aside at their current price and discount. Charges nothing, and reserves once, even after retries.
   *
   * @example
   * ```ts
   * const line = { productId, quantity: 1, maxPrice: '15.00' };
   * const { id, totalPrice } = await keyport.reservations.create({ auto: line, ttlSeconds: 600 });
   * if (await customerPays(totalPrice)) await keyport.reservations.order(id);
   * else await keyport.reservations.release(id);
   * ```
   */
  create({ ttlSeconds, reference, ...item }: ReservationRequest, options?: CallOptions): Call<Reservation> {
    return this.transport.write('POST', PATH, { items: [item], reference, ttlSeconds }, options);
  }

  /** Newest first. */
  list(
    filters: ListReservationsQuery & CallOptions = {},
    options: CallOptions = {},
  ): CursorList<Reservation> {
    return new CursorList(this.transport, PATH, filters, options);
  }

  /** One reservation in its current state. */
  get(id: string, options?: CallOptions): Call<Reservation> {
    return this.transport.read(toPath(id), options);
  }

  /** Expires `ttlSeconds` from now, at most one hour after its creation. */
  renew(id: string, input: { readonly ttlSeconds: number }, options?: CallOptions): Call<Reservation> {
    return this.transport.write('POST', `${toPath(id)}/renew`, input, options);
  }

  /** Returns the units to stock. Rejected with `reservation-used` if it was ordered. */
  release(id: string, options?: CallOptions): Call<void> {
    return this.transport.write('DELETE', toPath(id), undefined, options);
  }

  /**
   * Orders the reserved units at the reserved price, like `orders.create`. After `insufficient-funds` or
   * `payment-went-wrong` the reservation stays active: call again when the payment can succeed. Rejected with
   * `reservation-expired` if it expired.
   */
  order(id: string, options?: CallOptions): Call<Order> {
    return this.transport.write('POST', `${toPath(id)}/order`, {}, options);
  }
}
