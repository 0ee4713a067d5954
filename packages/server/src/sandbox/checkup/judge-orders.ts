/** Judges how a client orders and reads keys. What is tolerated is in the texts of the checks (contract). */
import { type Fault, hasGapAfter, type Judge, type Seen } from './seen.ts';

/** Equal orders that come later are taken for orders of their own. */
const REORDER_MS = 10 * 60_000;

const BLIND_REPEAT_MS = 60_000;
const SAME_KEY_REPEATS_MAX = 2;

const POLL_INTERVAL_MS = 750;
const FAST_POLLS_MAX = 1;
const FAST_READS_MAX = 3;

type OrderSeen = Seen & { readonly key: string };

function ordersOf(history: readonly Seen[]): OrderSeen[] {
  return history.filter(
    (seen): seen is OrderSeen => seen.operation === 'createOrder' && seen.key !== undefined,
  );
}

function isAfter(later: Seen, earlier: Seen): boolean {
  return later.startedAtMs >= earlier.endedAtMs && later !== earlier;
}

/** The order may have been placed or not. */
function isOpen({ status, code }: Seen): boolean {
  return status === null || status >= 500 || code === 'idempotency-key-processing';
}

function samePayload(one: Seen, other: Seen): boolean {
  return one.payload !== undefined && one.payload === other.payload;
}

export const judgeOrderRetries: Judge = (history) => {
  const orders = ordersOf(history);
  const faults: Fault[] = [];
  let isSeen = false;
  for (const open of orders.filter(isOpen)) {
    const retries = orders.filter((order) => order.key === open.key && isAfter(order, open));
    const differing = retries.find(({ payload }) => payload !== undefined && payload !== open.payload);
    if (open.payload !== undefined && differing !== undefined) {
      faults.push({ seen: differing, note: 'The retry of an order has its key, but another payload.' });
    }
    isSeen ||= retries.length > 0;
    const isKnown = orders.some((order) => order.key === open.key && isAfter(open, order) && !isOpen(order));
    const again = retries.length > 0 || isKnown ? undefined : findReorder(history, orders, open);
    if (again !== undefined) {
      const note = `The same order with a new key: whether the one with the key ${open.key} was placed had stayed open.`;
      faults.push({ seen: again, note });
    }
  }
  return { isSeen, faults: distinct(faults) };
};

/** The same order with a key of its own, sent because the outcome of the first one was open. */
function findReorder(
  history: readonly Seen[],
  orders: readonly OrderSeen[],
  open: OrderSeen,
): Seen | undefined {
  if (hasGapAfter(history, open)) return undefined;
  const firstWithKey = new Map(orders.toReversed().map((order) => [order.key, order]));
  const again = orders.find(
    (order) =>
      samePayload(order, open) &&
      firstWithKey.get(order.key) === order &&
      isAfter(order, open) &&
      order.startedAtMs - open.endedAtMs <= REORDER_MS,
  );
  if (again === undefined) return undefined;
  // A poll for events that goes on all the time is no look at what became of this order.
  const hasLooked = history.some(
    (seen) =>
      (seen.operation === 'listOrders' || seen.operation === 'getOrder' || seen.operation === 'listEvents') &&
      isAfter(seen, open) &&
      isAfter(again, seen),
  );
  return hasLooked ? undefined : again;
}

/** Answers that leave the key unused. */
const UNCOUNTED: readonly (number | null)[] = [401, 403, 408, 413, 415, 429];

export const judgeOnePayload: Judge = (history) => {
  const counted = ordersOf(history).filter(
    ({ status, code, payload }) =>
      payload !== undefined && !UNCOUNTED.includes(status) && code !== 'validation-error',
  );
  const byKey = Map.groupBy(counted, ({ key }) => key);
  const faults = Array.from(byKey.values()).flatMap(([first, ...others]): Fault[] => {
    const other = others.find(({ payload }) => payload !== first?.payload);
    return other === undefined
      ? []
      : [{ seen: other, note: 'The key was used before, with another payload.' }];
  });
  return { isSeen: counted.length > 0, faults };
};

