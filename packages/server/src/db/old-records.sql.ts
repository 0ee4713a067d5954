/** Records of requests that are kept for a time only: stored rejections (A42), and the responses to operators' writes (A207). */
import { sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

const RETENTION = sql.raw(`30 * interval '1 day'`);

/** Indexes: idempotency_record_refusal_ix, write_record_finished_ix. */
const OLD_RECORDS = {
  idempotency_record: sql`order_id IS NULL`,
  write_record: sql`true`,
};

export const RECORD_TABLES = ['idempotency_record', 'write_record'] as const;

/** Removes at most `limit` records, none that another node is about to remove, and returns how many. */
export async function deleteOldRecords(
  tx: Transaction<Schema>,
  table: (typeof RECORD_TABLES)[number],
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)}
    WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM ${sql.table(table)}
      WHERE ${OLD_RECORDS[table]}
        AND finished_at < statement_timestamp() - ${RETENTION} - clock_lead(${RETENTION})
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
