/**
 * The demo reseller's past: what the tables of orders, books and stock would hold if its orders had been placed over
 * the last months. Only for an empty database, in the transaction that fills it.
 */
import { must } from '@keyport/core/assert';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { timestampOf } from '../db/timestamps.ts';
import type { DemoOrder, DemoOrderItem } from './history.ts';

type Tx = Transaction<Schema>;

/** Nothing was ever put in: the demo may be seeded. */
export async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`
    SELECT NOT EXISTS (SELECT FROM product) AND NOT EXISTS (SELECT FROM account) AS empty`.execute(db);
  return rows[0]?.empty ?? false;
}

export async function hasAccount(db: Kysely<Schema>, accountId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM account WHERE id = ${accountId}::uuid`.execute(db);
  return rows.length > 0;
}

/** Of several nodes that start at once on one empty database, one seeds. */
export async function lockSeeding(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('keyport/demo', 0))`.execute(tx);
}

/** The account with its ledger account; returns the latter's id. */
export async function insertDemoAccount(tx: Tx, account: { id: string; name: string }): Promise<number> {
  await sql`INSERT INTO account (id, name, payment_method) VALUES (${account.id}::uuid, ${account.name}, 'balance')`.execute(
    tx,
  );
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ledger_account (kind, account_id) VALUES ('prepaid', ${account.id}::uuid) RETURNING id`.execute(
    tx,
  );
  return must(rows[0], 'INSERT … RETURNING gives a row').id;
}

/** The order with its items and how it got where it is. Only pictures of keys could have filled one that was refunded. */
export async function insertPastOrder(
  tx: Tx,
  order: Omit<DemoOrder, 'items'> & {
    readonly id: string;
    readonly accountId: string;
    readonly idempotencyKey: string | null;
    readonly items: readonly (DemoOrderItem & { readonly id: string })[];
  },
): Promise<void> {
  const { id, status, isImported, items } = order;
  const at = timestampOf(order.createdAtMicros);
  const isDelivered = items.some(({ quantity }) => quantity.shipped > 0);
  const via = ['pending', 'processing', ...(status === 'closed' && isDelivered ? ['complete'] : [])];
  await sql`
    INSERT INTO "order" (id, account_id, status, held_from, created_at, completed_at, currency, decimals, discount_minor,
      total_price_minor, payment_method, origin, idempotency_key, image_refunded)
    VALUES (${id}::bigint, ${order.accountId}::uuid, ${status}, ${status === 'held' ? 'processing' : null}, ${at},
      ${isDelivered ? at : null}, ${order.currency}, ${order.decimals}, ${order.discountMinor}, ${order.totalPriceMinor},
      'balance', ${isImported ? 'imported' : 'export-api'}, ${order.idempotencyKey}::uuid,
      ${!isImported && status === 'closed' && !isDelivered})`.execute(tx);
  await sql`
    INSERT INTO order_status_log (order_id, via, to_status, at, actor, reason)
    VALUES (${id}::bigint, ${isImported ? [] : via}::text[], ${status}, ${at}, 'keyport',
      ${isImported ? 'imported from elsewhere' : 'demo order'})`.execute(tx);
  for (const { quantity, unitPriceMinor, ...item } of items) {
    await sql`
      INSERT INTO order_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name, unit_price_minor,
        max_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      VALUES (${item.id}::bigint, ${id}::bigint, ${item.offerId}::uuid, ${item.productId}::bigint, ${item.productName},
        ${item.sellerId}::uuid, ${item.sellerName}, ${unitPriceMinor}, ${isImported ? null : unitPriceMinor},
        ${quantity.ordered}, ${quantity.invoiced}, ${quantity.shipped}, ${quantity.refunded})`.execute(tx);
  }
}

/** Freshly inserted units of the line become sold; `isRefunded`: and were given back. */
export async function sellUnits(
  tx: Tx,
  line: { readonly itemId: string; readonly unitIds: readonly number[]; readonly refundedCount: number },
): Promise<void> {
  await sql`
    UPDATE stock_key SET state = 'sold', order_item_id = ${line.itemId}::bigint,
      refunded_at = CASE WHEN unit.place <= ${line.refundedCount} THEN statement_timestamp() END
    FROM unnest(${[...line.unitIds]}::bigint[]) WITH ORDINALITY AS unit (id, place)
    WHERE stock_key.id = unit.id`.execute(tx);
}

export type PastTransfer = {
  readonly kind: 'deposit' | 'charge' | 'refund';
  readonly fromLedgerAccountId: number;
  readonly toLedgerAccountId: number;
  readonly amountMinor: number;
  readonly balanceAfterMinor: number;
  readonly accountId: string;
  readonly orderId: string | null;
  readonly reference: string | null;
  readonly createdAtMicros: number;
};

export async function insertPastTransfer(tx: Tx, transfer: PastTransfer): Promise<void> {
  await sql`
    INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
      prepaid_balance_after_minor, order_id, reference, created_at)
    VALUES (${transfer.kind}, ${transfer.fromLedgerAccountId}, ${transfer.toLedgerAccountId}, ${transfer.amountMinor},
      ${transfer.accountId}::uuid, ${transfer.balanceAfterMinor}, ${transfer.orderId}::bigint, ${transfer.reference},
      ${timestampOf(transfer.createdAtMicros)})`.execute(tx);
}

/** What is kept on the account of its past: the balance, and the sums of today's orders (Invariant I46). */
export async function updateDemoAccount(tx: Tx, accountId: string, balanceMinor: number): Promise<void> {
  await sql`
    UPDATE account SET balance_minor = ${balanceMinor}, spend_day = today, day_spend_minor = spend, day_units = units
    FROM (
      SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date AS today, coalesce(sum(unit_price_minor * quantity_ordered), 0)
          - coalesce(sum(discount_minor), 0) AS spend, coalesce(sum(quantity_ordered), 0) AS units
      FROM "order" JOIN order_item ON order_item.order_id = "order".id
      WHERE account_id = ${accountId}::uuid AND origin = 'export-api' AND status <> 'canceled' AND NOT image_refunded
        AND ("order".created_at AT TIME ZONE 'UTC')::date = (statement_timestamp() AT TIME ZONE 'UTC')::date
    ) AS placed
    WHERE account.id = ${accountId}::uuid`.execute(tx);
}

export async function insertPastRecord(
  tx: Tx,
  record: {
    readonly accountId: string;
    readonly idempotencyKey: string;
    readonly fingerprint: string;
    readonly body: string;
    readonly orderId: string;
    readonly createdAtMicros: number;
  },
): Promise<void> {
  const at = timestampOf(record.createdAtMicros);
  await sql`
    INSERT INTO idempotency_record (account_id, operation, idempotency_key, fingerprint, status, body, order_id,
      created_at, finished_at)
    VALUES (${record.accountId}::uuid, 'createOrder', ${record.idempotencyKey}::uuid, ${record.fingerprint}, 201,
      ${record.body}, ${record.orderId}::bigint, ${at}, ${at})`.execute(tx);
}

/** Numbers for order ids, from the same sequence as every other order. */
export async function drawOrderSerials(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ serial: number }>`
    SELECT nextval('order_serial_seq') AS serial FROM generate_series(1, ${count}::integer)`.execute(tx);
  return rows.map((row) => row.serial);
}

/** A standard product with plenty of stock and a low price: what a newcomer orders first. */
export async function findExampleProductId(db: Kysely<Schema>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT product.id::text FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.status = 'active' AND product.checkout_class = 'standard' AND offer.available_text > 0
      AND offer.price_minor <= 2000
    ORDER BY offer.available_text DESC, product.id LIMIT 1`.execute(db);
  return rows[0]?.id;
}