const CATALOGUE_READS: readonly Seen['operation'][] = [
  'listProductOffers',
  'listProductChanges',
  'getProduct',
  'getProductOffers',
  'listProductDetails',
];

export const judgeMaxPrice: Judge = (history) => {
  const orders = ordersOf(history);
  const rejected = orders.filter(({ code }) => code === 'max-price-exceeded');
  const faults = rejected.flatMap((rejection): Fault[] => {
    const repeat = orders.find(
      (order) =>
        order.key !== rejection.key &&
        samePayload(order, rejection) &&
        isAfter(order, rejection) &&
        order.startedAtMs - rejection.endedAtMs <= BLIND_REPEAT_MS,
    );
    if (repeat !== undefined && !hasReadCatalogue(history, rejection, repeat)) {
      return [{ seen: repeat, note: 'The same order as the one whose price had just exceeded maxPrice.' }];
    }
    const sameKey = orders.filter((order) => order.key === rejection.key && isAfter(order, rejection));
    const [, , third] = sameKey;
    return third === undefined || sameKey.length <= SAME_KEY_REPEATS_MAX
      ? []
      : [{ seen: third, note: 'The third repeat of an order that was rejected for its price.' }];
  });
  return { isSeen: rejected.length > 0, faults: distinct(faults) };
};

function hasReadCatalogue(history: readonly Seen[], rejection: Seen, repeat: Seen): boolean {
  return history.some(
    (seen) =>
      CATALOGUE_READS.includes(seen.operation) &&
      seen.endedAtMs >= rejection.endedAtMs &&
      seen.startedAtMs <= repeat.startedAtMs,
  );
}

export const judgeKeysInTime: Judge = (history, { readOrders }) => {
  const reads = history.filter(({ operation }) => operation === 'getOrderKeys');
  const faults = reads
    .filter((seen) => seen.code === 'order-expired' && !isForced(seen) && !readOrders.has(orderIdOf(seen)))
    .map((seen) => ({
      seen,
      note: 'The keys of this order were never read, and now the time for it is over.',
    }));
  return { isSeen: reads.some(({ status }) => status === 200), faults };
};

function isForced({ scenario }: Seen): boolean {
  return scenario?.includes('error:') === true;
}

export function orderIdOf({ request }: Seen): string {
  return /\/orders\/(\d+)/.exec(request)?.[1] ?? '';
}

export const judgeKeysPolling: Judge = (history) => {
  const reads = history.filter(({ operation }) => operation === 'getOrderKeys');
  const byReader = Map.groupBy(reads, (seen) => `${orderIdOf(seen)} ${seen.token}`);
  const faults = Array.from(byReader.values()).flatMap((sequence): Fault[] => {
    const fast = findFastPolls(sequence) ?? findFastReads(sequence);
    const seen = fast?.at(-1);
    if (fast === undefined || seen === undefined) return [];
    return [{ seen, note: `One of ${fast.length + 1} reads that came less than a second after another.` }];
  });
  return { isSeen: reads.length > 0, faults };
};

/** Reads that came too soon after one that found the order not complete; undefined: too few to blame. */
function findFastPolls(sequence: readonly Seen[]): readonly Seen[] | undefined {
  const fast = sequence.filter((seen, index) => {
    const before = sequence[index - 1];
    return before?.code === 'order-not-complete' && isFast(seen, before);
  });
  return fast.length > FAST_POLLS_MAX ? fast : undefined;
}

/** Reads of keys that had come before, one right after another; undefined: too few to blame. */
function findFastReads(sequence: readonly Seen[]): readonly Seen[] | undefined {
  let run: Seen[] = [];
  for (const [index, seen] of sequence.entries()) {
    const before = sequence[index - 1];
    run = before?.status === 200 && isFast(seen, before) ? [...run, seen] : [];
    if (run.length > FAST_READS_MAX) return run;
  }
  return undefined;
}

function isFast(seen: Seen, before: Seen): boolean {
  return seen.startedAtMs - before.startedAtMs < POLL_INTERVAL_MS;
}

function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [fault.seen, fault])).values()];
}
