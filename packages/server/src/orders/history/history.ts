/** A total adds up whole buckets, and counts the orders before the first and after the last. R4, R22, A12. */
import { buildMeta } from '@keyport/contract/envelope';
import { must } from '@keyport/core/assert';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import { computeOffset, toPaging } from '@keyport/http/validation/paging';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { countInBuckets, findBucketOf, toWholeBuckets, type WholeBuckets } from './history-counts.sql.ts';
import * as sql from './read-orders.sql.ts';

type HistoryQuery = Omit<OperationRequest<'listOrders'>['query'], 'query'> & sql.NamedOrders;

export async function readHistory(database: Database, query: HistoryQuery, accountId: string | undefined) {
  const paging = toPaging(query);
  const { status, orderId, reference, ids, orReference } = query;
  const idempotencyKey = query.idempotencyKey?.toLowerCase();
  const range = parseTimeRange(query, 'dateFrom', 'dateTo');
  const filter = { accountId, status, orderId, reference, idempotencyKey, ids, orReference, ...range };
  const page = { offset: computeOffset(paging), limit: paging.itemsPerPage };
  const wanted = { filter, direction: query.sort ?? 'DESC', after: query.after, ...page };
  const { orders, totalResults } = await loadHistoryPage(database, wanted);
  return { orders, meta: buildMeta({ ...paging, totalResults, after: query.after }) };
}

/** Throws order-not-found, even for another account's order (A45). */
export async function readOrder(
  database: Database,
  orderId: string,
  accountId: string,
): Promise<sql.AccountOrderView> {
  const order = await sql.findOrder(database.db, orderId, accountId);
  if (order === undefined) throw new ApiError('order-not-found');
  return order;
}

type WantedPage = Omit<sql.OrderPage, 'range'> & { readonly after: string | undefined };

/** `offset`: orders of the range before the page. */
type Start = Pick<sql.OrderPage, 'range' | 'offset'>;

/** A history: whole buckets, and the orders before and after them. */
type Parts = {
  readonly whole: (WholeBuckets & { readonly orders: number }) | undefined;
  readonly olderCount: number;
  readonly newerCount: number;
};

/** PostgreSQL skips so few orders as fast as it finds the bucket of a page. */
const SKIPPED_MAX = 1_000;

async function loadHistoryPage(database: Database, asked: WantedPage) {
  return runTransaction(database, { isSnapshot: true }, async (tx) => {
    const { skipped, ...wanted } = await startAfter(tx, asked);
    const parts = await countParts(tx, wanted.filter);
    const all = parts.olderCount + (parts.whole?.orders ?? 0) + parts.newerCount;
    const totalResults = all - skipped;
    if (wanted.offset >= all) return { orders: [], totalResults };
    const start = await findStart(tx, wanted, parts);
    return { orders: await sql.listOrders(tx, { ...wanted, ...start }), totalResults };
  });
}

/** Narrows the range to begin at the time of the order `after`, and skips the orders of this time up to it. */
async function startAfter(tx: Tx, wanted: WantedPage): Promise<WantedPage & { readonly skipped: number }> {
  const { after, direction, filter, offset } = wanted;
  if (after === undefined) return { ...wanted, skipped: 0 };
  const last = await sql.findOrder(tx, after, filter.accountId);
  if (last === undefined) throw invalidField('query.after', 'must be the id of one of your orders');
  const { createdAtMicros } = last;
  const { fromMicros = -Infinity, toMicros = Infinity } = filter;
  const isBefore = direction === 'ASC' ? createdAtMicros < fromMicros : createdAtMicros > toMicros;
  if (isBefore) return { ...wanted, skipped: 0 };
  const narrowed = {
    ...filter,
    ...(direction === 'ASC' ? { fromMicros: createdAtMicros } : { toMicros: createdAtMicros }),
  };
  const skipped = await sql.countUpTo(tx, narrowed, { direction, ...last });
  return { ...wanted, filter: narrowed, offset: offset + skipped, skipped };
}

async function countParts(tx: Tx, filter: sql.OrderFilter): Promise<Parts> {
  // Few orders match these filters.
  const isNamed = (filter.orderId ?? filter.reference ?? filter.idempotencyKey ?? filter.ids) !== undefined;
  const range = isNamed ? undefined : toWholeBuckets(filter);
  if (range === undefined)
    return { whole: undefined, olderCount: 0, newerCount: await sql.countOrders(tx, filter, {}) };
  const { fromMicros, beforeMicros } = range;
  const whole = { ...range, orders: await countInBuckets(tx, filter, range) };
  const olderCount =
    fromMicros === undefined ? 0 : await sql.countOrders(tx, filter, { beforeMicros: fromMicros });
  const newerCount =
    beforeMicros === undefined ? 0 : await sql.countOrders(tx, filter, { fromMicros: beforeMicros });
  return { whole, olderCount, newerCount };
}

async function findStart(tx: Tx, wanted: WantedPage, parts: Parts): Promise<Start> {
  const { direction, offset, filter } = wanted;
  const { whole, olderCount, newerCount } = parts;
  const isAscending = direction === 'ASC';
  const countOfFirstPart = isAscending ? olderCount : newerCount;
  if (whole === undefined || offset < countOfFirstPart + SKIPPED_MAX) return { range: {}, offset };
  const offsetInWhole = offset - countOfFirstPart;
  if (offsetInWhole >= whole.orders) {
    const range = isAscending ? { fromMicros: whole.beforeMicros } : { beforeMicros: whole.fromMicros };
    return { range, offset: offsetInWhole - whole.orders };
  }
  const ordersBefore = isAscending ? offsetInWhole : whole.orders - 1 - offsetInWhole;
  const bucket = must(await findBucketOf(tx, filter, whole, ordersBefore), 'a bucket');
  const ordersBeforeInBucket = ordersBefore - bucket.ordersBefore;
  return isAscending
    ? { range: { fromMicros: bucket.fromMicros }, offset: ordersBeforeInBucket }
    : { range: { beforeMicros: bucket.beforeMicros }, offset: bucket.orders - 1 - ordersBeforeInBucket };
}
