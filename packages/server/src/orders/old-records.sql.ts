/** Rejections (A42) that the sums already count (A361), and stored responses to operators' writes (A205). */

import { execute } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { foldedUpTo } from '../sums/sums.sql.ts';

const RETENTION = sql.raw(`30 * interval '1 day'`);
/** Index: rejected_order_old_ix. The stored responses are few enough to be read once a minute. */
const STORED_AT = { rejected_order: sql`rejected_at`, write_record: sql`finished_at` };

const IS_UNUSED = {
  rejected_order: sql`number <= ${foldedUpTo('rejection')}`,
  write_record: sql`true`,
};

const PRIMARY_KEYS = {
  rejected_order: sql`account_id, idempotency_key`,
  write_record: sql`client_id, operation, idempotency_key`,
};

export const RECORD_TABLES = ['rejected_order', 'write_record'] as const;

/** Returns how many it deleted. */
export function deleteOldRecords(
  tx: Tx,
  table: (typeof RECORD_TABLES)[number],
  limit: number,
): Promise<number> {
  return execute(tx)`
    DELETE FROM ${sql.identifier(table)}
    WHERE (${PRIMARY_KEYS[table]}) IN (
      SELECT ${PRIMARY_KEYS[table]} FROM ${sql.identifier(table)}
      WHERE ${STORED_AT[table]} < statement_timestamp() - ${RETENTION}
        AND ${IS_UNUSED[table]}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
