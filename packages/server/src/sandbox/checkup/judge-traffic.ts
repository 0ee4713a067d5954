/** Judges how a client waits, gets its tokens and reads the catalogue. */
import { type Fault, hasGapAfter, haveOneAddress, type Judge, queryOf, type Seen } from './seen.ts';

/** Clocks and queues may shorten a wait by this much. */
const WAIT_TOLERANCE_MS = 100;

const UNUSED_TOKENS = 5;
const UNUSED_TOKENS_WITHIN_MS = 60_000;

const CRAWLS_WITHIN_MS = 3_600_000;
const CRAWLS_MAX = 2;
const SINGLE_PAGE_CRAWLS_MAX = 9;
const ITEMS_PER_PAGE_DEFAULT = 20;

const SMALL_BATCHES = 5;
const SMALL_BATCH_IDS_MAX = 4;
const SMALL_BATCHES_WITHIN_MS = 2_000;

/** The same request of the same process: of an order every one with its key. */
function isRepeat(later: Seen, earlier: Seen): boolean {
  if (later.startedAtMs < earlier.endedAtMs || !haveOneAddress(later, earlier)) return false;
  if (later.operation === 'createOrder') return later.key !== undefined && later.key === earlier.key;
  return later.token === earlier.token && later.key === earlier.key;
}

export const judgeRetryAfter: Judge = (history) => {
  const faults: Fault[] = [];
  let isSeen = false;
  for (const [index, asked] of history.entries()) {
    const { retryAfterMs } = asked;
    if (retryAfterMs === undefined) continue;
    const next = history.slice(index + 1).find((seen) => isRepeat(seen, asked));
    if (next === undefined) continue;
    isSeen = true;
    const waitedMs = next.startedAtMs - asked.endedAtMs;
    if (waitedMs >= retryAfterMs - WAIT_TOLERANCE_MS) continue;
    faults.push({ seen: next, note: `Came after ${waitedMs} ms, and was asked to wait ${retryAfterMs} ms.` });
  }
  return { isSeen, faults };
};

export const judgeTokenAfter401: Judge = (history) => {
  const rejected = history.filter(({ status, operation }) => status === 401 && operation !== 'token');
  let isSeen = false;
  const faults = rejected.flatMap((rejection): Fault[] => {
    // A token that is not used, such as that of the check-up itself, renews nothing.
    const isRenewed = history.some(
      ({ startedAtMs, token }) =>
        startedAtMs >= rejection.endedAtMs && token !== undefined && token !== rejection.token,
    );
    isSeen ||= isRenewed;
    if (isRenewed || hasGapAfter(history, rejection)) return [];
    const repeat = history.find((seen) => isRepeat(seen, rejection) && seen.token === rejection.token);
    return repeat === undefined ? [] : [{ seen: repeat, note: 'Has the token that had just been rejected.' }];
  });
  return { isSeen, faults };
};

export const judgeTokenReuse: Judge = (history) => {
  const issues = history.filter(({ operation }) => operation === 'token');
  const requests = history.filter(({ operation, token }) => operation !== 'token' && token !== undefined);
  const uses = Map.groupBy(requests, ({ token }) => token);
  const isSeen = Array.from(uses.values()).some((ofToken) => ofToken.length > 1);
  for (let end = UNUSED_TOKENS - 1; end < issues.length; end += 1) {
    const [first, last] = [issues[end - UNUSED_TOKENS + 1], issues[end]];
    if (first === undefined || last === undefined) continue;
    if (last.endedAtMs - first.startedAtMs > UNUSED_TOKENS_WITHIN_MS) continue;
    const between = requests.filter(
      ({ startedAtMs }) => startedAtMs >= first.startedAtMs && startedAtMs <= last.endedAtMs,
    );
    // The last token has not been used yet. Fewer requests: processes that start together.
    const isOneEach =
      between.length >= UNUSED_TOKENS - 1 && between.every(({ token }) => uses.get(token)?.length === 1);
    if (isOneEach && between.length <= UNUSED_TOKENS) {
      const note = `The last of ${UNUSED_TOKENS} tokens within a minute, each for a single request.`;
      return { isSeen, faults: [{ seen: last, note }] };
    }
  }
  return { isSeen, faults: [] };
};

export const judgeCatalogue: Judge = (history, { productCount }) => {
  const isFollowing = (seen: Seen) =>
    seen.status !== null &&
    ((seen.operation === 'listProductChanges' && queryOf(seen).has('cursor')) ||
      (seen.operation === 'listProductOffers' && queryOf(seen).has('updatedAtFrom')));
  const pages = history.filter(isWholeListPage);
  const isSeen = history.some(isFollowing);
  for (const begin of pages.filter((seen) => pageOf(seen) === 1)) {
    const untilMs = begin.startedAtMs + CRAWLS_WITHIN_MS;
    const isWithin = ({ startedAtMs }: Seen) => startedAtMs >= begin.startedAtMs && startedAtMs <= untilMs;
    const within = pages.filter((seen) => isWithin(seen) && sizeOf(seen) === sizeOf(begin));
    const lastPage = Math.max(1, Math.ceil(productCount / sizeOf(begin)));
    const crawls = countCrawls(within, lastPage);
    if (crawls <= (lastPage === 1 ? SINGLE_PAGE_CRAWLS_MAX : CRAWLS_MAX)) continue;
    if (history.some((seen) => isWithin(seen) && isFollowing(seen))) continue;
    const seen = within.at(-1) ?? begin;
    return {
      isSeen,
      faults: [{ seen, note: `Part of reading the whole catalogue for the ${crawls}. time in an hour.` }],
    };
  }
  return { isSeen, faults: [] };
};

function isWholeListPage(seen: Seen): boolean {
  if (seen.operation !== 'listProductOffers' || seen.status !== 200) return false;
  const names = [...queryOf(seen).keys()];
  return names.every((name) => name === 'page' || name === 'itemsPerPage');
}

function pageOf(seen: Seen): number {
  return Number(queryOf(seen).get('page') ?? 1);
}

function sizeOf(seen: Seen): number {
  return Number(queryOf(seen).get('itemsPerPage') ?? ITEMS_PER_PAGE_DEFAULT);
}

/** How often every page was read. */
function countCrawls(pages: readonly Seen[], lastPage: number): number {
  const times = Map.groupBy(pages, pageOf);
  const counts = Array.from({ length: lastPage }, (_, index) => times.get(index + 1)?.length ?? 0);
  return Math.min(...counts);
}

export const judgeDetails: Judge = (history) => {
  const reads = history.filter(
    ({ operation, status }) => operation === 'listProductDetails' && status === 200,
  );
  const small = reads.filter((seen) => idsOf(seen).length <= SMALL_BATCH_IDS_MAX);
  for (let end = SMALL_BATCHES - 1; end < small.length; end += 1) {
    const batch = small.slice(end - SMALL_BATCHES + 1, end + 1);
    const [first, last] = [batch[0], batch.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (last.startedAtMs - first.startedAtMs > SMALL_BATCHES_WITHIN_MS) continue;
    const ids = batch.flatMap(idsOf);
    if (new Set(ids).size < ids.length) continue;
    const note = `The last of ${SMALL_BATCHES} requests within two seconds, for ${ids.length} products in all.`;
    return { isSeen: true, faults: [{ seen: last, note }] };
  }
  return { isSeen: reads.length > 0, faults: [] };
};

/** As PHP and axios write a list too, `productIds[0]`. */
function idsOf(seen: Seen): string[] {
  return [...queryOf(seen)].filter(([name]) => /^productIds\[\d*\]$/.test(name)).map(([, id]) => id);
}
