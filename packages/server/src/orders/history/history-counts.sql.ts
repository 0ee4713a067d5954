/** Orders by creation time, counted by the sums. Buckets are days of an account, or hours of all accounts. */
import { MICROS_PER_DAY, MICROS_PER_HOUR } from '@keyport/core/date-time';
import type { OrderStatus } from '@keyport/core/orders/order-status';
import { firstRow, onlyValue } from '../../db/rows.ts';
import type { Tx } from '../../db/schema.ts';
import type { Sql } from '../../db/sql.ts';
import { deriveMicros } from '../../db/timestamps.ts';
import { currentSums } from '../../sums/sums.sql.ts';

/** Undefined members match every order. Times are inclusive. */
export type CountFilter = {
  readonly accountId: string | undefined;
  readonly status: OrderStatus | undefined;
  readonly fromMicros: number | undefined;
  readonly toMicros: number | undefined;
};

/** Whole buckets. `fromMicros` is inclusive, `beforeMicros` is not. */
export type WholeBuckets = Pick<CountFilter, 'fromMicros'> & { readonly beforeMicros: number | undefined };

const bucketMicros = ({ accountId }: CountFilter) =>
  accountId === undefined ? MICROS_PER_HOUR : MICROS_PER_DAY;

/** The buckets that lie entirely in the range of the filter; undefined if there are none. */
export function toWholeBuckets(filter: CountFilter): WholeBuckets | undefined {
  const length = bucketMicros(filter);
  const { fromMicros, toMicros } = filter;
  const from = fromMicros === undefined ? undefined : Math.ceil(fromMicros / length) * length;
  const before = toMicros === undefined ? undefined : Math.floor((toMicros + 1) / length) * length;
  return from !== undefined && before !== undefined && from >= before
    ? undefined
    : { fromMicros: from, beforeMicros: before };
}

function computeCounts({ accountId, status: label }: CountFilter, range: WholeBuckets): Sql {
  return accountId === undefined
    ? currentSums('order', { label, ...range })
    : currentSums('account-order', { keys: [accountId], label, ...range });
}

export function countInBuckets(tx: Tx, filter: CountFilter, range: WholeBuckets): Promise<number> {
  const { accountId, status: label } = filter;
  const isWhole = range.fromMicros === undefined && range.beforeMicros === undefined;
  const counts =
    accountId !== undefined && isWhole
      ? currentSums('account-order-total', { keys: [accountId], label })
      : computeCounts(filter, range);
  return onlyValue<{ orders: number }>(tx)`
    SELECT coalesce(sum(count), 0)::bigint AS orders FROM (${counts}) AS counted`;
}

/** `ordersBefore`: in the buckets that precede it. */
export type FoundBucket = {
  readonly fromMicros: number;
  readonly beforeMicros: number;
  readonly orders: number;
  readonly ordersBefore: number;
};

/** The bucket of the order that has so many orders of these buckets before it, oldest first. */
export async function findBucketOf(
  tx: Tx,
  filter: CountFilter,
  range: WholeBuckets,
  orders: number,
): Promise<FoundBucket | undefined> {
  const found = await firstRow<Omit<FoundBucket, 'beforeMicros'>>(tx)`
    SELECT ${deriveMicros('bucket')} AS "fromMicros", orders, (total - orders)::bigint AS "ordersBefore"
    FROM (
      SELECT bucket, sum(count)::bigint AS orders, sum(sum(count)) OVER (ORDER BY bucket) AS total
      FROM (${computeCounts(filter, range)}) AS counted GROUP BY bucket
    ) AS bucket
    WHERE total > ${orders} ORDER BY bucket LIMIT 1`;
  return found && { ...found, beforeMicros: found.fromMicros + bucketMicros(filter) };
}
