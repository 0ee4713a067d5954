import { sql } from '../../src/db/sql.ts';
import { foldedUpTo } from '../../src/sums/sums.sql.ts';
import type { Harness } from './harness.ts';

/** Afterwards, every row of the streams that was committed before the call is in the sums. */
export async function foldSums(h: Harness): Promise<void> {
  for (let isFolded = false; !isFolded; ) {
    // This may fold nothing while other databases on the same server have transactions in progress.
    await h.service.foldSums();
    const { rows } = await sql<{ folded: boolean }>`
      SELECT NOT EXISTS (SELECT FROM "order" WHERE serial > ${foldedUpTo('order')})
        AND NOT EXISTS (SELECT FROM order_status_log WHERE id > ${foldedUpTo('status')})
        AND NOT EXISTS (SELECT FROM ledger_transfer WHERE id > ${foldedUpTo('transfer')})
        AND NOT EXISTS (SELECT FROM rejected_order WHERE number > ${foldedUpTo('rejection')})
        AND NOT EXISTS (SELECT FROM change_log WHERE stamp > ${foldedUpTo('change')}) AS folded`.execute(
      h.database.db,
    );
    isFolded = rows[0]?.folded ?? true;
  }
}
