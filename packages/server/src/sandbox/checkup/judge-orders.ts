/** The checks' texts in the contract state the tolerances. A337. */
import {
  type ClientRequest,
  distinct,
  type Fault,
  isAfter,
  isOrder,
  isSuccess,
  type Judge,
  type PlacedOrder,
  type Surroundings,
  toOrderId,
  toQuery,
} from './client-request.ts';

/** A later order is independent. */
const REORDER_MS = 10 * 60_000;
/** More concurrent orders come from several buyers or a load test. */
const CROWD = 4;
const KEYLESS_ORDERS = 3;
const BLIND_REPEAT_MS = 60_000;
/** People take longer. */
const AUTOMATIC_REPEAT_MS = 1000;
const SAME_KEY_REPEATS_MAX = 2;

export type KeyedOrder = ClientRequest & { readonly key: string };

export function toOrders(history: readonly ClientRequest[]): KeyedOrder[] {
  return history.filter((seen): seen is KeyedOrder => isOrder(seen) && seen.key !== undefined);
}

function isOfReservation(seen: ClientRequest, open: KeyedOrder): boolean {
  const [id = ''] = open.operation === 'orderReservation' ? (open.wanted ?? []) : [];
  return id !== '' && seen.operation === 'orderReservation' && seen.wanted?.[0] === id;
}

type Uncertainty = 'was placed' | 'will be paid' | 'will be released';

function toUncertainty(
  { status, code }: ClientRequest,
  order: PlacedOrder | undefined,
  { probes }: Surroundings,
): Uncertainty | undefined {
  if (status === null || status >= 500 || code === 'idempotency-key-processing') return 'was placed';
  // Events show the client the outcome.
  if (probes['webhook-signature'].isSeen) return undefined;
  if (code === 'order-not-paid') return 'will be paid';
  return status === 201 && order?.wasHeld === true ? 'will be released' : undefined;
}

export const judgeOrderRetries: Judge = (history, surroundings) => {
  const orders = toOrders(history);
  const placed = new Map(surroundings.placed.map((order) => [order.key, order]));
  const toProducts = (order: KeyedOrder) =>
    order.wanted?.map((id) => surroundings.toProduct.get(id) ?? id) ??
    [placed.get(order.key)?.productId].filter((id) => id != null);
  const faults: Fault[] = [];
  let isSeen = false;
  for (const open of orders) {
    const uncertainty = toUncertainty(open, placed.get(open.key), surroundings);
    if (uncertainty === undefined) continue;
    const attempts = orders.filter(({ key }) => key === open.key);
    const retries = attempts.filter((order) => isAfter(order, open));
    isSeen ||= retries.length > 0;
    const differing = retries.find(({ payload }) => payload !== undefined && payload !== open.payload);
    if (open.payload !== undefined && differing !== undefined) {
      faults.push({
        seen: differing,
        note: 'The retry of an order has the same key, but a different payload.',
      });
    }
    // A network may send a request twice; one certain response is enough.
    const isKnown = attempts.some(
      (order) => toUncertainty(order, placed.get(open.key), surroundings) === undefined,
    );
    if (retries.length > 0 || isKnown) continue;
    if (surroundings.gapUntilMs >= open.endedAtMs) continue;
    const products = new Set(toProducts(open));
    const ofProduct = orders.filter((order) => toProducts(order).some((id) => products.has(id)));
    const again = findReorder(history, ofProduct, open, placed.get(open.key)?.id);
    if (again === undefined) continue;
    const note = `A new key for the same product, while it was unknown whether the order with the key ${open.key} ${uncertainty}.`;
    faults.push({ seen: again, note });
  }
  return { isSeen, faults: distinct(faults) };
};

function findReorder(
  history: readonly ClientRequest[],
  ofProduct: readonly KeyedOrder[],
  open: KeyedOrder,
  orderId: string | undefined,
): ClientRequest | undefined {
  const firstWithKey = new Map(ofProduct.toReversed().map((order) => [order.key, order]));
  const again = ofProduct.find(
    (order) =>
      order.key !== open.key &&
      !isOfReservation(order, open) &&
      firstWithKey.get(order.key) === order &&
      isAfter(order, open) &&
      order.startedAtMs - open.endedAtMs <= REORDER_MS,
  );
  if (again === undefined) return undefined;
  const concurrent = ofProduct.filter((order) => !isAfter(order, again) && !isAfter(again, order));
  if (concurrent.length > CROWD) return undefined;
  // Earlier reads do not count: clients repeat a long poll for events anyway.
  const hasLooked = history.some(
    (seen) => isLook(seen, open, orderId) && isAfter(seen, open) && isAfter(again, seen),
  );
  return hasLooked ? undefined : again;
}

function isLook(seen: ClientRequest, open: KeyedOrder, orderId: string | undefined): boolean {
  const showsReservation = seen.operation === 'getReservation' || seen.operation === 'listReservations';
  if (open.operation === 'orderReservation' && showsReservation) return isSuccess(seen);
  if (seen.code === 'reservation-used') return isOfReservation(seen, open);
  if (seen.operation === 'listOrders') return isSuccess(seen) && isOf(toQuery(seen).get('orderId'), orderId);
  if (seen.operation === 'listEvents') return isSuccess(seen) && showsOrders(toQuery(seen));
  const isOfOrder = seen.operation === 'getOrder' || seen.operation === 'getOrderKeys';
  return isOfOrder && seen.status !== null && seen.status < 500 && toOrderId(seen) === orderId;
}

