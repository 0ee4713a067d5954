/**
 * For a transaction that only repeats what is stored: its COMMIT then waits for the disk and for a standby, as that of a
 * write does, and everything committed before is durable as well (A160).
 */
import { prepareStatement, type Session } from './engines/prepared.ts';
import type { Tx } from './schema.ts';

// A message of no bytes in the log. A transaction id alone would not do: PostgreSQL waits only for those that have written
// something before their COMMIT.
const COMMIT_LIKE_A_WRITE = prepareStatement<{ position: string }>(
  'commit_like_a_write',
  `SELECT pg_logical_emit_message(true, 'keyport', '')::text AS position`,
);

export function commitLikeAWrite(session: Session): Promise<unknown> {
  return COMMIT_LIKE_A_WRITE.send(session, []);
}

/** The same inside a transaction of Kysely's. */
export async function commitTransactionLikeAWrite(tx: Tx): Promise<void> {
  await COMMIT_LIKE_A_WRITE.execute(tx, []);
}
