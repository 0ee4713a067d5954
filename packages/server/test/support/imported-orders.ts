/**
 * Writes imported orders to the tables, because the API cannot import orders and tests choose times,
 * currencies and states.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { OrderStatus } from '@keyport/core/orders/order-status';
import { sql } from '../../src/db/sql.ts';
import type { Harness } from './harness.ts';

export type ImportedOrder = {
  readonly createdAt: string;
  readonly status: OrderStatus;
  readonly currency: string;
  readonly decimals: number;
  readonly unitPriceMinor: number;
  readonly quantity: number;
  /** The seller's name for each item; equal names are the same seller. */
  readonly itemSellers: readonly string[];
  readonly idDigits: 14 | 15 | 16;
};

const DEFAULTS: ImportedOrder = {
  createdAt: '2026-01-01T00:00:00Z',
  status: 'complete',
  currency: 'EUR',
  decimals: 2,
  unitPriceMinor: 1000,
  quantity: 1,
  itemSellers: ['seller'],
  idDigits: 16,
};

/** Returns the ids in the order of the orders; they are random and thus independent of the times. */
export async function importOrders(
  h: Harness,
  accountId: string,
  orders: readonly Partial<ImportedOrder>[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const order of orders) ids.push(await importOrder(h, accountId, { ...DEFAULTS, ...order }));
  return ids;
}

async function importOrder(h: Harness, accountId: string, order: ImportedOrder): Promise<string> {
  const { db } = h.database;
  const id = randomDigits(order.idDigits);
  const heldFrom = order.status === 'held' ? 'processing' : null;
  const total = order.unitPriceMinor * order.quantity * order.itemSellers.length;
  await sql`INSERT INTO "order" (id, account_id, status, held_from, created_at, currency, decimals, discount_minor,
      total_price_minor, origin)
    VALUES (${id}::bigint, ${accountId}::uuid, ${order.status}, ${heldFrom}, ${order.createdAt}::timestamptz,
      ${order.currency}, ${order.decimals}, 0, ${total}, 'imported')`.execute(db);
  const sellers = new Map(order.itemSellers.map((name) => [name, randomUUID()]));
  for (const [index, seller] of order.itemSellers.entries()) {
    await sql`INSERT INTO imported_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name,
        unit_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      VALUES (${`${id}${String(index + 1).padStart(2, '0')}`}::bigint, ${id}::bigint, ${randomUUID()}::uuid,
        10000000000001, 'From elsewhere', ${sellers.get(seller)}::uuid, ${seller}, ${order.unitPriceMinor},
        ${order.quantity}, 0, 0, 0)`.execute(db);
  }
  await sql`INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
    VALUES (${id}::bigint, NULL, ${order.status}, ${order.createdAt}::timestamptz, 'import', 'imported')`.execute(
    db,
  );
  return id;
}

function randomDigits(count: number): string {
  return `${randomInt(1, 10)}${Array.from({ length: count - 1 }, () => randomInt(10)).join('')}`;
}
