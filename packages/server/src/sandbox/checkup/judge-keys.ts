import {
  type ClientRequest,
  distinct,
  type Fault,
  isAfter,
  isSuccess,
  type Judge,
  toOrderId,
  toOrders,
} from './client-request.ts';

const UNREAD_ORDERS = 3;
const POLL_INTERVAL_MS = 750;
const FAST_POLLS_MAX = 1;
const FAST_READS_MAX = 3;

export const judgeKeysInTime: Judge = (history, { placed }) => {
  const reads = history.filter(({ operation }) => operation === 'getOrderKeys');
  const orders = new Map(
    toOrders(history)
      .filter(isSuccess)
      .toReversed()
      .map((seen) => [seen.key, seen]),
  );
  const note = 'The keys of this order were never read, and now their window has ended.';
  const lapsed = placed.flatMap((order): Fault[] => {
    if (!order.isComplete || !order.isOver || order.areKeysRead) return [];
    const late = reads.find((seen) => toOrderId(seen) === order.id && seen.code === 'order-expired');
    const seen = late ?? orders.get(order.key ?? '');
    return seen === undefined ? [] : [{ seen, note }];
  });
  const isReader = reads.some(isSuccess) || placed.some(({ areKeysRead }) => areKeysRead);
  const ignored = placed.filter(({ isComplete, isHourOld }) => isComplete && isHourOld);
  const last = isReader ? undefined : orders.get(ignored[UNREAD_ORDERS - 1]?.key ?? '');
  const lateNote = `One of ${ignored.length} orders that have been complete for an hour; no keys were ever read.`;
  return {
    isSeen: reads.some(({ status }) => status === 200),
    faults: distinct([...(last === undefined ? [] : [{ seen: last, note: lateNote }]), ...lapsed]),
  };
};

export const judgeKeysPolling: Judge = (history) => {
  const reads = history.filter(({ operation }) => operation === 'getOrderKeys');
  const byReader = Map.groupBy(reads, (seen) => `${toOrderId(seen)} ${seen.token}`);
  const faults = Array.from(byReader.values()).flatMap((sequence): Fault[] => {
    const fast = findFastPolls(sequence) ?? findFastReads(sequence);
    const seen = fast?.at(-1);
    if (fast === undefined || seen === undefined) return [];
    return [{ seen, note: `One of ${fast.length + 1} reads that came less than a second after another.` }];
  });
  return { isSeen: reads.length > 0, faults };
};

/** Undefined: too few to blame the client. */
function findFastPolls(sequence: readonly ClientRequest[]): readonly ClientRequest[] | undefined {
  const fast = sequence.filter((seen, index) => {
    const before = sequence[index - 1];
    return before?.code === 'order-not-complete' && isFast(seen, before);
  });
  return fast.length > FAST_POLLS_MAX ? fast : undefined;
}

/** Undefined: too few to blame the client. */
function findFastReads(sequence: readonly ClientRequest[]): readonly ClientRequest[] | undefined {
  let run: ClientRequest[] = [];
  for (const [index, seen] of sequence.entries()) {
    const before = sequence[index - 1];
    run = before?.status === 200 && isFast(seen, before) ? [...run, seen] : [];
    if (run.length > FAST_READS_MAX) return run;
  }
  return undefined;
}

/** Concurrent reads are no polling. */
function isFast(seen: ClientRequest, before: ClientRequest): boolean {
  return isAfter(seen, before) && seen.startedAtMs - before.startedAtMs < POLL_INTERVAL_MS;
}

/** The ids of an order and of its item. */
const toLongIds = (orderId: string) => [orderId, `${orderId}01`];

export const judgeIds: Judge = (history, { placed }) => {
  const ids = new Set(placed.flatMap(({ id }) => toLongIds(id)));
  const rounded = new Map([...ids].map((id) => [String(Number(id)), id]));
  const faults = history.flatMap((seen): Fault[] => {
    const wrong = seen.ids?.find((id) => rounded.has(id) && !ids.has(id));
    if (wrong === undefined) return [];
    return [{ seen, note: `A JavaScript number turns the id ${rounded.get(wrong)} into ${wrong}.` }];
  });
  return { isSeen: history.some((seen) => seen.ids?.some((id) => ids.has(id)) === true), faults };
};

/** Orders whose ids may have been rounded to these; neighbours differ by one below 2^54. */
export function listNeighbours(id: string): string[] {
  const orderId = BigInt(id.slice(0, 16));
  return [-1n, 0n, 1n].map((by) => String(orderId + by));
}
