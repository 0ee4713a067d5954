/**
 * Loads an order with its locks and writes a change of it. Locks in the one order of placement.sql.ts: the account,
 * then the order's row, then offers by id, the catalogue clock last (by the caller).
 */

import { must } from '@keyport/core/assert';
import type {
  ItemState,
  OrderChange,
  OrderState,
  RefundedUnits,
  RefundLine,
} from '@keyport/core/decide-change';
import { sql, type Transaction } from 'kysely';
import { commitTransactionLikeAWrite } from '../db/commit-like-a-write.ts';
import type { Schema } from '../db/schema.ts';
import { RESERVATION_MINUTES } from './placement.sql.ts';

type Tx = Transaction<Schema>;

export type LockedOrder = OrderState & {
  readonly accountId: string;
  /** Its account's ledger account of kind prepaid. */
  readonly ledgerAccountId: number;
  readonly productIds: readonly string[];
  /** Why it was to be held when it was placed through a provider; null: for no reason. */
  readonly holdReason: string | null;
};

/** The order with its account locked, or undefined when there is none. */
export async function lockOrder(tx: Tx, orderId: string): Promise<LockedOrder | undefined> {
  const [order] = await lockOrders(tx, [orderId]);
  return order;
}

/** Those of the orders that there are, with their accounts locked. */
export async function lockOrders(tx: Tx, orderIds: readonly string[]): Promise<LockedOrder[]> {
  const accounts = await lockAccountsOf(tx, orderIds);
  const { rows } = await sql<{
    id: string;
    account_id: string;
    status: OrderState['status'];
    held_from: OrderState['heldFrom'];
    payment_method: OrderState['paymentMethod'];
    total_price_minor: number;
    refunded_minor: number;
    has_units: boolean;
    hold_reason: string | null;
  }>`
    SELECT id::text, account_id, status, held_from, CASE WHEN origin = 'export-api' THEN payment_method END AS payment_method,
      total_price_minor,
      (SELECT coalesce(sum(amount_minor), 0) FROM ledger_transfer
        WHERE order_id = "order".id AND kind = 'refund')::bigint AS refunded_minor,
      EXISTS (SELECT FROM stock_key JOIN order_item ON order_item.id = stock_key.order_item_id
        WHERE order_item.order_id = "order".id) AS has_units,
      (SELECT hold_reason FROM gateway_payment WHERE order_id = "order".id) AS hold_reason
    FROM "order" WHERE ${haveIds(orderIds)} ORDER BY id FOR NO KEY UPDATE OF "order"`.execute(tx);
  const itemsOf = await loadItemStates(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((order) => {
    const account = must(accounts.get(order.account_id), 'the account of an order');
    const items = itemsOf.get(order.id) ?? [];
    return {
      id: order.id,
      accountId: account.id,
      ledgerAccountId: account.ledger_account_id,
      balanceMinor: account.balance_minor,
      isUnderReview: account.hold_orders || order.hold_reason !== null,
      holdReason: order.hold_reason,
      status: order.status,
      heldFrom: order.held_from,
      paymentMethod: order.payment_method,
      totalPriceMinor: order.total_price_minor,
      refundedMinor: order.refunded_minor,
      hasUnits: order.has_units,
      hasRevealedKeys: items.some((item) => item.isRevealed),
      items,
      productIds: items.map((item) => item.productId),
    };
  });
}

/** Leading zeros make another text of the same number, which is no order's id. */
function haveIds(orderIds: readonly string[]) {
  return sql`"order".id = ANY (${[...orderIds]}::bigint[]) AND "order".id::text = ANY (${[...orderIds]}::text[])`;
}

async function lockAccountsOf(tx: Tx, orderIds: readonly string[]) {
  const { rows } = await sql<{
    id: string;
    balance_minor: number;
    hold_orders: boolean;
    ledger_account_id: number;
  }>`
    SELECT account.id, account.balance_minor, account.hold_orders, ledger_account.id AS ledger_account_id
    FROM account
    JOIN ledger_account ON ledger_account.account_id = account.id AND ledger_account.kind = 'prepaid'
    WHERE account.id IN (SELECT account_id FROM "order" WHERE ${haveIds(orderIds)})
    ORDER BY account.id FOR NO KEY UPDATE OF account`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

type LoadedItem = ItemState & { readonly productId: string; readonly isRevealed: boolean };

/**
 * The items by order, and whether keys of theirs were ever read. Read keys belong here and not beside the lock: that statement may
 * have waited for a read of the keys, which it then does not see. Index: stock_key_order_item_ix.
 */
async function loadItemStates(tx: Tx, orderIds: readonly string[]): Promise<Map<string, LoadedItem[]>> {
  const { rows } = await sql<{
    order_id: string;
    id: string;
    offer_id: string;
    product_id: string;
    unit_price_minor: number;
    quantity_ordered: number;
    quantity_invoiced: number;
    quantity_shipped: number;
    quantity_refunded: number;
    is_revealed: boolean;
  }>`
    SELECT order_id::text, id::text, offer_id, product_id::text, unit_price_minor, quantity_ordered, quantity_invoiced,
      quantity_shipped, quantity_refunded,
      EXISTS (SELECT FROM stock_key JOIN key_reveal ON key_reveal.stock_key_id = stock_key.id
        WHERE stock_key.order_item_id = order_item.id) AS is_revealed
    FROM order_item WHERE order_id = ANY (${[...orderIds]}::bigint[]) ORDER BY id`.execute(tx);
  const items = new Map<string, LoadedItem[]>(orderIds.map((orderId) => [orderId, []]));
  for (const row of rows) {
    items.get(row.order_id)?.push({
      id: row.id,
      offerId: row.offer_id,
      productId: row.product_id,
      unitPriceMinor: row.unit_price_minor,
      ordered: row.quantity_ordered,
      invoiced: row.quantity_invoiced,
      shipped: row.quantity_shipped,
      refunded: row.quantity_refunded,
      isRevealed: row.is_revealed,
    });
  }
  return items;
}

/** Writes status, quantities and one row of the status log. */
export async function updateOrder(
  tx: Tx,
  order: LockedOrder,
  change: OrderChange,
  why: { readonly actor: string; readonly reason: string },
): Promise<void> {
  await sql`
    UPDATE "order" SET status = ${change.status}, held_from = ${change.heldFrom},
      completed_at = CASE WHEN ${change.status} = 'complete' THEN coalesce(completed_at, greatest(created_at, statement_timestamp()))
        ELSE completed_at END,
      image_refunded = image_refunded OR ${change.isImageRefunded}
    WHERE id = ${order.id}::bigint`.execute(tx);
  await sql`
    UPDATE order_item SET quantity_invoiced = item.invoiced, quantity_shipped = item.shipped,
      quantity_refunded = item.refunded
    FROM unnest(
      ${change.items.map((item) => item.id)}::bigint[],
      ${change.items.map((item) => item.invoiced)}::integer[],
      ${change.items.map((item) => item.shipped)}::integer[],
      ${change.items.map((item) => item.refunded)}::integer[]
    ) AS item (id, invoiced, shipped, refunded)
    WHERE order_item.id = item.id`.execute(tx);
  const last = change.path.at(-1);
  if (last === undefined) return;
  await sql`
    INSERT INTO order_status_log (order_id, from_status, via, to_status, at, actor, reason)
    VALUES (${order.id}::bigint, ${order.status}, ${[...change.path.slice(0, -1)]}::text[], ${last},
      statement_timestamp(), ${why.actor}, ${why.reason})`.execute(tx);
}

/**
 * Cancels orders that no unit was paid of: status, status log, daily use and units, which go back on sale. The caller has
 * decided that each may be canceled.
 */
export async function cancelOrders(
  tx: Tx,
  cancellations: readonly { readonly order: LockedOrder; readonly reason: string }[],
  actor: string,
): Promise<void> {
  const orderIds = cancellations.map(({ order }) => order.id);
  await sql`
    WITH given_up AS (
      SELECT * FROM unnest(${orderIds}::bigint[], ${cancellations.map(({ order }) => order.status)}::text[],
        ${cancellations.map(({ reason }) => reason)}::text[]) AS given_up (id, status, reason)
    ), logged AS (
      INSERT INTO order_status_log (order_id, from_status, via, to_status, at, actor, reason)
      SELECT id, status, '{}', 'canceled', statement_timestamp(), ${actor}, reason FROM given_up ORDER BY id
    )
    UPDATE "order" SET status = 'canceled', held_from = NULL FROM given_up WHERE "order".id = given_up.id`.execute(
    tx,
  );
  await giveBackDailyUse(tx, orderIds);
  await dropReservedUnits(tx, orderIds, 'available');
}

/** Units that the order's items hold in `from`, moved to `to`; returns how many. */
export async function moveUnits(
  tx: Tx,
  orderId: string,
  move: { readonly from: 'reserved' | 'sold'; readonly to: 'reserved' | 'sold'; readonly expires?: boolean },
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE stock_key SET state = ${move.to},
      reserved_until = CASE WHEN ${move.expires ?? false}
        THEN statement_timestamp() + ${RESERVATION_MINUTES} * interval '1 minute' END
    FROM order_item
    WHERE order_item.order_id = ${orderId}::bigint AND stock_key.order_item_id = order_item.id
      AND stock_key.state = ${move.from}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Takes every reserved unit away from the orders: back on sale, or out of stock. */
export async function dropReservedUnits(
  tx: Tx,
  orderIds: readonly string[],
  to: 'available' | 'withdrawn',
): Promise<void> {
  await lockOffersOf(tx, orderIds);
  await sql`
    WITH dropped AS (
      UPDATE stock_key SET state = ${to}, order_item_id = NULL, reserved_until = NULL
      FROM order_item
      WHERE order_item.order_id = ANY (${[...orderIds]}::bigint[]) AND stock_key.order_item_id = order_item.id
        AND stock_key.state = 'reserved'
      RETURNING stock_key.offer_id
    )
    UPDATE offer SET available_text = available_text + returned.units
    FROM (SELECT offer_id, count(*)::integer AS units FROM dropped GROUP BY offer_id) AS returned
    WHERE offer.id = returned.offer_id AND ${to} = 'available'`.execute(tx);
}

/**
 * Marks sold units as refunded, the youngest first; `units` says whether they stay with the order, go on sale again or
 * leave both. Returns how many were found.
 */
export async function takeBackUnits(
  tx: Tx,
  orderId: string,
  lines: readonly RefundLine[],
  units: RefundedUnits,
): Promise<number> {
  await lockOffersOf(tx, [orderId]);
  const state = { stay: 'sold', return: 'available', withdraw: 'withdrawn' }[units];
  const { rows } = await sql<{ units: number }>`
    WITH line AS (
      SELECT item_id, sum(quantity) AS quantity
      FROM unnest(${lines.map((line) => line.itemId)}::bigint[], ${lines.map((line) => line.quantity)}::integer[])
        AS line (item_id, quantity)
      GROUP BY item_id
    ), unit AS (
      SELECT chosen.id FROM line CROSS JOIN LATERAL (
        SELECT id FROM stock_key
        WHERE order_item_id = line.item_id AND state = 'sold' AND refunded_at IS NULL
        ORDER BY id DESC LIMIT line.quantity
      ) AS chosen
    ), taken AS (
      UPDATE stock_key SET state = ${state},
        refunded_at = CASE WHEN ${state} = 'available' THEN NULL ELSE statement_timestamp() END,
        order_item_id = CASE WHEN ${state} = 'sold' THEN order_item_id END
      FROM unit WHERE stock_key.id = unit.id
      RETURNING stock_key.offer_id
    ), restocked AS (
      UPDATE offer SET available_text = available_text + returned.units
      FROM (SELECT offer_id, count(*)::integer AS units FROM taken GROUP BY offer_id) AS returned
      WHERE offer.id = returned.offer_id AND ${state} = 'available'
    )
    SELECT count(*)::integer AS units FROM taken`.execute(tx);
  return rows[0]?.units ?? 0;
}

async function lockOffersOf(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await sql`
    SELECT id FROM offer
    WHERE id IN (SELECT offer_id FROM order_item WHERE order_id = ANY (${[...orderIds]}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
}

/** Sets the balance that the order's transfers left. */
export async function updateBalance(tx: Tx, accountId: string, balanceMinor: number): Promise<void> {
  await sql`UPDATE account SET balance_minor = ${balanceMinor} WHERE id = ${accountId}::uuid`.execute(tx);
}

/**
 * Orders that were canceled, or refunded for their image keys (A44), no longer count against the daily limits of the
 * day that they counted on (A33, A222).
 */
export async function giveBackDailyUse(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE account SET day_spend_minor = greatest(0, day_spend_minor - used.spend),
      day_units = greatest(0, day_units - used.units)
    FROM (
      SELECT account_id, coalesce(spend_day, (created_at AT TIME ZONE 'UTC')::date) AS day,
        sum(total_price_minor)::bigint AS spend,
        sum((SELECT sum(quantity_ordered) FROM order_item WHERE order_id = "order".id))::integer AS units
      FROM "order" WHERE id = ANY (${[...orderIds]}::bigint[]) GROUP BY account_id, day
    ) AS used
    WHERE account.id = used.account_id AND account.spend_day = used.day`.execute(tx);
}

type StoredResponse = { readonly status: number; readonly body: string };

/** As `finishRecords`, for one order. */
export async function finishRecord(
  tx: Tx,
  orderId: string,
  response: StoredResponse,
): Promise<StoredResponse> {
  const stored = await finishRecords(tx, new Map([[orderId, response]]));
  return stored.get(orderId) ?? response;
}

/**
 * Fills in the responses of requests whose outcome was open, and returns what is stored then, by order. A stored response
 * never changes (A41), so the second caller, on any node, gets what the first one stored.
 */
export async function finishRecords(
  tx: Tx,
  responses: ReadonlyMap<string, StoredResponse>,
): Promise<ReadonlyMap<string, StoredResponse>> {
  const given = [...responses.values()];
  const { rows: finished } = await sql<{ order_id: string }>`
    UPDATE idempotency_record SET status = answer.status, body = answer.body,
      finished_at = greatest(created_at, statement_timestamp())
    FROM unnest(${[...responses.keys()]}::bigint[], ${given.map(({ status }) => status)}::smallint[],
      ${given.map(({ body }) => body)}::text[]) AS answer (order_id, status, body)
    WHERE idempotency_record.order_id = answer.order_id AND idempotency_record.status IS NULL
    RETURNING idempotency_record.order_id::text`.execute(tx);
  const mine = new Set(finished.map((row) => row.order_id));
  const others = [...responses.keys()].filter((orderId) => !mine.has(orderId));
  if (others.length === 0) return responses;
  // A session that was ended while it waited for a standby may have stored the response: no standby need have it (A160).
  await commitTransactionLikeAWrite(tx);
  // A statement of its own: the UPDATE may have waited for the one that came first and does not see what it stored.
  const { rows } = await sql<StoredResponse & { order_id: string }>`
    SELECT order_id::text, status, body FROM idempotency_record
    WHERE order_id = ANY (${others}::bigint[]) AND status IS NOT NULL`.execute(tx);
  const stored = rows.map(({ order_id, status, body }) => [order_id, { status, body }] as const);
  return new Map([...responses, ...stored]);
}
