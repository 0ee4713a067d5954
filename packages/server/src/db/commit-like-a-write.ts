/**
 * For a transaction that only repeats what is stored: its COMMIT waits for the disk and for a standby, so
 * that everything committed before is durable as well (A160).
 */
import { prepareStatement, type Session } from './engines/prepared.ts';
import type { Tx } from './schema.ts';

// An empty message in the log: PostgreSQL waits only for transactions that have written something before
// their COMMIT.
const COMMIT_LIKE_A_WRITE = prepareStatement<{ position: string }>(
  'commit_like_a_write',
  `SELECT pg_logical_emit_message(true, 'keyport', '')::text AS position`,
);

export function commitLikeAWrite(session: Session): Promise<unknown> {
  return COMMIT_LIKE_A_WRITE.send(session, []);
}

export async function commitTransactionLikeAWrite(tx: Tx): Promise<void> {
  await COMMIT_LIKE_A_WRITE.execute(tx, []);
}
