import {
  type ClientRequest,
  type Fault,
  isSuccess,
  type KeyedOrder,
  namePurchase,
  type Surroundings,
  toStarts,
} from './client-request.ts';

/**
 * A reference names one purchase. A second order or reservation with it is a fault, even after the client read the first
 * one, until the first one has ended. Only what the database has counts as first, so that a rejection does not.
 */
export function findSecondPurchases(history: readonly ClientRequest[], surroundings: Surroundings): Fault[] {
  const { gapUntilMs, meanings } = surroundings;
  const named = toStarts(history).filter(({ reference }) => reference !== undefined);
  const purchases = Map.groupBy(named, ({ wanted: [id = ''] = [], reference }) =>
    namePurchase(id, reference, meanings),
  );
  return Array.from(purchases.values()).flatMap((starts) =>
    starts.flatMap((second, index): Fault[] => {
      const isOpen = (first: KeyedOrder) =>
        first.key !== second.key &&
        first.endedAtMs > gapUntilMs &&
        findEnd(first, history, surroundings) > second.endedAtMs;
      const first = starts.slice(0, index).find(isOpen);
      if (first === undefined) return [];
      const what = first.operation === 'createOrder' ? 'ordered' : 'reserved';
      return [{ seen: second, note: `This reference was ${what} before, with the key ${first.key}.` }];
    }),
  );
}

/** In milliseconds; -Infinity if the purchase was never made. */
function findEnd(
  { operation, key }: KeyedOrder,
  history: readonly ClientRequest[],
  { placed, reserved }: Surroundings,
): number {
  const order = placed.find((one) => operation === 'createOrder' && one.key === key);
  if (order !== undefined) return order.endedAtMs ?? Number.POSITIVE_INFINITY;
  const reservation = reserved.find((one) => operation === 'createReservation' && one.key === key);
  if (reservation === undefined) return Number.NEGATIVE_INFINITY;
  const release = history.find(
    (seen) =>
      seen.operation === 'releaseReservation' && isSuccess(seen) && seen.request.endsWith(reservation.id),
  );
  return release?.startedAtMs ?? reservation.endedAtMs ?? Number.POSITIVE_INFINITY;
}
