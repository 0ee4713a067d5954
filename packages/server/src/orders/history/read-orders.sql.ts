/** R22, A12. */
import type { OrderStatus } from '@keyport/core/orders/order-status';
import { UNDER_REVIEW } from '@keyport/core/orders/place-order';
import { type PlacedStatus, placedPath, placedReason } from '@keyport/core/orders/placed-order';
import { operationKey } from '@keyport/core/orders/reservations';
import { allRows, onlyValue } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros, toTimestamp } from '../../db/timestamps.ts';
import type { OrderView } from '../order-response.ts';
import { ITEM_TERMS_JSON, selectOrderTerms } from '../order-terms.sql.ts';
import type { CountFilter } from './history-counts.sql.ts';

/** Narrows the times of a filter; `beforeMicros` is exclusive. */
export type HistoryRange = {
  readonly fromMicros?: number | undefined;
  readonly beforeMicros?: number | undefined;
};

/** Orders with one of these ids, or with the reference. */
export type NamedOrders = { readonly ids?: readonly string[]; readonly orReference?: string };

export type OrderFilter = CountFilter & {
  readonly ids?: readonly string[] | undefined;
  readonly orReference?: string | undefined;
  readonly orderId: string | undefined;
  readonly reference?: string | undefined;
  readonly idempotencyKey?: string | undefined;
};

export type OrderPage = {
  readonly filter: OrderFilter;
  readonly range: HistoryRange;
  readonly direction: 'ASC' | 'DESC';
  readonly offset: number;
  readonly limit: number;
};

export const SERVICE_ACTOR = 'keyport';

export type AccountOrderView = OrderView & { readonly accountId: string };

/** A text with leading zeros is not an order's id. */
export function hasOrderId(orderId: string): Sql {
  return sql`"order".id = ${orderId}::bigint AND "order".id::text = ${orderId}`;
}

/** Index: order_reference_ix. */
export function hasReference(reference: string): Sql {
  return sql`"order".reference = ${reference}`;
}

/** Searches by account, the first column of the index. Index: order_idempotency_key_uq. */
export function hasKey(key: string): Sql {
  return sql`"order".id IN (
    SELECT keyed.id FROM account CROSS JOIN LATERAL (
      SELECT placed.id FROM "order" AS placed
      WHERE placed.account_id = account.id AND placed.idempotency_key = ANY (${toKeys(key)}::uuid[]) OFFSET 0) AS keyed)`;
}

/** The keys stored for an order placed directly and for one from a reservation. */
function toKeys(key: string): string[] {
  return [key, operationKey(key, 'order')];
}

