/** The checks' texts in the contract state the tolerances. A337. */
import { findSecondPurchases } from './bought-twice.ts';
import {
  type ClientRequest,
  distinct,
  type Fault,
  isAfter,
  isOrder,
  isSuccess,
  type Judge,
  type KeyedOrder,
  namePurchase,
  type PlacedOrder,
  toOrderId,
  toOrders,
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

function isOfReservation(seen: ClientRequest, open: KeyedOrder): boolean {
  const [id = ''] = open.operation === 'orderReservation' ? (open.wanted ?? []) : [];
  return id !== '' && seen.operation === 'orderReservation' && seen.wanted?.[0] === id;
}

/** A status below 500 shows the client whether the order was placed: 402 order-not-paid names the order. */
function isUncertain({ status, code }: ClientRequest): boolean {
  return status === null || status >= 500 || code === 'idempotency-key-processing';
}

export const judgeOrderRetries: Judge = (history, surroundings) => {
  const orders = toOrders(history);
  const placed = new Map(surroundings.placed.map((order) => [order.key, order]));
  const namePurchases = (order: KeyedOrder) => {
    const names = order.wanted?.map((id) => namePurchase(id, order.reference, surroundings.meanings));
    return (
      names ?? [
        namePurchase(placed.get(order.key)?.productId ?? order.key, order.reference, surroundings.meanings),
      ]
    );
  };
  const faults: Fault[] = [];
  let isSeen = false;
  for (const [key, attempts] of Map.groupBy(orders, (order) => order.key)) {
    const open = attempts.find(isUncertain);
    const last = attempts.at(-1);
    if (open === undefined || last === undefined) continue;
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
    if (!attempts.every(isUncertain) || surroundings.gapUntilMs >= last.endedAtMs) continue;
    const purchases = new Set(namePurchases(last));
    const alike = orders.filter((order) => namePurchases(order).some((name) => purchases.has(name)));
    const again = findReorder(history, alike, [open, last], placed.get(key));
    if (again === undefined) continue;
    const note = `A new key for the same product, while it was unknown whether the order with the key ${key} was placed.`;
    faults.push({ seen: again, note });
  }
  return { isSeen, faults: distinct([...faults, ...findSecondPurchases(history, surroundings)]) };
};

function findReorder(
  history: readonly ClientRequest[],
  alike: readonly KeyedOrder[],
  [first, open]: readonly [KeyedOrder, KeyedOrder],
  order: PlacedOrder | undefined,
): ClientRequest | undefined {
  const again = listFirsts(alike).find(
    (other) =>
      other.key !== open.key &&
      !isOfReservation(other, open) &&
      isAfter(other, open) &&
      other.startedAtMs - open.endedAtMs <= REORDER_MS,
  );
  if (again === undefined) return undefined;
  const concurrent = alike.filter((other) => !isAfter(other, again) && !isAfter(again, other));
  if (concurrent.length > CROWD) return undefined;
  const shownAtMs = order?.createdAtMs ?? Number.POSITIVE_INFINITY;
  const hasLooked = history.some(
    (seen) =>
      isLook(seen, open, order?.id) &&
      isAfter(again, seen) &&
      // A duplicate that arrives after the order was seen makes nothing uncertain again. Reads before the first attempt do
      // not count: clients repeat a long poll for events anyway.
      (isAfter(seen, open) || (isAfter(seen, first) && seen.startedAtMs >= shownAtMs)),
  );
  return hasLooked ? undefined : again;
}

/** The first request with each key. */
function listFirsts(orders: readonly KeyedOrder[]): KeyedOrder[] {
  return Array.from(Map.groupBy(orders, ({ key }) => key).values()).flatMap(([first]) => first ?? []);
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

const ORDER_READS: readonly ClientRequest['operation'][] = [
  'getOrder',
  'getOrderKeys',
  'listOrders',
  'listEvents',
  'settleSandboxOrder',
  'cancelSandboxOrder',
  'advanceSandboxOrder',
];

/** Reads and changes after which the order may succeed, or after which the client knows about it. */
const REJECTIONS: Readonly<Record<string, readonly ClientRequest['operation'][]>> = {
  'max-price-exceeded': CATALOGUE_READS,
  'offer-not-available': CATALOGUE_READS,
  'insufficient-funds': ACCOUNT_READS,
  'payment-went-wrong': ACCOUNT_READS,
  'payment-not-configured': ACCOUNT_READS,
  'order-not-paid': ORDER_READS,
};

export const judgeBlindRepeats: Judge = (history, { gapUntilMs, probes }) => {
  const orders = toOrders(history);
  // The rejections that duplicates get are no news.
  const rejected = listFirsts(orders.filter(({ code }) => Object.hasOwn(REJECTIONS, code ?? '')));
  const faults = rejected.flatMap((rejection): Fault[] => {
    const { code } = rejection;
    const isUnpaid = code === 'order-not-paid';
    // Webhooks bring the outcome.
    if (isUnpaid && probes['webhook-signature'].isSeen) return [];
    const [repeat] = gapUntilMs < rejection.endedAtMs ? findBlindRepeats(history, orders, rejection) : [];
    if (repeat !== undefined)
      return [{ seen: repeat, note: `The same order as the one that had just been rejected: ${code}.` }];
    if (isUnpaid) return [];
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
  for (const order of listFirsts(orders)) {
    const isSame = order.payload !== undefined && order.payload === rejection.payload;
    if (!isSame || !isAfter(order, before)) continue;
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
