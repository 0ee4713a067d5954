/**
 * Token buckets per client and budget, in memory: each second refills as many requests as the client may send in one,
 * and no more than that can be saved up. What other nodes let through is taken out as well, a moment later, so a bucket
 * can be in debt. A63, A175, A176.
 */
import { ApiError } from './api-error.ts';
import { byName, type HeaderLines } from './header-lines.ts';
import type { Principal } from './operation.ts';

export type Budget = 'reads' | 'orders';

export type RateLimit = {
  /**
   * Takes a request out of the budget. Returns the headers that tell of it on every answer; undefined when the budget has
   * no limit. Throws too-many-requests, with Retry-After, when it is used up.
   */
  take(principal: Principal, budget: Budget): HeaderLines | undefined;
  /** Another node has let `count` requests through. */
  takeElsewhere(budget: Budget, clientId: string, count: number): void;
};

/** Beyond this the bucket that was unused for longest is forgotten, and is full when it comes back. About 10 MB. */
const BUCKETS_MAX = 100_000;

/** Seconds. Other nodes let through a burst each before they know of one another; more they do with other settings only. */
const DEBT_SECONDS_MAX = 60;

type Bucket = { tokens: number; filledAtMs: number };

/** Undefined when no budget has a limit: then nothing is counted. `nowMs` never goes back. */
export function createRateLimit(options: {
  /** 0: no limit. */
  readonly readsPerSecond: number;
  /** 0: no limit. */
  readonly ordersPerSecond: number;
  readonly nowMs: () => number;
  /** Called for each request that is let through. */
  readonly onTaken?: (budget: Budget, clientId: string) => void;
  readonly bucketsMax?: number;
}): RateLimit | undefined {
  const { readsPerSecond, ordersPerSecond, nowMs, onTaken, bucketsMax = BUCKETS_MAX } = options;
  if (readsPerSecond === 0 && ordersPerSecond === 0) return undefined;
  const budgets = {
    reads: { perSecond: readsPerSecond, buckets: new Map<string, Bucket>() },
    orders: { perSecond: ordersPerSecond, buckets: new Map<string, Bucket>() },
  };

  /** Filled up to now. */
  function bucketOf(budget: Budget, clientId: string): Bucket {
    const { perSecond, buckets } = budgets[budget];
    const bucket = refill(buckets.get(clientId), perSecond, nowMs());
    // Taken out and put in again, so that the first of the map is the one unused for longest.
    buckets.delete(clientId);
    const [oldest] = buckets.size >= bucketsMax ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
    buckets.set(clientId, bucket);
    return bucket;
  }

  return {
    take({ clientId }, budget) {
      const { perSecond } = budgets[budget];
      if (perSecond === 0) return undefined;
      const bucket = bucketOf(budget, clientId);
      if (bucket.tokens < 1) throw tooManyRequests(perSecond, bucket.tokens);
      bucket.tokens -= 1;
      onTaken?.(budget, clientId);
      return headersOf(perSecond, bucket.tokens);
    },
    takeElsewhere(budget, clientId, count) {
      const { perSecond } = budgets[budget];
      if (perSecond === 0) return;
      const bucket = bucketOf(budget, clientId);
      bucket.tokens = Math.max(bucket.tokens - count, -perSecond * DEBT_SECONDS_MAX);
    },
  };
}

function refill(bucket: Bucket | undefined, perSecond: number, nowMs: number): Bucket {
  if (bucket === undefined) return { tokens: perSecond, filledAtMs: nowMs };
  const gained = ((nowMs - bucket.filledAtMs) / 1000) * perSecond;
  return { tokens: Math.min(perSecond, bucket.tokens + gained), filledAtMs: nowMs };
}

/** Requests that may still be sent at once, and the seconds after which the whole budget is there again. */
function headersOf(limit: number, tokens: number): HeaderLines {
  const remaining = Math.max(0, Math.floor(tokens));
  const resetSeconds = Math.ceil((limit - tokens) / limit);
  return [
    ...['ratelimit-limit', String(limit)],
    ...['ratelimit-remaining', String(remaining)],
    ...['ratelimit-reset', String(resetSeconds)],
  ];
}

/** `tokens`: what is left, fewer than one. */
export function tooManyRequests(limit: number, tokens: number): ApiError {
  const retryAfterMs = Math.max(1, Math.ceil(((1 - tokens) / limit) * 1000));
  return new ApiError('too-many-requests', {
    data: { limit, retryAfterMs },
    headers: {
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      ...byName(headersOf(limit, tokens)),
    },
  });
}
