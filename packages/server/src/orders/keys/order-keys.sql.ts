import type { OrderStatus } from '@keyport/core/orders/order-status';
import {
  allRows,
  allValues,
  execute,
  firstRow,
  firstValue,
  hasRows,
  onlyRow,
  onlyValue,
} from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros } from '../../db/timestamps.ts';
import type { SealedKey } from '../../stock/product-keys.sql.ts';
import { closeGaps, withdrawSold } from '../../stock/stock.sql.ts';
import { joinUnits } from '../changes/order-updates.sql.ts';
import { hasOrderId } from '../history/read-orders.sql.ts';

export type KeysOrder = {
  readonly status: OrderStatus;
  readonly isImageRefunded: boolean;
  readonly completedAtMicros: number | null;
  readonly replacedAtMicros: number | null;
  readonly nowMicros: number;
};

/** Undefined also for another account's order (A45). */
export function findKeysOrder(tx: Tx, orderId: string, accountId: string): Promise<KeysOrder | undefined> {
  // FOR SHARE: a refund waits until this read is recorded, or this read sees the refund.
  return firstRow<KeysOrder>(tx)`
    SELECT status, image_refunded AS "isImageRefunded", ${deriveMicros('completed_at')} AS "completedAtMicros",
      ${deriveMicros('statement_timestamp()')} AS "nowMicros",
      (SELECT ${deriveMicros('max(at)')} FROM key_replacement WHERE order_id = "order".id) AS "replacedAtMicros"
    FROM "order" WHERE ${hasOrderId(orderId)} AND account_id = ${accountId}::uuid FOR SHARE`;
}

/** Index: audit_entry_order_ix. */
export function wereKeysRead(tx: Tx, orderId: string): Promise<boolean> {
  return hasRows(tx)`
    SELECT FROM audit_entry WHERE order_id = ${orderId}::bigint AND action = 'keys.read' LIMIT 1`;
}

/** Index: audit_entry_order_ix. */
export async function findKeysReadMicros(tx: Tx, orderId: string): Promise<number | null> {
  return onlyValue<{ at: number | null }>(tx)`
    SELECT ${deriveMicros('min(at)')} AS at FROM audit_entry
    WHERE order_id = ${orderId}::bigint AND action = 'keys.read'`;
}

export type SealedUnit = Omit<SealedKey, 'kind' | 'codeMac'>;

/** The texts sold with the latest orders of an account. Indexes: order_history_ix, stock_key_number_uq. */
export function listLatestUnits(
  db: Db,
  accountId: string,
  max: number,
): Promise<(SealedUnit & { readonly orderId: string })[]> {
  return allRows<SealedUnit & { readonly orderId: string }>(db)`
    SELECT "order".id::text AS "orderId", stock_key.id, stock_key.offer_id AS "offerId", data_key_id AS "dataKeyId", nonce, ciphertext
    FROM (SELECT * FROM "order" WHERE account_id = ${accountId}::uuid ORDER BY created_at DESC, id DESC LIMIT ${max})
      AS "order" ${joinUnits} WHERE kind = 'text' AND "order".status = 'complete' LIMIT ${max}`;
}

export function listItemIds(tx: Tx, orderId: string): Promise<string[]> {
  return allValues<{ id: string }>(tx)`
    SELECT id::text FROM order_item WHERE order_id = ${orderId}::bigint ORDER BY order_item.id`;
}

/** By number. Index: stock_key_number_uq. */
export function listSealedUnits(tx: Tx, orderId: string): Promise<SealedUnit[]> {
  return allRows<SealedUnit>(tx)`
    SELECT stock_key.id, stock_key.offer_id AS "offerId", data_key_id AS "dataKeyId", nonce, ciphertext
    FROM "order" ${joinUnits} WHERE "order".id = ${orderId}::bigint ORDER BY number`;
}

