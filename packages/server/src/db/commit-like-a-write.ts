/** COMMIT waits for the disk and a standby, so that a transaction returns only durable data (A160). */
import { prepareStatement, type Session } from './engines/prepared.ts';
import type { Tx } from './schema.ts';

// Writes an empty message to the WAL, because PostgreSQL waits only in the COMMIT of transactions that wrote
// something.
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
