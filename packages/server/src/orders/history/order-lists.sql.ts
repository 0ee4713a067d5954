import type { OrderStatus } from '@keyport/core/orders/order-status';
import { ACCOUNT_WORDS } from '../../accounts/accounts.sql.ts';
import { plainArray } from '../../db/engines/prepared.ts';
import {
  allOf,
  amountKey,
  countFirst,
  FOUND_MAX,
  type List,
  numberKey,
  type Search,
  textKey,
  timeKey,
} from '../../db/keyset.sql.ts';
import { allRows, execute, firstRow, firstValue, hasRows, onlyRow, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { findByWords, matchesUuid, searchWords, type WordIndex } from '../../db/search.sql.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros, toTimestamp } from '../../db/timestamps.ts';
import { PRODUCT_WORDS, SELLER_WORDS } from '../../listings/catalogue.sql.ts';
import { currentSums } from '../../sums/sums.sql.ts';
import { hasKey, hasOrderId, hasReference } from './read-orders.sql.ts';

/** A search that matches more accounts, sellers, products or offers is too broad. */
const NAMED_MAX = 1_000;
/** One more than the orders that are sorted for a page. */
const ESTIMATED_ORDERS_MAX = 10_001;
/** No index finds the start of an order's trace id, or the end of its id. */
const LATEST_ORDERS_MAX = 20_000;
/** Imported orders may have shorter ids. */
const ORDER_ID_LENGTHS = [14, 15, 16] as const;

type Named = 'orderId' | 'orderIdPart' | 'accountId' | 'productId' | 'offerId' | 'sellerId' | 'traceId';
type Described = 'words' | 'region' | 'currency' | 'reference' | 'referencePart' | 'idempotencyKey';

/**
 * `words`: in names of account, product or seller, in references, or digits of an id. `orderIdPart`: the first digits of an
 * id, or at least 4 of the last. Totals: inclusive, in the order's currency.
 */
export type OrdersFilter = {
  readonly [Name in Named | Described | 'totalFrom' | 'totalTo']?: string | undefined;
} & { readonly [Name in 'imported' | 'refunded']?: boolean | undefined } & {
  readonly [Name in 'fromMicros' | 'toMicros']?: number | undefined;
} & { readonly status?: OrderStatus | undefined };

/** Amounts of different currencies are not compared. No index has this order. */
const BY_TOTAL = [
  textKey(sql`"order".currency COLLATE "C"`),
  amountKey(
    sql`("order".total_price_minor::numeric * (10 ^ (12 - "order".decimals)::numeric)::numeric(38, 0))::numeric(38, 0)`,
  ),
  numberKey('order.id'),
];
const BY_CREATION = [timeKey('order.created_at'), numberKey('order.id')];

/** Indexes: order_created_ix, order_status_ix, order_history_ix, order_history_status_ix. */
export function ordersList(filter: OrdersFilter, isDescending: boolean, isByTotal = false): List {
  const { status, imported } = filter;
  const [search, ...others] = toSearches(filter);
  const scanned = toScanned(filter);
  const bounds = allOf(scanned);
  return {
    from: sql`"order"`,
    alias: 'order',
    amount: {
      minor: sql`"order".total_price_minor`,
      currency: sql`"order".currency`,
      decimals: sql`"order".decimals`,
    },
    key: isByTotal ? BY_TOTAL : BY_CREATION,
    isDescending,
    scanned,
    filters: [
      ...(status === 'complete' ? [sql`"order".status = 'complete'`] : []),
      ...(imported === undefined ? [] : [sql`("order".origin = 'imported') = ${imported}`]),
      ...toDetails(filter),
      ...others.map(({ condition }) => condition),
    ],
    search: search ?? (isByTotal ? counted(bounds) : undefined),
  };
}

function toScanned({ status, fromMicros, toMicros, accountId }: OrdersFilter): Sql[] {
  return [
    ...(accountId === undefined ? [] : [sql`"order".account_id = ${accountId}::uuid`]),
    ...(fromMicros === undefined ? [] : [sql`"order".created_at >= ${toTimestamp(fromMicros)}`]),
    ...(toMicros === undefined ? [] : [sql`"order".created_at <= ${toTimestamp(toMicros)}`]),
    // Nearly all orders are complete, and no index has that status.
    ...(status === undefined || status === 'complete' ? [] : [sql`"order".status = ${sql.constant(status)}`]),
  ];
}

/** Conditions that no index supports. */
function toDetails({ refunded, region, currency, totalFrom, totalTo }: OrdersFilter): Sql[] {
  const total = sql`("order".total_price_minor / 10::numeric ^ "order".decimals)`;
  const items = sql`SELECT FROM order_item JOIN product ON product.id = product_id WHERE order_id = "order".id`;
  return [
    ...(refunded === undefined
      ? []
      : [
          sql`(coalesce("order".quantity_refunded > 0, EXISTS (
            SELECT FROM imported_item AS refunded WHERE refunded.order_id = "order".id AND refunded.quantity_refunded > 0))) = ${refunded}`,
        ]),
    ...(region === undefined ? [] : [sql`EXISTS (${items} AND details ->> 'region' = ${region})`]),
    ...(currency === undefined ? [] : [sql`"order".currency = ${currency}`]),
    ...(totalFrom === undefined ? [] : [sql`${total} >= ${totalFrom}::numeric`]),
    ...(totalTo === undefined ? [] : [sql`${total} <= ${totalTo}::numeric`]),
  ];
}

function toSearches(filter: OrdersFilter): Search[] {
  const { orderId, orderIdPart, traceId, offerId, productId, sellerId, words } = filter;
  const { reference, referencePart, idempotencyKey } = filter;
  const searches: Search[] = [];
  if (orderId !== undefined) searches.push({ condition: hasOrderId(orderId) });
  if (idempotencyKey !== undefined) searches.push({ condition: hasKey(idempotencyKey) });
  if (reference !== undefined) searches.push(counted(hasReference(reference)));
  if (referencePart !== undefined) searches.push(referredByPart(referencePart));
  if (traceId !== undefined) searches.push(tracedBy(traceId));
  if (orderIdPart !== undefined) searches.push(numbered(orderIdPart));
  if (offerId !== undefined) searches.push(soldBy('offer', sql`${offerId}::uuid`));
  if (productId !== undefined) searches.push(soldBy('product', sql`${productId}::bigint`));
  if (sellerId !== undefined) searches.push(soldBy('seller', sql`${sellerId}::uuid`));
  if (words !== undefined) searches.push(named(words));
  return searches;
}

/** Orders that the request placed, changed or read. Indexes: order_trace_ix, audit_entry_trace_ix. */
function tracedBy(traceId: string): Search {
  return {
    condition: sql`("order".trace_id = ${traceId}::uuid
      OR EXISTS (SELECT FROM audit_entry WHERE trace_id = ${traceId} AND order_id = "order".id))`,
    toIndexed: async () => sql`"order".id IN (
      SELECT traced.id FROM "order" AS traced WHERE trace_id = ${traceId}::uuid
      UNION ALL
      SELECT order_id FROM audit_entry WHERE trace_id = ${traceId})`,
    needsIndex: true,
  };
}

/** On a server, autovacuum does this. */
export async function summarizeTraces(db: Db): Promise<void> {
  await execute(db)`SELECT brin_summarize_new_values('order_trace_ix')`;
}

const REFERENCE_WORDS: WordIndex = {
  table: 'order',
  statistics: 'order_reference_words_ix',
  words: sql`search_words("order".reference)`,
  predicate: sql`"order".reference IS NOT NULL`,
};

function referredByPart(part: string): Search {
  return searchWords(REFERENCE_WORDS, part);
}

/** Undefined if nearly all references have such words. Index: order_reference_words_ix. */
export function findReferred(tx: Tx, accountId: string, part: string): Promise<string[] | undefined> {
  const predicate = sql`"order".reference IS NOT NULL AND "order".account_id = ${accountId}::uuid`;
  return findByWords(tx, { ...REFERENCE_WORDS, predicate }, part, NAMED_MAX);
}

const SOLD_BY = {
  offer: { ofOffer: sql.identifier('offer.id'), ofItem: sql.identifier('imported_item.offer_id') },
  product: {
    ofOffer: sql.identifier('offer.product_id'),
    ofItem: sql.identifier('imported_item.product_id'),
  },
  seller: { ofOffer: sql.identifier('offer.seller_id'), ofItem: sql.identifier('imported_item.seller_id') },
} as const;

/** Indexes: order_first_unit_uq, order_offer_ix, offer_product_ix, offer_seller_ix and those of imported_item. */
function soldBy(dimension: keyof typeof SOLD_BY, id: Sql): Search {
  const { ofOffer, ofItem } = SOLD_BY[dimension];
  const offers = sql`SELECT offer.id FROM offer WHERE ${ofOffer} = ${id}`;
  return {
    condition: sql`(EXISTS (SELECT FROM offer WHERE offer.id = "order".offer_id AND ${ofOffer} = ${id})
      OR EXISTS (SELECT FROM imported_item WHERE order_id = "order".id AND ${ofItem} = ${id}))`,
    async toIndexed(tx) {
      if ((await countSoldUnits(tx, offers)) > FOUND_MAX) return undefined;
      return isOneOf(
        sql`${ordersOf(offers)} UNION ALL SELECT order_id FROM imported_item WHERE ${ofItem} = ${id}`,
      );
    },
  };
}

/** The array makes PostgreSQL look up the orders by their ids, regardless of the planner's estimates. */
function isOneOf(orders: Sql): Sql {
  return sql`"order".id = ANY (ARRAY (${orders}))`;
}

function ordersOf(offers: Sql): Sql {
  const sold = sql`SELECT sold.id FROM "order" AS sold WHERE offer_id = ANY (ARRAY (${offers}))`;
  return sql`${sold} AND first_unit IS NOT NULL UNION ALL ${sold} AND first_unit IS NULL`;
}

/** At least the number of orders, except the few imported ones. */
async function countSoldUnits(db: Db, offers: Sql): Promise<number> {
  const row = await onlyRow<{ offers: number; units: number }>(db)`
    SELECT count(*) AS offers, coalesce(sum(next_unit - 1), 0)::bigint AS units
    FROM (SELECT next_unit FROM offer
    WHERE id IN (${offers} LIMIT ${NAMED_MAX + 1})) AS sampled`;
  return row.offers > NAMED_MAX ? Number.POSITIVE_INFINITY : row.units;
}

/** Ids of each length that begin with `digits`. Index: order_pkey. */
function startsWith(digits: string): Sql {
  if (digits.startsWith('0')) return sql`false`;
  const ranges = ORDER_ID_LENGTHS.filter((length) => length >= digits.length).map((length) => {
    const rest = length - digits.length;
    return sql`"order".id BETWEEN ${digits + '0'.repeat(rest)}::bigint AND ${digits + '9'.repeat(rest)}::bigint`;
  });
  return sql`(${sql.join(ranges, sql` OR `)})`;
}

const PART_OF_ID = /^\d{1,16}$/;
const END_LENGTH_MIN = 4;

/** No index has the last digits of ids. */
function endsWith(digits: string): Sql {
  if (digits.length < END_LENGTH_MIN || digits.length >= 16) return sql`false`;
  return sql`"order".id % ${10 ** digits.length}::bigint = ${digits}::bigint`;
}

const hasIdPart = (digits: string) => sql`(${startsWith(digits)} OR ${endsWith(digits)})`;

/** The end is looked for among the latest orders only. Indexes: order_pkey, order_created_ix. */
async function findByIdPart(db: Db, digits: string): Promise<string[] | undefined> {
  const rows = await allRows<{ id: string }>(db)`
    SELECT id::text AS id FROM (SELECT id FROM "order" WHERE ${startsWith(digits)} LIMIT ${FOUND_MAX + 1}) AS started
    UNION
    SELECT id::text FROM (
      SELECT id FROM "order" ORDER BY created_at DESC, id DESC LIMIT ${LATEST_ORDERS_MAX}) AS "order"
    WHERE ${endsWith(digits)}`;
  return rows.length > FOUND_MAX ? undefined : rows.map(({ id }) => id);
}

function numbered(digits: string): Search {
  return {
    condition: hasIdPart(digits),
    async toIndexed(tx) {
      const ids = await findByIdPart(tx, digits);
      return ids && sql`"order".id = ANY (${plainArray(ids)}::bigint[])`;
    },
  };
}

function counted(condition: Sql): Search {
  return countFirst(condition, (tx) => countUpTo(tx, condition));
}

function countUpTo(db: Db, condition: Sql, limit = ESTIMATED_ORDERS_MAX): Promise<number> {
  return onlyValue<{ orders: number }>(db)`
    SELECT count(*) AS orders
    FROM (SELECT FROM "order" WHERE ${condition} LIMIT ${limit}) AS sampled`;
}

export async function hasOrder(
  db: Db,
  by: { readonly id: string } | { readonly start: string } | { readonly reference: string },
): Promise<boolean> {
  const condition =
    'id' in by ? hasOrderId(by.id) : 'start' in by ? startsWith(by.start) : hasReference(by.reference);
  return (await countUpTo(db, condition, 1)) > 0;
}

/** Indexes: those of names' and references' words, of ids, and those by account and by offer. */
function named(words: string): Search {
  // Lists show ids in groups.
  const digits = words.replaceAll(/\s+/g, '');
  const isPartOfId = digits.length >= END_LENGTH_MIN && PART_OF_ID.test(digits);
  const query = sql`search_query(${words})`;
  const sellers = sql`SELECT seller.id FROM seller WHERE ${SELLER_WORDS.words} @@ ${query}`;
  return {
    condition: sql`("order".account_id IN (SELECT account.id FROM account WHERE ${ACCOUNT_WORDS.words} @@ ${query})
      OR ${isPartOfId ? hasIdPart(digits) : sql`false`}
      OR ${REFERENCE_WORDS.words} @@ ${query}
      OR EXISTS (SELECT FROM offer JOIN product ON product.id = product_id
        WHERE offer.id = "order".offer_id AND (product.words @@ ${query} OR seller_id IN (${sellers})))
      OR EXISTS (SELECT FROM imported_item LEFT JOIN product ON product.id = imported_item.product_id
        WHERE order_id = "order".id AND (product.words @@ ${query} OR imported_item.seller_id IN (${sellers}))))`,
    async toIndexed(tx) {
      const [products, sellers, accounts] = [
        await findByWords(tx, PRODUCT_WORDS, words, NAMED_MAX),
        await findByWords(tx, SELLER_WORDS, words, NAMED_MAX),
        await findByWords(tx, ACCOUNT_WORDS, words, NAMED_MAX),
      ];
      const referring = await findByWords(tx, REFERENCE_WORDS, words, FOUND_MAX);
      const numbered = isPartOfId ? await findByIdPart(tx, digits) : [];
      if (products === undefined || sellers === undefined || accounts === undefined) return undefined;
      if (referring === undefined || numbered === undefined) return undefined;
      const ids = [...referring, ...numbered];
      const [ofProducts, ofSellers] = [
        sql`product_id = ANY (${plainArray(products)}::bigint[])`,
        sql`seller_id = ANY (${plainArray(sellers)}::uuid[])`,
      ];
      const offers = sql`SELECT id FROM offer WHERE ${ofProducts} UNION ALL SELECT id FROM offer WHERE ${ofSellers}`;
      const orders = (await countAccountOrders(tx, accounts)) + (await countSoldUnits(tx, offers));
      if (orders + ids.length > FOUND_MAX) return undefined;
      return isOneOf(sql`SELECT unnest(${plainArray(ids)}::bigint[])
        UNION ALL SELECT sold.id FROM "order" AS sold WHERE account_id = ANY (${plainArray(accounts)}::uuid[])
        UNION ALL ${ordersOf(offers)}
        UNION ALL SELECT order_id FROM imported_item WHERE ${ofProducts} OR ${ofSellers}`);
    },
  };
}

function countAccountOrders(db: Db, accountIds: readonly string[]): Promise<number> {
  return onlyValue<{ orders: number }>(db)`
    SELECT coalesce(sum(count), 0)::bigint AS orders FROM bucket_sum
    WHERE kind = 'account-order-total' AND key = ANY (${plainArray(accountIds)}::text[])`;
}

/** Indexes: audit_entry_trace_ix, order_created_ix. */
export async function findTraceStarting(db: Db, start: string): Promise<string | undefined> {
  const [first, last] = [start.padEnd(32, '0'), start.padEnd(32, 'f')];
  const audited = await firstValue<{ id: string }>(db)`
    SELECT trace_id AS id FROM audit_entry WHERE trace_id BETWEEN ${first} AND ${last}
    ORDER BY trace_id LIMIT 1`;
  if (audited !== undefined) return audited;
  return firstValue<{ id: string }>(db)`
    SELECT replace(trace_id::text, '-', '') AS id
    FROM (SELECT trace_id FROM "order" ORDER BY created_at DESC, id DESC LIMIT ${LATEST_ORDERS_MAX}) AS latest
    WHERE trace_id BETWEEN ${first}::uuid AND ${last}::uuid LIMIT 1`;
}

export type NamedKind = 'account' | 'offer' | 'seller';

export function findByIdStart(
  db: Db,
  start: string,
): Promise<{ readonly kind: NamedKind; readonly id: string } | undefined> {
  const isIt = (column: string) => matchesUuid(sql.identifier(column), start) ?? sql`false`;
  return firstRow<{ kind: NamedKind; id: string }>(db)`
    (SELECT 'account' AS kind, id FROM account WHERE ${isIt('account.id')} LIMIT 1)
    UNION ALL (SELECT 'offer', id FROM offer WHERE ${isIt('offer.id')} LIMIT 1)
    UNION ALL (SELECT 'seller', id FROM seller WHERE ${isIt('seller.id')} LIMIT 1)`;
}

export function hasProduct(db: Db, id: string): Promise<boolean> {
  return hasRows(db)`SELECT FROM product WHERE id = ${id}::bigint`;
}

export type AccountHistory = {
  readonly accountId: string;
  readonly createdAtMicros: number;
  readonly orders: number;
  readonly refunded: number;
};

export function listAccountHistories(db: Db, accountIds: readonly string[]): Promise<AccountHistory[]> {
  return allRows<AccountHistory>(db)`
    SELECT account.id AS "accountId", ${deriveMicros('account.created_at')} AS "createdAtMicros",
      coalesce(sum(count), 0)::bigint AS orders,
      coalesce(sum(count) FILTER (WHERE label = 'closed'), 0)::bigint AS refunded
    FROM account
    LEFT JOIN (${currentSums('account-order-total', { keys: accountIds })}) AS counted ON key = account.id::text
    WHERE account.id = ANY (${plainArray(accountIds)}::uuid[])
    GROUP BY account.id`;
}