export async function insertReveals(
  tx: Tx,
  orderId: string,
  unitIds: readonly number[],
  auditEntryId: number,
): Promise<void> {
  await execute(tx)`
    INSERT INTO key_reveal (stock_key_id, order_id, audit_entry_id)
    SELECT id, ${orderId}::bigint, ${auditEntryId} FROM unnest(${[...unitIds]}::bigint[]) AS unit (id)
    ON CONFLICT (stock_key_id) DO NOTHING`;
}

export type UnitOfOrder = {
  readonly id: number;
  readonly number: number;
  readonly isRefunded: boolean;
  readonly isRead: boolean;
  readonly codeMac: Buffer;
};

/** By number. Indexes: stock_key_number_uq, key_reveal_pkey. */
export function listUnits(tx: Tx, orderId: string): Promise<UnitOfOrder[]> {
  return allRows<UnitOfOrder>(tx)`
    SELECT stock_key.id, number, refunded_at IS NOT NULL AS "isRefunded",
      EXISTS (SELECT FROM key_reveal WHERE stock_key_id = stock_key.id) AS "isRead", code_mac AS "codeMac"
    FROM "order" ${joinUnits} WHERE "order".id = ${orderId}::bigint ORDER BY number`;
}

/** Index: key_replacement_order_ix. */
export function listReplaced(tx: Tx, orderId: string): Promise<Pick<UnitOfOrder, 'id' | 'codeMac'>[]> {
  return allRows<Pick<UnitOfOrder, 'id' | 'codeMac'>>(tx)`
    SELECT stock_key.id, code_mac AS "codeMac" FROM key_replacement JOIN stock_key ON stock_key.id = stock_key_id
    WHERE order_id = ${orderId}::bigint`;
}

/** The keys of an order that went back to stock: the order must not get one of them again. Index: audit_entry_order_ix. */
const givenBack = (orderId: string) => sql`
  SELECT key_id::bigint FROM audit_entry CROSS JOIN LATERAL jsonb_array_elements_text(data -> 'keyIds') AS key_id
  WHERE order_id = ${orderId}::bigint AND action IN ('order.refund', 'order.return') AND data ->> 'units' = 'returned'`;

/** Without the units that the order had before. Index: stock_key_pkey. */
export async function countTextOnSale(tx: Tx, orderId: string): Promise<number> {
  const units = await firstValue<{ units: number }>(tx)`
    SELECT available_text - (
      SELECT count(*) FROM stock_key
      WHERE stock_key.id = ANY (ARRAY(${givenBack(orderId)})) AND stock_key.offer_id = offer.id AND number >= next_unit
    ) AS units FROM "order" JOIN offer ON offer.id = offer_id
    WHERE "order".id = ${orderId}::bigint`;
  return units ?? 0;
}

/**
 * The last text unit on sale that the order never had gets the unit's number, and so belongs to the order. Needs the
 * offer's lock. Index: stock_key_number_uq.
 */
export async function replaceUnit(
  tx: Tx,
  replaced: { readonly orderId: string; readonly offerId: string; readonly unit: UnitOfOrder },
): Promise<number> {
  const { orderId, offerId, unit } = replaced;
  await withdrawSold(tx, [unit.id], { isRefund: false });
  const { id, number } = await onlyRow<{ id: number; number: number }>(tx)`
    WITH chosen AS (
      SELECT stock_key.id, number FROM stock_key JOIN offer ON offer.id = offer_id
      WHERE offer_id = ${offerId}::uuid AND number >= next_unit AND stock_key.id <> ALL (ARRAY(${givenBack(orderId)}))
      ORDER BY number DESC LIMIT 1
    ), moved AS (
      UPDATE stock_key SET number = ${unit.number} FROM chosen WHERE stock_key.id = chosen.id
    ), noted AS (
      INSERT INTO key_replacement (stock_key_id, order_id, replaced_by, at)
      SELECT ${unit.id}::bigint, ${orderId}::bigint, id, statement_timestamp() FROM chosen
    )
    SELECT id, number FROM chosen`;
  await closeGaps(tx, [{ offerId, number }]);
  return id;
}

