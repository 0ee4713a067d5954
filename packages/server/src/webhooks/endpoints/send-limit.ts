import { type BucketSize, TokenBuckets } from '@keyport/http/admission/rate-limit';
import { toHost } from './targets.ts';

const SIZES = {
  account: { perSecond: 1, burst: 60 },
  host: { perSecond: 5, burst: 300 },
} as const satisfies Record<string, BucketSize>;

type SendBudget = keyof typeof SIZES;

export type SendLimit = ReturnType<typeof createSendLimit>;

export function createSendLimit(nodeCount: () => number) {
  const nowMs = () => performance.now();
  const buckets = {
    account: new TokenBuckets({ ...SIZES.account, nowMs, nodeCount }),
    host: new TokenBuckets({ ...SIZES.host, nowMs, nodeCount }),
  };
  const take = (budget: SendBudget, key: string) => {
    const { perSecond, burst } = SIZES[budget];
    const message = `Too many tests, redeliveries and replays for this ${budget}: the limit is ${burst} at once and ${perSecond} a second.`;
    buckets[budget].take(key, message);
  };
  return {
    /** Throws too-many-requests. Operators skip the account's budget, which a reseller could exhaust. */
    take(
      { accountId, url }: { readonly accountId: string; readonly url: string },
      by: 'reseller' | 'operator',
    ) {
      if (by === 'reseller') take('account', accountId);
      take('host', toHost(url));
    },
  };
}
