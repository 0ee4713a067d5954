/** Runs only on an empty database, in the transaction that fills it. */
import { must } from '@keyport/core/assert';
import { execute, firstValue, hasRows, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { deriveMicros, toTimestamp } from '../db/timestamps.ts';
import type { DemoOrder, DemoOrderItem } from './history.ts';

export function isEmpty(db: Db): Promise<boolean> {
  return onlyValue<{ empty: boolean }>(db)`
    SELECT NOT EXISTS (SELECT FROM product) AND NOT EXISTS (SELECT FROM account) AS empty`;
}

export function hasAccount(db: Db, accountId: string): Promise<boolean> {
  return hasRows(db)`SELECT FROM account WHERE id = ${accountId}::uuid`;
}

/** If several nodes start on an empty database, only one seeds it. */
export async function lockSeeding(tx: Tx): Promise<void> {
  await execute(tx)`SELECT pg_advisory_xact_lock(hashtextextended('keyport/demo', 0))`;
}

export async function insertDemoAccount(
  tx: Tx,
  account: { readonly id: string; readonly name: string; readonly createdAtMicros: number },
): Promise<void> {
  await execute(tx)`
    INSERT INTO account (id, name, payment_method, created_at)
    VALUES (${account.id}::uuid, ${account.name}, 'balance', ${toTimestamp(account.createdAtMicros)})`;
  await execute(tx)`
    INSERT INTO ledger_account (kind, account_id)
    VALUES ('prepaid', ${account.id}::uuid)`;
}

export async function insertImportedOrder(tx: Tx, order: PastOrder): Promise<void> {
  const at = toTimestamp(order.createdAtMicros);
  const isDelivered = order.items.some(({ quantity }) => quantity.shipped > 0);
  await execute(tx)`
    INSERT INTO "order" (id, account_id, status, held_from, created_at, completed_at, currency, decimals, discount_minor,
      total_price_minor, payment_method, origin)
    VALUES (${order.id}::bigint, ${order.accountId}::uuid, ${order.status}, ${order.status === 'held' ? 'processing' : null},
      ${at}, ${isDelivered ? at : null}, ${order.currency}, ${order.decimals}, ${order.discountMinor},
      ${order.totalPriceMinor}, 'balance', 'imported')`;
  await execute(tx)`
    INSERT INTO order_status_log (order_id, to_status, at, actor, reason)
    VALUES (${order.id}::bigint, ${order.status}, ${at}, 'keyport', 'imported from elsewhere')`;
  for (const { quantity, unitPriceMinor, ...item } of order.items) {
    await execute(tx)`
      INSERT INTO imported_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name, unit_price_minor,
        quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      VALUES (${item.id}::bigint, ${order.id}::bigint, ${item.offerId}::uuid, ${item.productId}::bigint, ${item.productName},
        ${item.sellerId}::uuid, ${item.sellerName}, ${unitPriceMinor}, ${quantity.ordered}, ${quantity.invoiced},
        ${quantity.shipped}, ${quantity.refunded})`;
  }
}

/** As the rule of the orders per hour writes it; the demo's past orders are placed by no rule. */
const HOLD_REASON = 'risk rule: order 12 of the account in this hour, above 10';

/**
 * Takes all units that the offer has on sale. If the order was refunded before delivery, only image keys
 * could have fulfilled it.
 */
export async function insertPastOrder(tx: Tx, order: PastOrder, idempotencyKey: string): Promise<void> {
  const { status } = order;
  const item = must(order.items[0], 'an order has an item');
  const { ordered, invoiced, shipped, refunded } = item.quantity;
  const at = toTimestamp(order.createdAtMicros);
  const isDelivered = shipped > 0;
  const isHeld = status === 'held';
  await execute(tx)`
    INSERT INTO "order" (id, account_id, status, held_from, hold_reason, created_at, completed_at, currency, decimals,
      discount_minor, total_price_minor, payment_method, origin, idempotency_key, is_auto, image_refunded, offer_id, product_name,
      seller_name, unit_price_minor, max_price_minor, first_unit, quantity_ordered, quantity_invoiced, quantity_shipped,
      quantity_refunded)
    SELECT ${order.id}::bigint, ${order.accountId}::uuid, ${status}, ${isHeld ? 'processing' : null},
      ${isHeld ? HOLD_REASON : null}, ${at}, ${isDelivered ? at : null}, ${order.currency}, ${order.decimals},
      ${order.discountMinor}, ${order.totalPriceMinor}, 'balance', 'export-api', ${idempotencyKey}::uuid, false, ${status === 'closed' && !isDelivered}, offer.id, ${item.productName}, ${item.sellerName},
      ${item.unitPriceMinor}, ${item.unitPriceMinor}, CASE WHEN ${isDelivered || isHeld} THEN next_unit END, ${ordered}, ${invoiced},
      ${shipped}, ${refunded}
    FROM offer WHERE id = ${item.offerId}::uuid`;
  await execute(tx)`
    UPDATE stock_key SET refunded_at = ${at} FROM offer
    WHERE offer.id = ${item.offerId}::uuid AND offer_id = offer.id AND number >= next_unit
        AND number < next_unit + ${refunded}`;
  await execute(tx)`UPDATE offer SET next_unit = end_unit WHERE id = ${item.offerId}::uuid`;
  if (status === 'closed' && isDelivered)
    await execute(tx)`
      INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
      VALUES (${order.id}::bigint, 'complete', 'closed', ${at}, 'keyport', 'demo order')`;
}

type PastOrder = Omit<DemoOrder, 'items'> & {
  readonly id: string;
  readonly accountId: string;
  readonly items: readonly (DemoOrderItem & { readonly id: string })[];
};

/** Marks all events up to now as deleted. */
export async function forgetPastEvents(tx: Tx): Promise<void> {
  await execute(tx)`
    UPDATE stream_position SET position = ${deriveMicros('clock_timestamp()')} << 10 WHERE stream = 'forgotten-event'`;
}

/** Sets the account's sums of today's orders (Invariant I46). */
export async function updateDemoAccount(tx: Tx, accountId: string): Promise<void> {
  await execute(tx)`
    UPDATE account SET spend_day = today, day_spend_minor = spend, day_units = units
    FROM (
      SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date AS today, coalesce(sum(total_price_minor), 0) AS spend,
        coalesce(sum(quantity_ordered), 0) AS units
      FROM "order"
      WHERE account_id = ${accountId}::uuid AND origin = 'export-api' AND status <> 'canceled' AND NOT image_refunded
        AND ("order".created_at AT TIME ZONE 'UTC')::date = (statement_timestamp() AT TIME ZONE 'UTC')::date
    ) AS placed
    WHERE account.id = ${accountId}::uuid`;
}

/** For a newcomer's first order: standard, cheap, with plenty of stock. */
export function findExampleProductId(db: Db): Promise<string | undefined> {
  return firstValue<{ id: string }>(db)`
    SELECT product.id::text FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.status = 'active' AND product.checkout_class = 'standard' AND offer.available_text > 0
      AND offer.price_minor <= 2000
    ORDER BY offer.available_text DESC, product.id LIMIT 1`;
}
