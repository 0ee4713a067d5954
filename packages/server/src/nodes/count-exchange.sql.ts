/** Messages are not stored: a disconnected node misses them. */
import { execute } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';

export const COUNTS_CHANNEL = 'keyport_counts';
/** PostgreSQL accepts messages of less than 8,000 bytes. */
export const MESSAGE_SIZE_BYTES_MAX = 7_999;

export async function notifyCounts(db: Db, messages: readonly string[]): Promise<void> {
  await execute(db)`SELECT pg_notify(${COUNTS_CHANNEL}, message) FROM unnest(${messages}::text[]) AS message`;
}
