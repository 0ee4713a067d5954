/** Reads the sealed keys of an order and records the read (A46). */
import type { OrderStatus } from '@keyport/core/orders/order-status';
import { sql } from 'kysely';
import type { Tx } from '../../db/schema.ts';
import { microsOf } from '../../db/timestamps.ts';
import type { SealedKey } from '../../stock/product-keys.sql.ts';
import { joinUnits } from '../changes/order-updates.sql.ts';
import { hasOrderId } from '../history/read-orders.sql.ts';

export type KeysOrder = {
  readonly status: OrderStatus;
  readonly isImageRefunded: boolean;
  readonly completedAtMicros: number | null;
  readonly replacedAtMicros: number | null;
  /**
   * The time of the database's clock, and how far it may be ahead of the time that has really passed (A221).
   */
  readonly nowMicros: number;
  readonly leadMicros: number;
};

/** The order of this account, with the database's clock for a window of so long; undefined for another's or none (A45). */
export async function findKeysOrder(
  tx: Tx,
  orderId: string,
  accountId: string,
  windowHours: number,
): Promise<KeysOrder | undefined> {
  // Shared lock: a refund that returns units to stock waits until this read is recorded, or is seen by it.
  const { rows } = await sql<{
    status: OrderStatus;
    image_refunded: boolean;
    completed: number | null;
    replaced: number | null;
    now: number;
    lead: number;
  }>`
    SELECT status, image_refunded, ${microsOf('completed_at')} AS completed, ${microsOf('statement_timestamp()')} AS now,
      (SELECT ${microsOf('max(at)')} FROM key_replacement WHERE order_id = "order".id) AS replaced,
      (extract(epoch FROM clock_lead(${windowHours} * interval '1 hour')) * 1000000)::bigint AS lead
    FROM "order" WHERE ${hasOrderId(orderId)} AND account_id = ${accountId}::uuid FOR SHARE`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    status: row.status,
    isImageRefunded: row.image_refunded,
    completedAtMicros: row.completed,
    replacedAtMicros: row.replaced,
    nowMicros: row.now,
    leadMicros: row.lead,
  };
}

/** Index: audit_entry_order_ix. */
export async function wereKeysRead(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM audit_entry WHERE order_id = ${orderId}::bigint AND action = 'keys.read' LIMIT 1`.execute(tx);
  return rows.length > 0;
}

export type SealedUnit = Omit<SealedKey, 'kind' | 'codeMac'>;

export async function listItemIds(tx: Tx, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id::text FROM order_item WHERE order_id = ${orderId}::bigint ORDER BY order_item.id`.execute(tx);
  return rows.map((row) => row.id);
}

/** The units that the order has, in the order of their numbers: those of its one line. Index: stock_key_number_uq. */
export async function listSealedUnits(tx: Tx, orderId: string): Promise<SealedUnit[]> {
  const { rows } = await sql<SealedUnit>`
    SELECT stock_key.id, stock_key.offer_id AS "offerId", data_key_id AS "dataKeyId", nonce, ciphertext
    FROM "order" ${joinUnits} WHERE "order".id = ${orderId}::bigint ORDER BY number`.execute(tx);
  return rows;
}

/** Remembers, per unit, the first read that let it out of the house. */
export async function insertReveals(
  tx: Tx,
  orderId: string,
  unitIds: readonly number[],
  auditEntryId: number,
): Promise<void> {
  await sql`
    INSERT INTO key_reveal (stock_key_id, order_id, audit_entry_id)
    SELECT id, ${orderId}::bigint, ${auditEntryId} FROM unnest(${[...unitIds]}::bigint[]) AS unit (id)
    ON CONFLICT (stock_key_id) DO NOTHING`.execute(tx);
}