function toWhere(filter: OrderFilter, range: HistoryRange): Sql {
  const conditions = [sql`true`];
  if (filter.accountId !== undefined) conditions.push(sql`account_id = ${filter.accountId}::uuid`);
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`);
  for (const { fromMicros } of [filter, range])
    if (fromMicros !== undefined) conditions.push(sql`created_at >= ${toTimestamp(fromMicros)}`);
  if (filter.toMicros !== undefined) conditions.push(sql`created_at <= ${toTimestamp(filter.toMicros)}`);
  if (range.beforeMicros !== undefined) conditions.push(sql`created_at < ${toTimestamp(range.beforeMicros)}`);
  if (filter.orderId !== undefined) conditions.push(hasOrderId(filter.orderId));
  if (filter.reference !== undefined) conditions.push(hasReference(filter.reference));
  if (filter.idempotencyKey !== undefined)
    conditions.push(
      filter.accountId === undefined
        ? hasKey(filter.idempotencyKey)
        : sql`idempotency_key = ANY (${toKeys(filter.idempotencyKey)}::uuid[])`,
    );
  if (filter.ids !== undefined && filter.orReference !== undefined)
    conditions.push(
      sql`("order".id = ANY (${[...filter.ids]}::bigint[]) OR ${hasReference(filter.orReference)})`,
    );
  return sql`WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** Indexes: order_history_ix, order_created_ix, order_history_status_ix, order_status_ix. */
export function countOrders(db: Db, filter: OrderFilter, range: HistoryRange): Promise<number> {
  return onlyValue<{ total: number }>(db)`
    SELECT count(*) AS total FROM "order" ${toWhere(filter, range)}`;
}

/** Counts the orders created at the same time as the given order, up to that order. Index: order_history_ix. */
export function countUpTo(
  db: Db,
  filter: OrderFilter,
  last: Pick<OrderPage, 'direction'> & Pick<OrderView, 'id' | 'createdAtMicros'>,
): Promise<number> {
  const upTo = last.direction === 'ASC' ? sql`<=` : sql`>=`;
  return onlyValue<{ total: number }>(db)`
    SELECT count(*) AS total FROM "order" ${toWhere(filter, {})}
      AND created_at = ${toTimestamp(last.createdAtMicros)} AND id ${upTo} ${last.id}::bigint`;
}

/** `page`: rows of "order". Index: order_item_order_ix. */
const SHOWN = sql`page.id::text, page.account_id AS "accountId", page.status,
  ${deriveMicros('page.created_at')} AS "createdAtMicros", page.currency, page.decimals, ${sql.raw(selectOrderTerms('page'))}, (
    SELECT coalesce(json_agg(json_build_object(
      'id', id::text, 'productId', product_id::text, 'sellerId', seller_id, ${ITEM_TERMS_JSON},
      'quantity', json_build_object('ordered', quantity_ordered, 'invoiced', quantity_invoiced,
        'shipped', quantity_shipped, 'refunded', quantity_refunded)) ORDER BY id), '[]')
    FROM order_item WHERE order_item.order_id = page.id
  ) AS items`;

export function listOrders(db: Db, page: OrderPage): Promise<AccountOrderView[]> {
  const direction = page.direction === 'ASC' ? sql`ASC` : sql`DESC`;
  return allRows<AccountOrderView>(db)`
    SELECT ${SHOWN}
    FROM (
      SELECT * FROM "order" ${toWhere(page.filter, page.range)}
      ORDER BY created_at ${direction}, id ${direction} LIMIT ${page.limit} OFFSET ${page.offset}
    ) AS page
    ORDER BY page.created_at ${direction}, page.id ${direction}`;
}

/** Unsorted; without unknown ids. */
export async function listOrdersById(db: Db, orderIds: readonly string[]): Promise<AccountOrderView[]> {
  if (orderIds.length === 0) return [];
  return allRows<AccountOrderView>(db)`
    SELECT ${SHOWN} FROM "order" AS page WHERE page.id = ANY (${[...orderIds]}::bigint[])`;
}

/** With `accountId`, finds only that account's order (A45). */
export async function findOrder(
  db: Db,
  orderId: string,
  accountId: string | undefined,
): Promise<AccountOrderView | undefined> {
  const filter = { accountId, orderId, status: undefined, fromMicros: undefined, toMicros: undefined };
  const [order] = await listOrders(db, { filter, range: {}, direction: 'DESC', offset: 0, limit: 1 });
  return order;
}

export type StatusChangeRow = {
  readonly from_status: OrderStatus | null;
  readonly via: readonly OrderStatus[];
  readonly to_status: OrderStatus;
  readonly at: number;
  readonly actor: string;
  readonly actorName: string | null;
  readonly reason: string;
};

/** Oldest first. The placement is derived from the order. */
export async function listStatusLog(db: Db, orderId: string): Promise<StatusChangeRow[]> {
  const rows = await allRows<StatusChangeRow>(db)`
    SELECT from_status, to_json(via) AS via, to_status, ${deriveMicros('at')} AS at, actor, reason,
      coalesce(
        (SELECT name FROM person WHERE person.id = actor),
        (SELECT name FROM client WHERE client.id = actor)) AS "actorName"
    FROM order_status_log WHERE order_id = ${orderId}::bigint ORDER BY id`;
  const placements = await allRows<{ status: PlacedStatus; at: number; holdReason: string | null }>(db)`
    SELECT coalesce(${rows[0]?.from_status ?? null}, status) AS status, ${deriveMicros('created_at')} AS at,
      hold_reason AS "holdReason"
    FROM "order" WHERE id = ${orderId}::bigint AND origin = 'export-api'`;
  const placed = placements.map(({ status, at, holdReason }) => ({
    from_status: null,
    via: placedPath(status).slice(0, -1),
    to_status: status,
    at,
    actor: SERVICE_ACTOR,
    actorName: null,
    reason: placedReason(status, holdReason),
  }));
  return [...placed, ...rows];
}

/** Oldest first. Index: ledger_transfer_order_ix. */
export function listRefunds(db: Db, orderId: string): Promise<{ at: number; amountMinor: number }[]> {
  return allRows<{ at: number; amountMinor: number }>(db)`
    SELECT ${deriveMicros('created_at')} AS at, amount_minor AS "amountMinor" FROM ledger_transfer
    WHERE order_id = ${orderId}::bigint AND kind = 'refund' ORDER BY id`;
}

export type OrderNote = {
  readonly accountName: string;
  readonly imported: boolean;
  readonly holdReason: string | null;
  readonly traceId: string | null;
};

/** For operators. Index: order_status_log_order_ix. */
export async function listOrderNotes(db: Db, orderIds: readonly string[]): Promise<Map<string, OrderNote>> {
  type Row = OrderNote & { readonly id: string; readonly isHeld: boolean };
  const rows = await allRows<Row>(db)`
    SELECT "order".id::text, account.name AS "accountName", origin = 'imported' AS imported,
      "order".status = 'held' AS "isHeld", replace(trace_id::text, '-', '') AS "traceId", coalesce((
        SELECT reason FROM order_status_log AS held
        WHERE order_id = "order".id AND to_status = 'held' AND actor <> ${SERVICE_ACTOR} AND NOT EXISTS (
          SELECT FROM order_status_log AS later
          WHERE later.order_id = held.order_id AND later.id > held.id AND later.to_status <> 'held')
        ORDER BY held.id DESC LIMIT 1
      ), hold_reason, ${UNDER_REVIEW}) AS "holdReason"
    FROM "order" JOIN account ON account.id = "order".account_id
    WHERE "order".id = ANY (${[...orderIds]}::bigint[])`;
  return new Map(
    rows.map(({ id, isHeld, ...note }) => [id, { ...note, holdReason: isHeld ? note.holdReason : null }]),
  );
}
