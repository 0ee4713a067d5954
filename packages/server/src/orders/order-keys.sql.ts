/** Reads the sealed keys of an order and records the read (A46). */
import type { OrderStatus } from '@keyport/core/order-status';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { microsOf } from '../db/timestamps.ts';
import { hasOrderId } from './read-orders.sql.ts';

type Tx = Transaction<Schema>;

export type KeysOrder = {
  readonly status: OrderStatus;
  readonly isImageRefunded: boolean;
  readonly completedAtMicros: number | null;
  /** What the database's clock says, and how far it may be ahead of the time that has passed (A221). */
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
    now: number;
    lead: number;
  }>`
    SELECT status, image_refunded, ${microsOf('completed_at')} AS completed, ${microsOf('statement_timestamp()')} AS now,
      (extract(epoch FROM clock_lead(${windowHours} * interval '1 hour')) * 1000000)::bigint AS lead
    FROM "order" WHERE ${hasOrderId(orderId)} AND account_id = ${accountId}::uuid FOR SHARE`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    status: row.status,
    isImageRefunded: row.image_refunded,
    completedAtMicros: row.completed,
    nowMicros: row.now,
    leadMicros: row.lead,
  };
}

export type SealedUnit = {
  readonly itemId: string;
  readonly id: number;
  readonly offerId: string;
  readonly dataKeyId: number;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
};

export async function listItemIds(tx: Tx, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id::text FROM order_item WHERE order_id = ${orderId}::bigint ORDER BY id`.execute(tx);
  return rows.map((row) => row.id);
}

/** The units that the order's items hold, in the order in which they were assigned. Index: stock_key_order_item_ix. */
export async function listSealedUnits(tx: Tx, itemIds: readonly string[]): Promise<SealedUnit[]> {
  const { rows } = await sql<{
    item_id: string;
    id: number;
    offer_id: string;
    data_key_id: number;
    nonce: Buffer;
    ciphertext: Buffer;
  }>`
    SELECT order_item_id::text AS item_id, id, offer_id, data_key_id, nonce, ciphertext
    FROM stock_key WHERE order_item_id = ANY(${itemIds}::bigint[]) AND state = 'sold' ORDER BY id`.execute(
    tx,
  );
  return rows.map((row) => ({
    itemId: row.item_id,
    id: row.id,
    offerId: row.offer_id,
    dataKeyId: row.data_key_id,
    nonce: row.nonce,
    ciphertext: row.ciphertext,
  }));
}

/** Remembers, per unit, the first read that let it out of the house. */
export async function insertReveals(
  tx: Tx,
  units: readonly { readonly id: number; readonly itemId: string }[],
  auditEntryId: number,
): Promise<void> {
  await sql`
    INSERT INTO key_reveal (stock_key_id, order_item_id, audit_entry_id)
    SELECT id, item_id, ${auditEntryId}
    FROM unnest(${units.map((unit) => unit.id)}::bigint[], ${units.map((unit) => unit.itemId)}::bigint[]) AS unit (id, item_id)
    ON CONFLICT (stock_key_id) DO NOTHING`.execute(tx);
}