export type SoldKey = SealedUnit & {
  readonly kind: 'text' | 'image';
  readonly state: 'available' | 'reserved' | 'sold' | 'withdrawn';
  /** Also after the key was withdrawn. */
  readonly orderId: string | null;
  readonly readAtMicros: number | null;
  readonly refundedAtMicros: number | null;
  readonly replacedAtMicros: number | null;
  readonly replacedBy: string | null;
};

const selectKeys = (from: Sql, conditions: Sql) => sql<SoldKey>`
  SELECT unit.id, unit.offer_id AS "offerId", unit.data_key_id AS "dataKeyId", unit.nonce, unit.ciphertext, unit.kind,
    unit.state, coalesce(unit.order_id, key_replacement.order_id, key_reveal.order_id)::text AS "orderId",
    ${deriveMicros('audit_entry.at')} AS "readAtMicros", ${deriveMicros('unit.refunded_at')} AS "refundedAtMicros",
    ${deriveMicros('key_replacement.at')} AS "replacedAtMicros", replaced_by::text AS "replacedBy"
  FROM ${from}
  LEFT JOIN key_replacement ON key_replacement.stock_key_id = unit.id
  LEFT JOIN key_reveal ON key_reveal.stock_key_id = unit.id
  LEFT JOIN audit_entry ON audit_entry.id = audit_entry_id
  WHERE ${conditions}`;

export type KeyOfOrder = SoldKey & {
  /** How the key left the order in a refund, from the audit log. */
  readonly left: 'returned' | 'withdrawn' | null;
  readonly leftAtMicros: number | null;
};

/**
 * Includes replaced and refunded keys. Indexes: stock_key_number_uq, key_replacement_order_ix,
 * audit_entry_order_ix.
 */
export function listSoldKeys(db: Db, orderId: string): Promise<KeyOfOrder[]> {
  return allRows<KeyOfOrder>(db)`
    WITH kept AS (
      SELECT stock_key.id FROM "order" ${joinUnits} WHERE "order".id = ${orderId}::bigint
      UNION SELECT stock_key_id FROM key_replacement WHERE order_id = ${orderId}::bigint
    ), gone AS (
      SELECT DISTINCT ON (key_id) key_id::bigint AS id, data ->> 'units' AS units, at
      FROM audit_entry CROSS JOIN LATERAL jsonb_array_elements_text(data -> 'keyIds') AS key_id
      WHERE order_id = ${orderId}::bigint AND action IN ('order.refund', 'order.return') AND data ->> 'units' IN ('returned', 'withdrawn')
        AND key_id::bigint NOT IN (SELECT id FROM kept)
      ORDER BY key_id, audit_entry.id DESC
    )
    SELECT key.*, gone.units AS left, ${deriveMicros('gone.at')} AS "leftAtMicros" FROM (
      ${selectKeys(sql`unit`, sql`unit.id = ANY (ARRAY(SELECT id FROM kept UNION SELECT id FROM gone))`)}
    ) AS key LEFT JOIN gone ON gone.id = key.id ORDER BY key.id`;
}

export type KeyOfOffer = SoldKey & {
  readonly productId: string;
  readonly productName: string;
  readonly sellerId: string;
  readonly sellerName: string;
  readonly priceMinor: number;
  readonly offerStatus: 'active' | 'paused';
  readonly quantity: number;
};

/** In any state. Index: stock_key_code_mac_uq. */
export function findKeyByMac(db: Db, codeMac: Buffer): Promise<KeyOfOffer | undefined> {
  return firstRow<KeyOfOffer>(db)`
    SELECT key.*, product.id::text AS "productId", product.name AS "productName", seller.id AS "sellerId",
      seller.name AS "sellerName", price_minor AS "priceMinor", offer.status AS "offerStatus",
      available_text + available_image AS quantity
    FROM (${selectKeys(sql`unit`, sql`unit.code_mac = ${codeMac}`)}) AS key
    JOIN offer ON offer.id = key."offerId" JOIN product ON product.id = product_id
    JOIN seller ON seller.id = seller_id`;
}
