import { sql } from '../../src/db/sql.ts';
import type { Harness } from './harness.ts';

/** Afterwards, every transfer, rejection and change committed before the call is in the sums. */
export async function foldSums(h: Harness): Promise<void> {
  for (let isFolded = false; !isFolded; ) {
    // This may fold nothing while other databases on the same server have transactions in progress.
    await h.service.foldSums();
    const { rows } = await sql<{ folded: boolean }>`
      SELECT NOT EXISTS (SELECT FROM ledger_transfer WHERE id > sum_position.transfer_id)
        AND NOT EXISTS (SELECT FROM ledger_transfer WHERE id > (SELECT transfer_id FROM sale_position))
        AND NOT EXISTS (SELECT FROM rejected_order WHERE number > rejection_number)
        AND NOT EXISTS (SELECT FROM change_log WHERE change_log.stamp > sum_position.stamp)
        AND NOT EXISTS (SELECT FROM order_sum_change) AS folded
      FROM sum_position`.execute(h.database.db);
    isFolded = rows[0]?.folded ?? true;
  }
}
