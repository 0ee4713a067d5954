/**
 * Token buckets per client and budget, in memory: each second refills as many requests as the client may send in one,
 * and no more than that can be saved up. Nodes count for themselves. Decisions sections 6 and 8.
 */
import { ApiError } from './api-error.ts';
import type { Principal } from './operation.ts';

export type Budget = 'reads' | 'orders';

/** Throws too-many-requests with Retry-After when the client has used up the budget. */
export type RateLimit = (principal: Principal, budget: Budget) => void;

/** The bucket unused for longest is forgotten beyond this, which fills it: about 10 MB of them. */
const BUCKETS_MAX = 100_000;

type Bucket = { tokens: number; filledAtMs: number };

/** Undefined when no budget has a limit: then nothing is counted. `nowMs` never goes back. */
export function createRateLimit(options: {
  /** 0: no limit. */
  readonly readsPerSecond: number;
  /** 0: no limit. */
  readonly ordersPerSecond: number;
  readonly nowMs: () => number;
  readonly bucketsMax?: number;
}): RateLimit | undefined {
  const { readsPerSecond, ordersPerSecond, nowMs, bucketsMax = BUCKETS_MAX } = options;
  if (readsPerSecond === 0 && ordersPerSecond === 0) return undefined;
  const budgets = {
    reads: { perSecond: readsPerSecond, buckets: new Map<string, Bucket>() },
    orders: { perSecond: ordersPerSecond, buckets: new Map<string, Bucket>() },
  };
  return ({ clientId }, budget) => {
    const { perSecond, buckets } = budgets[budget];
    if (perSecond === 0) return;
    const bucket = refill(buckets.get(clientId), perSecond, nowMs());
    // Taken out and put in again, so that the first of the map is the one unused for longest.
    buckets.delete(clientId);
    const [oldest] = buckets.size >= bucketsMax ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
    buckets.set(clientId, bucket);
    if (bucket.tokens < 1) throw tooManyRequests(perSecond, bucket.tokens);
    bucket.tokens -= 1;
  };
}

function refill(bucket: Bucket | undefined, perSecond: number, nowMs: number): Bucket {
  if (bucket === undefined) return { tokens: perSecond, filledAtMs: nowMs };
  const gained = ((nowMs - bucket.filledAtMs) / 1000) * perSecond;
  return { tokens: Math.min(perSecond, bucket.tokens + gained), filledAtMs: nowMs };
}

function tooManyRequests(limit: number, tokens: number): ApiError {
  const retryAfterMs = Math.max(1, Math.ceil(((1 - tokens) / limit) * 1000));
  const retryAfterSeconds = String(Math.ceil(retryAfterMs / 1000));
  return new ApiError('too-many-requests', {
    data: { limit, retryAfterMs },
    headers: {
      'retry-after': retryAfterSeconds,
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': retryAfterSeconds,
    },
  });
}
