import {
  type ClientRequest,
  type Fault,
  findRun,
  isAfter,
  type Judge,
  toOrders,
  toQuery,
  toStarts,
} from './client-request.ts';

const CRAWLS_WITHIN_MS = 3_600_000;
const CRAWLS_MAX = 2;
const ITEMS_PER_PAGE_DEFAULT = 20;

const FIRST_PAGES = [
  { count: 10, withinMs: 10_000 },
  { count: 30, withinMs: CRAWLS_WITHIN_MS },
];

const STARTS = [
  { count: 5, withinMs: 60_000 },
  { count: 20, withinMs: CRAWLS_WITHIN_MS },
];

const SMALL_BATCHES = 5;
const SMALL_BATCH_IDS_MAX = 4;
const SMALL_BATCHES_WITHIN_MS = 2_000;

export const judgeCatalogue: Judge = (history, { productCount }) => {
  const isFollowing = (seen: ClientRequest) =>
    seen.status !== null &&
    ((seen.operation === 'listProductChanges' && toQuery(seen).has('cursor')) ||
      (seen.operation === 'listProductOffers' && toQuery(seen).has('updatedAtFrom')));
  const pages = history.filter(isWholeListPage);
  const isSeen = history.some(isFollowing);
  const firstPages = pages.filter((seen) => toPage(seen) === 1 && !isContinued(seen));
  const first = findRun(
    leaveOutPurchases(firstPages, history),
    FIRST_PAGES,
    (count) => `The last of ${count} reads of the first page.`,
  );
  const start = findStarts(history);
  const faults = [...(start === undefined ? [] : [start]), ...(isSeen || first === undefined ? [] : [first])];
  for (const begin of firstPages) {
    const untilMs = begin.startedAtMs + CRAWLS_WITHIN_MS;
    const isWithin = ({ startedAtMs }: ClientRequest) =>
      startedAtMs >= begin.startedAtMs && startedAtMs <= untilMs;
    const within = pages.filter((seen) => isWithin(seen) && computeSize(seen) === computeSize(begin));
    const lastPage = Math.ceil(productCount / computeSize(begin));
    // Reads of a single page are judged above.
    if (lastPage <= 1) continue;
    const crawls = countCrawls(within, lastPage);
    if (crawls <= CRAWLS_MAX) continue;
    if (history.some((seen) => isWithin(seen) && isFollowing(seen))) continue;
    const seen = within.at(-1) ?? begin;
    const note = `The last page of ${crawls} reads of the whole catalogue within an hour.`;
    return { isSeen, faults: [...faults, { seen, note }] };
  }
  return { isSeen, faults };
};

/** A shop reads the price before it orders or reserves, which is no polling: the last read before each purchase goes. */
function leaveOutPurchases(
  reads: readonly ClientRequest[],
  history: readonly ClientRequest[],
): ClientRequest[] {
  const purchases = [...toStarts(history), ...toOrders(history)];
  return reads.filter((seen, index) => {
    const next = reads[index + 1];
    return !purchases.some((order) => isAfter(order, seen) && (next === undefined || isAfter(next, order)));
  });
}

/** Reads of the change feed from its start, without following it in between. */
function findStarts(history: readonly ClientRequest[]): Fault | undefined {
  const reads = history.filter(
    ({ operation, status }) => operation === 'listProductChanges' && status === 200,
  );
  const isStart = (seen: ClientRequest) => !toQuery(seen).has('cursor');
  return findRun(
    reads.filter(isStart),
    STARTS,
    (count) => `The last of ${count} reads of the feed from its start.`,
    (later, before) => reads.some((seen) => !isStart(seen) && isAfter(seen, before) && isAfter(later, seen)),
  );
}

function isWholeListPage(seen: ClientRequest): boolean {
  if (seen.operation !== 'listProductOffers' || seen.status !== 200) return false;
  const names = [...toQuery(seen).keys()];
  return names.every((name) => ['page', 'itemsPerPage', 'orderable', 'after'].includes(name));
}

function toPage(seen: ClientRequest): number {
  return Number(toQuery(seen).get('page') ?? 1);
}

function computeSize(seen: ClientRequest): number {
  return Number(toQuery(seen).get('itemsPerPage') ?? ITEMS_PER_PAGE_DEFAULT);
}

/** A page that starts after an element, instead of by its number. */
function isContinued(seen: ClientRequest): boolean {
  return toQuery(seen).has('after');
}

/** A crawl reads the first page, and then the others by number or each after the one before. */
function countCrawls(pages: readonly ClientRequest[], lastPage: number): number {
  const continued = pages.filter(isContinued).length;
  const times = Map.groupBy(
    pages.filter((seen) => !isContinued(seen)),
    toPage,
  );
  const counts = Array.from({ length: lastPage }, (_, index) => times.get(index + 1)?.length ?? 0);
  const byNumber = Math.min(...counts);
  const otherStarts = (counts[0] ?? 0) - byNumber;
  return byNumber + Math.min(otherStarts, Math.floor(continued / (lastPage - 1)));
}

export const judgeDetails: Judge = (history) => {
  const reads = history.filter(
    ({ operation, status }) => operation === 'listProductDetails' && status === 200,
  );
  const small = reads.filter((seen) => toIds(seen).length <= SMALL_BATCH_IDS_MAX);
  for (let end = SMALL_BATCHES - 1; end < small.length; end += 1) {
    const batch = small.slice(end - SMALL_BATCHES + 1, end + 1);
    const [first, last] = [batch[0], batch.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (last.startedAtMs - first.startedAtMs > SMALL_BATCHES_WITHIN_MS) continue;
    const ids = batch.flatMap(toIds);
    if (new Set(ids).size < ids.length) continue;
    const note = `The last of ${SMALL_BATCHES} requests within two seconds, for ${ids.length} products in total.`;
    return { isSeen: true, faults: [{ seen: last, note }] };
  }
  return { isSeen: reads.length > 0, faults: [] };
};

/** PHP and axios write `productIds[0]`. */
function toIds(seen: ClientRequest): string[] {
  return [...toQuery(seen)].filter(([name]) => /^productIds\[\d*\]$/.test(name)).map(([, id]) => id);
}