function isOf(filter: string | null, orderId: string | undefined): boolean {
  return filter === null || filter === orderId;
}

function showsOrders(query: URLSearchParams): boolean {
  const types = [...query].filter(([name]) => name.startsWith('types[')).map(([, type]) => type);
  return (
    query.get('cursor') !== 'now' && (types.length === 0 || types.some((type) => type.startsWith('order.')))
  );
}

/** These leave the key unused. */
const UNCOUNTED: readonly (number | null)[] = [401, 403, 404, 408, 413, 415, 429];
const UNCOUNTED_CODES: readonly (string | null | undefined)[] = [
  'validation-error',
  'reservation-expired',
  'reservation-used',
  'conflict',
];

function toPayload({ operation, payload, wanted }: KeyedOrder): string | undefined {
  return operation === 'orderReservation' ? wanted?.[0] : payload;
}

export const judgeOnePayload: Judge = (history) => {
  const counted = toOrders(history).filter(
    (order) =>
      toPayload(order) !== undefined &&
      !UNCOUNTED.includes(order.status) &&
      !UNCOUNTED_CODES.includes(order.code),
  );
  // A37.
  const byKey = Map.groupBy(counted, ({ operation, key }) => `${operation} ${key}`);
  const faults = Array.from(byKey.values()).flatMap(([first, ...others]): Fault[] => {
    const other = others.find((order) => first !== undefined && toPayload(order) !== toPayload(first));
    return other === undefined
      ? []
      : [{ seen: other, note: 'The key was used before, with a different payload.' }];
  });
  return { isSeen: counted.length > 0, faults: [...faults, ...findKeyless(history)] };
};

function findKeyless(history: readonly ClientRequest[]): Fault[] {
  let count = 0;
  for (const seen of history) {
    if (!isOrder(seen)) continue;
    if (seen.key !== undefined) count = 0;
    else if (seen.code === 'validation-error') count += 1;
    if (count === KEYLESS_ORDERS)
      return [{ seen, note: `The last of ${count} consecutive orders without a valid Idempotency-Key.` }];
  }
  return [];
}

const CATALOGUE_READS: readonly ClientRequest['operation'][] = [
  'listProductOffers',
  'listProductChanges',
  'getProduct',
  'getProductOffers',
  'listProductDetails',
  'updateSandboxOffer',
];

const ACCOUNT_READS: readonly ClientRequest['operation'][] = [
  'getOwnAccount',
  'listEvents',
  'updateSandboxAccount',
];

/** Reads and changes after which the order may succeed. */
const REJECTIONS: Readonly<Record<string, readonly ClientRequest['operation'][]>> = {
  'max-price-exceeded': CATALOGUE_READS,
  'offer-not-available': CATALOGUE_READS,
  'insufficient-funds': ACCOUNT_READS,
  'payment-went-wrong': ACCOUNT_READS,
  'payment-not-configured': ACCOUNT_READS,
};

export const judgeBlindRepeats: Judge = (history, { gapUntilMs }) => {
  const orders = toOrders(history);
  const rejected = orders.filter(({ code }) => Object.hasOwn(REJECTIONS, code ?? ''));
  const faults = rejected.flatMap((rejection): Fault[] => {
    const { code } = rejection;
    const [repeat] = gapUntilMs < rejection.endedAtMs ? findBlindRepeats(history, orders, rejection) : [];
    if (repeat !== undefined)
      return [{ seen: repeat, note: `The same order as the one that had just been rejected: ${code}.` }];
    const sameKey = orders.filter((order) => order.key === rejection.key && isAfter(order, rejection));
    const third = sameKey[SAME_KEY_REPEATS_MAX];
    return third === undefined ? [] : [{ seen: third, note: `The third repeat after ${code}.` }];
  });
  return { isSeen: rejected.length > 0, faults: distinct(faults) };
};

/** Consecutive repeats with new keys and no read in between; empty if too few to blame the client. */
function findBlindRepeats(
  history: readonly ClientRequest[],
  orders: readonly KeyedOrder[],
  rejection: KeyedOrder,
): KeyedOrder[] {
  const repeats: KeyedOrder[] = [];
  let before = rejection;
  for (const order of orders) {
    const isSame = order.payload !== undefined && order.payload === rejection.payload;
    if (!isSame || order.key === before.key || !isAfter(order, before)) continue;
    if (order.startedAtMs - before.endedAtMs > BLIND_REPEAT_MS || hasRead(history, before, order)) break;
    repeats.push(order);
    before = order;
  }
  const [first] = repeats;
  if (first === undefined) return [];
  // Other buyers may want a sold-out offer; only the same buyer repeats its price so fast.
  const isAutomatic =
    rejection.code === 'max-price-exceeded' && first.startedAtMs - rejection.endedAtMs <= AUTOMATIC_REPEAT_MS;
  return isAutomatic || repeats.length > 1 ? repeats : [];
}

function hasRead(
  history: readonly ClientRequest[],
  rejection: ClientRequest,
  repeat: ClientRequest,
): boolean {
  const reads = REJECTIONS[rejection.code ?? ''] ?? [];
  return history.some(
    (seen) =>
      reads.includes(seen.operation) &&
      seen.endedAtMs >= rejection.endedAtMs &&
      seen.startedAtMs <= repeat.startedAtMs,
  );
}
