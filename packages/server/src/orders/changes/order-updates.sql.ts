/** Locks in the order of placement.sql.ts; the caller takes the catalogue clock last. */

import { assert, must } from '@keyport/core/assert';
import type { ItemState, OrderChange, OrderState, RefundedUnits } from '@keyport/core/orders/decide-change';
import { commitTransactionLikeAWrite } from '../../db/commit-like-a-write.ts';
import { allRows, allValues, execute, firstValue, onlyValue } from '../../db/rows.ts';
import type { Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { putOnSale, withdrawSold } from '../../stock/stock.sql.ts';
import type { StoredResponse } from '../order-response.ts';

export type LockedOrder = OrderState & {
  readonly accountId: string;
  readonly productIds: readonly string[];
  /** If a provider pays: why placement decided to hold it. */
  readonly holdReason: string | null;
};

export async function lockOrder(tx: Tx, orderId: string): Promise<LockedOrder | undefined> {
  const [order] = await lockOrders(tx, [orderId]);
  return order;
}

/** Locks and returns the orders that exist. Their accounts are locked first. */
export async function lockOrders(tx: Tx, orderIds: readonly string[]): Promise<LockedOrder[]> {
  const accounts = await lockAccountsOf(tx, orderIds);
  const rows = await allRows<Omit<LockedOrder, 'balanceMinor' | 'isUnderReview' | 'items' | 'productIds'>>(
    tx,
  )`
    SELECT id::text, account_id AS "accountId", status, held_from AS "heldFrom",
      CASE WHEN origin = 'export-api' THEN payment_method END AS "paymentMethod", total_price_minor AS "totalPriceMinor",
      (SELECT coalesce(sum(amount_minor), 0) FROM ledger_transfer
        WHERE order_id = "order".id AND kind = 'refund')::bigint AS "refundedMinor",
      EXISTS (SELECT FROM stock_key WHERE ${isUnitOfOrder}) AS "hasUnits",
      CASE payment_method WHEN 'gateway' THEN hold_reason END AS "holdReason"
    FROM "order" WHERE ${haveIds(orderIds)} ORDER BY "order".id FOR NO KEY UPDATE`;
  const ids = rows.map(({ id }) => id);
  const toItems = await loadItemStates(tx, ids);
  return rows.map((order) => {
    const account = must(accounts.get(order.accountId), 'the account of an order');
    const items = toItems.get(order.id) ?? [];
    return {
      ...order,
      balanceMinor: account.balanceMinor,
      isUnderReview: account.holdOrders || order.holdReason !== null,
      items,
      productIds: items.map((item) => item.productId),
    };
  });
}

/** A text with leading zeros is not an order's id. */
function haveIds(orderIds: readonly string[]) {
  return sql`"order".id = ANY (${[...orderIds]}::bigint[]) AND "order".id::text = ANY (${[...orderIds]}::text[])`;
}

async function lockAccountsOf(tx: Tx, orderIds: readonly string[]) {
  const rows = await allRows<{ id: string; balanceMinor: number; holdOrders: boolean }>(tx)`
    SELECT id, balance_minor AS "balanceMinor", hold_orders AS "holdOrders" FROM account
    WHERE id IN (SELECT account_id FROM "order" WHERE ${haveIds(orderIds)})
    ORDER BY id FOR NO KEY UPDATE OF account`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** A returned unit has a new number. */
const isUnitOfOrder = sql`stock_key.offer_id = "order".offer_id AND stock_key.number >= "order".first_unit
  AND stock_key.number < "order".first_unit + "order".quantity_ordered`;

export const joinUnits = sql`JOIN stock_key ON ${isUnitOfOrder}`;

type LoadedItem = ItemState & { readonly productId: string };

async function loadItemStates(tx: Tx, orderIds: readonly string[]): Promise<Map<string, LoadedItem[]>> {
  const rows = await allRows<LoadedItem & { orderId: string }>(tx)`
    SELECT order_id::text AS "orderId", id::text, offer_id AS "offerId", product_id::text AS "productId",
      unit_price_minor AS "unitPriceMinor", quantity_ordered AS ordered, quantity_invoiced AS invoiced,
      quantity_shipped AS shipped, quantity_refunded AS refunded
    FROM order_item WHERE order_id = ANY (${[...orderIds]}::bigint[]) ORDER BY order_item.id`;
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

export async function updateOrder(
  tx: Tx,
  order: LockedOrder,
  change: OrderChange,
  why: { readonly actor: string; readonly reason: string },
): Promise<void> {
  const [line] = change.items;
  assert(line !== undefined && change.items.length === 1, 'an order made here has one line');
  await execute(tx)`
    UPDATE "order" SET status = ${change.status}, held_from = ${change.heldFrom},
      completed_at = CASE WHEN ${change.status} = 'complete' THEN coalesce(completed_at, greatest(created_at, statement_timestamp()))
        ELSE completed_at END,
      image_refunded = image_refunded OR ${change.isImageRefunded}, quantity_invoiced = ${line.invoiced},
      quantity_shipped = ${line.shipped}, quantity_refunded = ${line.refunded}
    WHERE id = ${order.id}::bigint`;
  const last = change.path.at(-1);
  if (last === undefined) return;
  await execute(tx)`
    INSERT INTO order_status_log (order_id, from_status, via, to_status, at, actor, reason)
    VALUES (${order.id}::bigint, ${order.status}, ${[...change.path.slice(0, -1)]}::text[], ${last},
      statement_timestamp(), ${why.actor}, ${why.reason})`;
}

/** For unpaid orders. */
export async function cancelOrders(
  tx: Tx,
  cancellations: readonly { readonly order: LockedOrder; readonly reason: string }[],
  actor: string,
): Promise<void> {
  const orderIds = cancellations.map(({ order }) => order.id);
  await execute(tx)`
    WITH given_up AS (
      SELECT * FROM unnest(${orderIds}::bigint[], ${cancellations.map(({ order }) => order.status)}::text[],
        ${cancellations.map(({ reason }) => reason)}::text[]) AS given_up (id, status, reason)
    ), logged AS (
      INSERT INTO order_status_log (order_id, from_status, via, to_status, at, actor, reason)
      SELECT id, status, '{}', 'canceled', statement_timestamp(), ${actor}, reason FROM given_up ORDER BY id
    )
    UPDATE "order" SET status = 'canceled', held_from = NULL FROM given_up
    WHERE "order".id = given_up.id`;
  await returnDailyUse(tx, orderIds);
  await dropUnits(tx, orderIds, 'sale');
}

export function countUnits(tx: Tx, orderId: string): Promise<number> {
  return onlyValue<{ units: number }>(tx)`
    SELECT count(*)::integer AS units FROM "order" ${joinUnits}
    WHERE "order".id = ${orderId}::bigint`;
}

/** For undelivered orders. Returns the unit ids. */
export async function dropUnits(
  tx: Tx,
  orderIds: readonly string[],
  to: 'sale' | 'withdrawn',
): Promise<number[]> {
  await lockOffersOf(tx, orderIds);
  const unitIds = await allValues<{ id: number }>(tx)`
    SELECT stock_key.id FROM "order" ${joinUnits}
    WHERE "order".id = ANY (${[...orderIds]}::bigint[])`;
  if (to === 'sale') await putOnSale(tx, unitIds);
  else await withdrawSold(tx, unitIds, { isRefund: false });
  return unitIds;
}

export async function takeBackUnits(
  tx: Tx,
  orderId: string,
  unitIds: readonly number[],
  units: RefundedUnits,
): Promise<void> {
  await lockOffersOf(tx, [orderId]);
  if (units === 'return') await putOnSale(tx, unitIds);
  else if (units === 'withdraw') await withdrawSold(tx, unitIds, { isRefund: true });
  else
    await execute(tx)`
      UPDATE stock_key SET refunded_at = statement_timestamp()
      WHERE id = ANY (${[...unitIds]}::bigint[])`;
}

export async function lockOffersOf(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await execute(tx)`
    SELECT FROM offer
    WHERE id IN (SELECT offer_id FROM "order" WHERE id = ANY (${[...orderIds]}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE`;
}

/** Canceled and image-refunded orders (A44) do not count against their day's limits (A33). */
export async function returnDailyUse(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await execute(tx)`
    UPDATE account SET day_spend_minor = greatest(0, day_spend_minor - used.spend),
      day_units = greatest(0, day_units - used.units)
    FROM (
      SELECT account_id, coalesce(spend_day, (created_at AT TIME ZONE 'UTC')::date) AS day,
        sum(total_price_minor)::bigint AS spend,
        sum(quantity_ordered)::integer AS units
      FROM "order" WHERE id = ANY (${[...orderIds]}::bigint[]) GROUP BY account_id, day
    ) AS used
    WHERE account.id = used.account_id AND account.spend_day = used.day`;
}

/** Unapproved refunds in 24 hours, in EUR cents. Index: ledger_transfer_order_ix. */
export function sumRecentRefunds(tx: Tx, orderId: string): Promise<number> {
  return onlyValue<{ sum: number }>(tx)`
    SELECT greatest(0, refunded - approved)::bigint AS sum FROM
      (SELECT coalesce(sum(amount_minor), 0) AS refunded FROM ledger_transfer
        WHERE order_id = ${orderId}::bigint AND kind = 'refund'
          AND created_at > statement_timestamp() - interval '24 hours') AS transfer,
      (SELECT coalesce(sum((preview ->> 'amount')::numeric * 100), 0) AS approved FROM approval
        WHERE order_id = ${orderId}::bigint AND operation IN ('refundOrder', 'decideClaim') AND status = 'approved'
          AND decided_at > statement_timestamp() - interval '24 hours') AS approval`;
}

export async function countOnSale(tx: Tx, orderId: string): Promise<number> {
  const units = await firstValue<{ units: number }>(tx)`
    SELECT available_text + available_image AS units FROM "order" JOIN offer ON offer.id = offer_id
    WHERE "order".id = ${orderId}::bigint`;
  return units ?? 0;
}

export async function finishRecord(
  tx: Tx,
  orderId: string,
  response: StoredResponse,
): Promise<StoredResponse> {
  const stored = await finishRecords(tx, new Map([[orderId, response]]));
  return stored.get(orderId) ?? response;
}

/** Stores missing responses and returns the stored ones by order. They never change (A41), on any node. */
export async function finishRecords(
  tx: Tx,
  responses: ReadonlyMap<string, StoredResponse>,
): Promise<ReadonlyMap<string, StoredResponse>> {
  const given = [...responses.values()];
  const finished = await allRows<{ order_id: string }>(tx)`
    UPDATE gateway_payment SET response_status = answer.status, response_body = answer.body,
      answered_at = greatest("order".created_at, statement_timestamp())
    FROM unnest(${[...responses.keys()]}::bigint[], ${given.map(({ status }) => status)}::smallint[],
      ${given.map(({ body }) => body)}::text[]) AS answer (order_id, status, body)
    JOIN "order" ON "order".id = answer.order_id
    WHERE gateway_payment.order_id = answer.order_id AND response_status IS NULL
    RETURNING gateway_payment.order_id::text`;
  const mine = new Set(finished.map((row) => row.order_id));
  const others = [...responses.keys()].filter((orderId) => !mine.has(orderId));
  if (others.length === 0) return responses;
  // A standby may lack a response whose session ended while it waited for the standby (A160).
  await commitTransactionLikeAWrite(tx);
  // If the UPDATE waited for a concurrent one, its snapshot lacks that one's response.
  const rows = await allRows<StoredResponse & { order_id: string }>(tx)`
    SELECT order_id::text, response_status AS status, response_body AS body FROM gateway_payment
    WHERE order_id = ANY (${others}::bigint[]) AND response_status IS NOT NULL`;
  const stored = rows.map(({ order_id, status, body }) => [order_id, { status, body }] as const);
  return new Map([...responses, ...stored]);
}
