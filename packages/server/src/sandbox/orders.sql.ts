import { execute, hasRows } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { movingOrders } from '../sums/sums.sql.ts';

/** Compares the text too, since an order id has no leading zeros. */
export function isOrderOf(db: Db, orderId: string, accountId: string): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM "order" WHERE id = ${orderId}::bigint AND id::text = ${orderId} AND account_id = ${accountId}::uuid`;
}

/** Does not move the log, transfers and daily limits. False if the order would be dated before 1970. */
export async function moveIntoPast(tx: Tx, orderId: string, hours: number): Promise<boolean> {
  const moved = sql`(${hours}::double precision * interval '1 hour')`;
  const orderIds = sql`SELECT ${orderId}::bigint`;
  const update = () => execute(tx)`
    UPDATE "order" SET spend_day = CASE origin WHEN 'export-api'
        THEN coalesce(spend_day, (created_at AT TIME ZONE 'UTC')::date) END,
      created_at = created_at - ${moved}, completed_at = completed_at - ${moved},
      moved = coalesce(moved, '0') + ${moved}
    WHERE id = ${orderId}::bigint AND created_at - ${moved} >= '1970-01-01 00:00:00+00'`;
  if ((await movingOrders(tx, orderIds, update)) === 0) return false;
  await execute(tx)`
    UPDATE gateway_payment SET expires_at = expires_at - ${moved}, next_check_at = next_check_at - ${moved},
      answered_at = answered_at - ${moved}
    WHERE order_id = ${orderId}::bigint`;
  return true;
}

export function isOverdue(db: Db, orderId: string): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM gateway_payment JOIN "order" ON "order".id = gateway_payment.order_id
    WHERE order_id = ${orderId}::bigint AND "order".status IN ('pending', 'pending_payment')
      AND expires_at <= statement_timestamp()`;
}

export function hasWriteRecord(
  db: Db,
  write: { readonly callerId: string; readonly operation: string; readonly idempotencyKey: string },
): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM write_record WHERE client_id = ${write.callerId} AND operation = ${write.operation}
      AND idempotency_key = ${write.idempotencyKey}::uuid`;
}

export function hasOrderRecord(db: Db, accountId: string, idempotencyKey: string): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM "order" WHERE account_id = ${accountId}::uuid AND idempotency_key = ${idempotencyKey}::uuid
    UNION ALL
    SELECT FROM reservation WHERE account_id = ${accountId}::uuid AND idempotency_key = ${idempotencyKey}::uuid
    UNION ALL
    SELECT FROM rejected_order WHERE account_id = ${accountId}::uuid AND idempotency_key = ${idempotencyKey}::uuid`;
}
