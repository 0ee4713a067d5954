import { sql } from '../../src/db/sql.ts';
import type { Harness } from './harness.ts';

/** Afterwards, everything older than two minutes at the time of the call is in the buckets. */
export async function countHistory(h: Harness): Promise<void> {
  const { db } = h.database;
  const { rows: marks } = await sql<{ until: string }>`
    SELECT clock_timestamp() - interval '2 minutes' AS until`.execute(db);
  for (let isCounted = false; !isCounted; ) {
    // Counting pauses while other databases of the server have transactions in progress.
    await h.service.countHistory();
    const { rows } = await sql<{ counted: boolean }>`
      SELECT counted_until >= ${marks[0]?.until}::timestamptz AS counted FROM history_horizon`.execute(db);
    isCounted = rows[0]?.counted ?? true;
  }
}
