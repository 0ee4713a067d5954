/**
 * Requests that other nodes accepted are subtracted later, so a bucket can be in debt. A63, A175, A176, A526.
 */
import { ApiError } from '../replies/api-error.ts';
import { byName, type HeaderLines } from '../server/header-lines.ts';
import type { Principal } from '../server/principal.ts';

export type Budget = 'reads' | 'orders';

export type OwnLimits = Readonly<Record<Budget, number | null>>;

export type RateLimit = {
  take(principal: Principal, budget: Budget): HeaderLines | undefined;
  takeElsewhere(budget: Budget, clientId: string, count: number): void;
  /** 0 means no limit. */
  perSecondOf(clientId: string, budget: Budget): number;
};

/** About 10 MB. Beyond this number, the least recently used bucket is dropped. */
const BUCKETS_MAX = 100_000;

/** Each node accepts a burst before it knows the others' requests. */
const DEBT_SECONDS_MAX = 60;

type Bucket = { tokens: number; filledAtMs: number; perSecond: number };

export type BucketSize = { readonly perSecond: number; readonly burst: number };

type BucketOptions = BucketSize & {
  readonly nowMs: () => number;
  readonly bucketsMax?: number | undefined;
};

/** `nowMs` must never decrease. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  take(key: string, message?: string, size: BucketSize = this.#options): HeaderLines {
    const bucket = this.#bucketOf(key, size);
    if (bucket.tokens < 1) throw tooManyRequests(size, bucket.tokens, message);
    bucket.tokens -= 1;
    return headersOf(size, bucket.tokens);
  }

  takeElsewhere(key: string, count: number, size: BucketSize = this.#options): void {
    const bucket = this.#bucketOf(key, size);
    bucket.tokens = Math.max(bucket.tokens - count, -size.perSecond * DEBT_SECONDS_MAX);
  }

  #bucketOf(key: string, size: BucketSize): Bucket {
    const { nowMs, bucketsMax = BUCKETS_MAX } = this.#options;
    const bucket = refill(this.#buckets.get(key), size, nowMs());
    // Keeps the least recently used bucket first.
    this.#buckets.delete(key);
    const [oldest] = this.#buckets.size >= bucketsMax ? this.#buckets.keys() : [];
    if (oldest !== undefined) this.#buckets.delete(oldest);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

export function createRateLimit(options: {
  /** 0 means no limit. */
  readonly perSecond: Readonly<Record<Budget, number>>;
  readonly nowMs: () => number;
  readonly onTaken?: (budget: Budget, clientId: string) => void;
  readonly bucketsMax?: number;
  readonly ownLimitsOf?: ((clientId: string) => OwnLimits | undefined) | undefined;
}): RateLimit | undefined {
  const { perSecond, nowMs, onTaken, bucketsMax, ownLimitsOf } = options;
  if (ownLimitsOf === undefined && Object.values(perSecond).every((limit) => limit === 0)) return undefined;
  const bucketsOf = (limit: number) => {
    const size = { perSecond: limit, burst: limit };
    return { size, buckets: new TokenBuckets({ ...size, nowMs, bucketsMax }) };
  };
  const budgets = { reads: bucketsOf(perSecond.reads), orders: bucketsOf(perSecond.orders) };
  const sizeOf = (clientId: string, budget: Budget): BucketSize => {
    const own = ownLimitsOf?.(clientId)?.[budget] ?? undefined;
    return own === undefined ? budgets[budget].size : { perSecond: own, burst: own };
  };
  return {
    take({ clientId }, budget) {
      const size = sizeOf(clientId, budget);
      if (size.perSecond === 0) return undefined;
      const lines = budgets[budget].buckets.take(clientId, undefined, size);
      onTaken?.(budget, clientId);
      return lines;
    },
    takeElsewhere(budget, clientId, count) {
      const size = sizeOf(clientId, budget);
      if (size.perSecond > 0) budgets[budget].buckets.takeElsewhere(clientId, count, size);
    },
    perSecondOf: (clientId, budget) => sizeOf(clientId, budget).perSecond,
  };
}

function refill(bucket: Bucket | undefined, { perSecond, burst }: BucketSize, nowMs: number): Bucket {
  if (bucket?.perSecond !== perSecond) return { tokens: burst, filledAtMs: nowMs, perSecond };
  const gained = ((nowMs - bucket.filledAtMs) / 1000) * perSecond;
  return { tokens: Math.min(burst, bucket.tokens + gained), filledAtMs: nowMs, perSecond };
}

function headersOf({ perSecond, burst }: BucketSize, tokens: number): HeaderLines {
  const remaining = Math.max(0, Math.floor(tokens));
  const resetSeconds = Math.ceil((burst - tokens) / perSecond);
  return [
    ...['ratelimit-limit', String(burst)],
    ...['ratelimit-remaining', String(remaining)],
    ...['ratelimit-reset', String(resetSeconds)],
  ];
}

export function tooManyRequests(size: BucketSize, tokens: number, message?: string): ApiError {
  const retryAfterMs = Math.max(1, Math.ceil(((1 - tokens) / size.perSecond) * 1000));
  return new ApiError('too-many-requests', {
    message,
    data: { limit: size.perSecond, retryAfterMs },
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)), ...byName(headersOf(size, tokens)) },
  });
}
