/** A total adds up buckets, and counts the orders before the first and after the last. R4, R22, A12. */
import { buildMeta } from '@keyport/contract/envelope';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import { offsetOf, pagingOf } from '@keyport/http/validation/paging';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { findBucketOf, findWholeBuckets, type WholeBuckets } from './history-buckets.sql.ts';
import * as sql from './read-orders.sql.ts';

type HistoryQuery = OperationRequest<'listOrders'>['query'];

export async function readHistory(database: Database, query: HistoryQuery, accountId: string | undefined) {
  const paging = pagingOf(query);
  const { status, orderId, reference } = query;
  const idempotencyKey = query.idempotencyKey?.toLowerCase();
  const range = parseTimeRange(query, 'dateFrom', 'dateTo');
  const filter = { accountId, status, orderId, reference, idempotencyKey, ...range };
  const page = { offset: offsetOf(paging), limit: paging.itemsPerPage };
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

type Parts = {
  readonly whole: WholeBuckets | undefined;
  readonly olderCount: number;
  readonly newerCount: number;
};

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
  const isNamed = (filter.orderId ?? filter.reference ?? filter.idempotencyKey) !== undefined;
  const whole = isNamed ? undefined : await findWholeBuckets(tx, filter);
  if (whole === undefined) return { whole, olderCount: 0, newerCount: await sql.countOrders(tx, filter, {}) };
  // Without a lower bound, no order precedes the first bucket.
  const olderCount =
    filter.fromMicros === undefined ? 0 : await sql.countOrders(tx, filter, { before: whole.first });
  return { whole, olderCount, newerCount: await sql.countOrders(tx, filter, { from: whole.last }) };
}

async function findStart(tx: Tx, wanted: WantedPage, parts: Parts): Promise<Start> {
  const { direction, offset, filter } = wanted;
  const { whole, olderCount, newerCount } = parts;
  const countOfFirstPart = direction === 'ASC' ? olderCount : newerCount;
  if (whole === undefined || offset < countOfFirstPart) return { range: {}, offset };
  const offsetInBuckets = offset - countOfFirstPart;
  if (offsetInBuckets >= whole.orders) {
    const range = direction === 'ASC' ? { from: whole.last } : { before: whole.first };
    return { range, offset: offsetInBuckets - whole.orders };
  }
  const place = direction === 'ASC' ? offsetInBuckets : whole.orders - 1 - offsetInBuckets;
  const bucket = await findBucketOf(tx, filter, whole, place);
  const placeInBucket = place - bucket.ordersBefore;
  return direction === 'ASC'
    ? { range: { from: bucket.from }, offset: placeInBucket }
    : { range: { before: bucket.before }, offset: bucket.orders - 1 - placeInBucket };
}
