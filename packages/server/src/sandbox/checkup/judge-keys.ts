import {
  type ClientRequest,
  distinct,
  type Fault,
  isSuccess,
  type Judge,
  orderIdOf,
} from './client-request.ts';
import { ordersOf } from './judge-orders.ts';

/** Fewer may be a developer's experiments. */
const LAPSED_MIN = 3;
const WRONG_CLAIMS_MIN = 2;
const UNREAD_ORDERS = 3;
const POLL_INTERVAL_MS = 750;
const FAST_POLLS_MAX = 1;
const FAST_READS_MAX = 3;

export const judgeKeysInTime: Judge = (history, { placed }) => {
  const reads = history.filter(({ operation }) => operation === 'getOrderKeys');
  const orders = new Map(
    ordersOf(history)
      .filter(isSuccess)
      .toReversed()
      .map((seen) => [seen.key, seen]),
  );
  const note = 'The keys of this order were never read, and now their window has ended.';
  const lapsed = placed.flatMap((order): Fault[] => {
    if (!order.isComplete || !order.isOver || order.areKeysRead) return [];
    const late = reads.find((seen) => orderIdOf(seen) === order.id && seen.code === 'order-expired');
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

export const judgeReservations: Judge = (history, { reservations }) => {
  const requests = new Map(
    history.filter(({ operation }) => operation === 'createReservation').map((seen) => [seen.key, seen]),
  );
  const triedIds = new Set(
    history.flatMap(({ operation, wanted = [] }) => (operation === 'orderReservation' ? wanted : [])),
  );
  const ended = reservations.filter(({ status }) => status !== 'active');
  const lapsed = ended.filter(({ id, status }) => status === 'expired' && !triedIds.has(id));
  const usedCount = ended.length - lapsed.length;
  const note = `One of ${lapsed.length} reservations that expired, of ${ended.length} that ended.`;
  const isFault = lapsed.length >= LAPSED_MIN && lapsed.length > usedCount;
  const faults = lapsed.flatMap(({ key }): Fault[] => {
    const seen = requests.get(key);
    return isFault && seen !== undefined ? [{ seen, note }] : [];
  });
  return { isSeen: usedCount > 0, faults };
};

export const judgeClaims: Judge = (history) => {
  const claims = history.filter(({ operation }) => operation === 'createClaim');
  const wrong = claims.filter(({ code, scenario }) => code === 'validation-error' && scenario === undefined);
  const note = `One of ${wrong.length} claims that name no key of the item, or are malformed.`;
  const faults = wrong.length < WRONG_CLAIMS_MIN ? [] : wrong.map((seen) => ({ seen, note }));
  return { isSeen: claims.some(isSuccess), faults };
};

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

function isFast(seen: ClientRequest, before: ClientRequest): boolean {
  return seen.startedAtMs - before.startedAtMs < POLL_INTERVAL_MS;
}
