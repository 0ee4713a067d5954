/** Each node enforces its share of a limit. A63, A525. */
import { ApiError } from '../replies/api-error.ts';
import { byName, type HeaderLines } from '../server/header-lines.ts';
import type { OwnLimits, Principal } from '../server/principal.ts';

export type Budget = 'reads' | 'orders';

export type RateLimit = {
  take(principal: Principal, budget: Budget): HeaderLines | undefined;
  /** 0 means no limit. */
  perSecondOf(clientId: string, budget: Budget): number;
};

/** About 10 MB. Beyond this number, the least recently used bucket is dropped. */
const BUCKETS_MAX = 100_000;

type Bucket = { tokens: number; filledAtMs: number; perSecond: number };

/** The limit of all nodes together. */
export type BucketSize = { readonly perSecond: number; readonly burst: number };

type BucketOptions = BucketSize & {
  readonly nowMs: () => number;
  /** The number of nodes that share the limit; 1 by default. */
  readonly nodeCount?: (() => number) | undefined;
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
    const nodeCount = this.#options.nodeCount?.() ?? 1;
    const bucket = this.#toBucket(key, computeShare(size, nodeCount));
    if (bucket.tokens < 1) throw tooManyRequests(size, bucket.tokens, { message, nodeCount });
    bucket.tokens -= 1;
    return toHeaders(size, bucket.tokens, nodeCount);
  }

  #toBucket(key: string, size: BucketSize): Bucket {
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
  readonly nodeCount?: () => number;
  readonly bucketsMax?: number;
  readonly ownLimitsOf?: ((clientId: string) => OwnLimits | undefined) | undefined;
}): RateLimit | undefined {
  const { perSecond, nowMs, nodeCount, bucketsMax, ownLimitsOf } = options;
  if (ownLimitsOf === undefined && Object.values(perSecond).every((limit) => limit === 0)) return undefined;
  const toBuckets = (limit: number) => {
    const size = { perSecond: limit, burst: limit };
    return { size, buckets: new TokenBuckets({ ...size, nowMs, nodeCount, bucketsMax }) };
  };
  const budgets = { reads: toBuckets(perSecond.reads), orders: toBuckets(perSecond.orders) };
  const computeSize = (clientId: string, budget: Budget, ownLimits = ownLimitsOf?.(clientId)): BucketSize => {
    const own = ownLimits?.[budget] ?? undefined;
    return own === undefined ? budgets[budget].size : { perSecond: own, burst: own };
  };
  return {
    take(principal, budget) {
      const size = computeSize(principal.clientId, budget, principal.ownLimits);
      if (size.perSecond === 0) return undefined;
      // The members of an account share a budget.
      const isMember = principal.role === 'reseller' && principal.memberRole !== undefined;
      const key = isMember ? principal.accountId : principal.clientId;
      return budgets[budget].buckets.take(key, undefined, size);
    },
    perSecondOf: (clientId, budget) => computeSize(clientId, budget).perSecond,
  };
}

/** A bucket holds at least one request, so that every node lets some through. */
function computeShare({ perSecond, burst }: BucketSize, nodeCount: number): BucketSize {
  return { perSecond: perSecond / nodeCount, burst: Math.max(1, burst / nodeCount) };
}

function refill(bucket: Bucket | undefined, { perSecond, burst }: BucketSize, nowMs: number): Bucket {
  if (bucket?.perSecond !== perSecond) return { tokens: burst, filledAtMs: nowMs, perSecond };
  const gained = ((nowMs - bucket.filledAtMs) / 1000) * perSecond;
  return { tokens: Math.min(burst, bucket.tokens + gained), filledAtMs: nowMs, perSecond };
}

function toHeaders(size: BucketSize, tokens: number, nodeCount: number): HeaderLines {
  const { perSecond, burst } = computeShare(size, nodeCount);
  const remaining = Math.max(0, Math.floor(tokens));
  const resetSeconds = Math.ceil((burst - tokens) / perSecond);
  return [
    ...['ratelimit-limit', String(size.burst)],
    ...['ratelimit-remaining', String(remaining)],
    ...['ratelimit-reset', String(resetSeconds)],
  ];
}

export function tooManyRequests(
  size: BucketSize,
  tokens: number,
  { message, nodeCount = 1 }: { readonly message?: string | undefined; readonly nodeCount?: number } = {},
): ApiError {
  const { perSecond } = computeShare(size, nodeCount);
  const retryAfterMs = Math.max(1, Math.ceil(((1 - tokens) / perSecond) * 1000));
  return new ApiError('too-many-requests', {
    message,
    data: { limit: size.perSecond, retryAfterMs },
    headers: {
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      ...byName(toHeaders(size, tokens, nodeCount)),
    },
  });
}
