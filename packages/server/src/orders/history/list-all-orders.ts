import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { isOrderId, isProductId, likelyOrderIdStart, normalizeUuid } from '@keyport/core/ids';
import { invalidField } from '@keyport/http/replies/api-error';
import { isByCursor } from '@keyport/http/validation/list-cursor';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import { isSortable } from '../../db/keyset.sql.ts';
import { readListPage } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { buildOrder } from '../order-response.ts';
import { readHistory } from './history.ts';
import * as sql from './order-lists.sql.ts';
import { type AccountOrderView, listOrderNotes, listOrdersById } from './read-orders.sql.ts';

type OrdersRequest = Pick<OperationRequest<'listAllOrders'>, 'query' | 'principal'>;

const ONLY_BY_CURSOR = [
  'count',
  'query',
  'productId',
  'offerId',
  'sellerId',
  'imported',
  'traceId',
  'refunded',
  'region',
  'currency',
  'referencePart',
  'totalFrom',
  'totalTo',
] as const;

const TOO_MANY_TO_SORT =
  'by total needs a filter that leaves at most 10,000 orders: choose days, an account or a status besides complete';
const TRACE_ID = /^[0-9a-f]{32}$/;
const NO_ID = /^\d{17,}$/;
const NO_ID_SAYS =
  'is the id of no order or item, and no reference: ids of orders have 14 to 16 digits, those of items 2 more, and spreadsheets keep only 15';
/** Lists show the first 8 characters of UUIDs and trace ids. */
const UUID_START = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;
const LISTED = { load: listOrdersById, toId: ({ id }: AccountOrderView) => id };

export async function listAllOrders(database: Database, { query }: OrdersRequest) {
  const { sort } = query;
  const isByTotal = sort === 'total' || sort === '-total';
  if (!isByCursor(query, isByTotal ? ['sort'] : ONLY_BY_CURSOR)) {
    const paged = { ...query, sort: sort === 'ASC' ? ('ASC' as const) : ('DESC' as const) };
    const { orders, meta } = await readHistory(database, paged, query.accountId?.toLowerCase());
    return { status: 200, data: await showOrders(database, orders), meta };
  }
  const filter = await toFilter(database, query);
  const list = sql.ordersList(filter, sort !== 'ASC' && sort !== 'total', isByTotal);
  if (isByTotal && !(await isSortable(database, list))) throw invalidField('query.sort', TOO_MANY_TO_SORT);
  const { rows, meta } = await readListPage(database, { name: 'orders', query, list, ...LISTED });
  const [orders, histories] = [await showOrders(database, rows), await toHistories(database, rows)];
  const data = orders.map((order) => {
    const history = order.status === 'held' ? histories.get(order.accountId) : undefined;
    return { ...order, ...(history === undefined ? {} : { accountHistory: history }) };
  });
  return { status: 200, data, meta };
}

export async function findOrders(database: Database, filter: sql.OrdersFilter, limit: number) {
  const list = sql.ordersList(filter, true);
  const wanted = { name: 'found orders', query: { limit }, list, ...LISTED };
  const { rows, meta } = await readListPage(database, wanted);
  return { data: await showOrders(database, rows), meta };
}

async function toFilter(database: Database, query: OrdersRequest['query']): Promise<sql.OrdersFilter> {
  const {
    dateFrom: _from,
    dateTo: _to,
    query: _words,
    page: _page,
    sort: _sort,
    count: _count,
    ...named
  } = query;
  const wanted = {
    ...named,
    imported: isTrue(query.imported),
    refunded: isTrue(query.refunded),
    idempotencyKey: query.idempotencyKey?.toLowerCase(),
    ...parseTimeRange(query, 'dateFrom', 'dateTo'),
  };
  if (query.query === undefined) return wanted;
  const found = await toMeaning(database, query.query.trim());
  for (const [name, value] of Object.entries(found)) {
    const other = wanted[name as keyof typeof wanted];
    if (other !== undefined && String(other).toLowerCase() !== value?.toLowerCase())
      throw invalidField('query.query', `names a different ${name} than the filter; leave out one of them`);
  }
  return { ...wanted, ...found };
}

function isTrue(flag: 'true' | 'false' | undefined): boolean | undefined {
  return flag === undefined ? undefined : flag === 'true';
}

type Meaning = Pick<
  sql.OrdersFilter,
  'orderId' | 'orderIdPart' | 'productId' | 'reference' | 'traceId' | 'words'
> &
  Partial<Record<`${sql.NamedKind}Id`, string>>;

/** An id (also in groups, as lists show it), a reference, or words, which may be digits of an id. A411. */
async function toMeaning({ db }: Database, asTyped: string): Promise<Meaning> {
  const words = asTyped.toLowerCase();
  const text = words.replaceAll(/\s+/g, '');
  if (TRACE_ID.test(text)) return { traceId: text };
  if (isProductId(text) && (await sql.hasProduct(db, text))) return { productId: text };
  if (isOrderId(text) && (await sql.hasOrder(db, { id: text }))) return { orderId: text };
  if (await sql.hasOrder(db, { reference: asTyped })) return { reference: asTyped };
  const start = likelyOrderIdStart(text);
  if (start !== undefined && (await sql.hasOrder(db, { start }))) return { orderIdPart: start };
  if (UUID_START.test(text)) {
    const found = await sql.findByIdStart(db, text);
    if (found !== undefined) return { [`${found.kind}Id`]: found.id };
    if (normalizeUuid(text) !== undefined) return { accountId: text };
    const traceId = text.includes('-') ? undefined : await sql.findTraceStarting(db, text);
    if (traceId !== undefined) return { traceId };
  }
  if (NO_ID.test(text)) throw invalidField('query.query', NO_ID_SAYS);
  return { words };
}

async function showOrders({ db }: Database, orders: readonly AccountOrderView[]) {
  const ids = orders.map(({ id }) => id);
  const notes = await listOrderNotes(db, ids);
  return orders.map((order) => ({
    ...buildOrder(order),
    accountId: order.accountId,
    ...must(notes.get(order.id), 'orders and accounts are never deleted'),
  }));
}

async function toHistories({ db }: Database, orders: readonly AccountOrderView[]) {
  const accountIds = orders.flatMap(({ accountId, status }) => (status === 'held' ? [accountId] : []));
  const histories =
    accountIds.length === 0 ? [] : await sql.listAccountHistories(db, [...new Set(accountIds)]);
  return new Map(
    histories.map(({ accountId, createdAtMicros, ...counts }) => [
      accountId,
      { createdAt: formatDateTime(createdAtMicros), ...counts },
    ]),
  );
}
