import { execute, firstRow, onlyRow } from '../rows.ts';
import type { Db } from '../schema.ts';
import { sql } from '../sql.ts';
import { runTransaction } from '../transaction.ts';
import type { Database } from './database.ts';

export const TRANSACTION_IDS_MAX = 2_147_483_647 - 3_000_000;

/** The number of transaction or multixact ids since the oldest that PostgreSQL still needs. */
export const TRANSACTION_IDS_USED = `SELECT datname, greatest(age(datfrozenxid), mxid_age(datminmxid)) AS used
  FROM pg_database`;

export type SnapshotHolder = {
  /** `session 4711`, `prepared transaction x`, `replication slot x`. */
  readonly holder: string;
  readonly user: string | null;
  readonly application: string | null;
  readonly transactions: number;
  /** Null if unknown, or hidden from this role. */
  readonly seconds: number | null;
};

export type DatabaseState = {
  readonly transactionIdsUsed: number;
  readonly archiveFailsForSeconds: number;
};

export function readDatabaseState(db: Db): Promise<DatabaseState> {
  return onlyRow<DatabaseState>(db)`
    SELECT (SELECT max(used) FROM (${sql.raw(TRANSACTION_IDS_USED)}) AS ids) AS "transactionIdsUsed",
      CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity')
        THEN extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset, last_failed_time))
        ELSE 0 END::double precision AS "archiveFailsForSeconds"
    FROM pg_stat_archiver`;
}

/**
 * VACUUM cannot remove row versions newer than the oldest snapshot. A standby's feedback counts as a
 * snapshot; a vacuum does not. A role without pg_read_all_stats recognizes autovacuum workers only by their
 * progress.
 */
export function findOldestSnapshot(db: Db): Promise<SnapshotHolder | undefined> {
  return firstRow<SnapshotHolder>(db)`
    SELECT holder, "user", application, transactions, seconds::double precision FROM (
      SELECT 'session ' || pid AS holder, usename AS "user", application_name AS application,
        greatest(age(backend_xid), age(backend_xmin)) AS transactions,
        extract(epoch FROM clock_timestamp() - xact_start) AS seconds
      FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND coalesce(datname, current_database()) = current_database()
        AND backend_type IS DISTINCT FROM 'autovacuum worker'
        AND pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)
      UNION ALL
      SELECT 'prepared transaction ' || gid, owner, NULL, age(transaction),
        extract(epoch FROM clock_timestamp() - prepared)
      FROM pg_prepared_xacts WHERE database = current_database()
      UNION ALL
      SELECT 'replication slot ' || slot_name, NULL, NULL, age(xmin), NULL FROM pg_replication_slots
    ) AS held WHERE transactions IS NOT NULL
    ORDER BY transactions DESC, seconds DESC NULLS LAST LIMIT 1`;
}

/** Allocates 8 MiB of disk space and frees it. */
export async function probeSpace(database: Database): Promise<void> {
  await runTransaction(database, {}, async (tx) => {
    await execute(tx)`CREATE TEMPORARY TABLE space_probe (content text) ON COMMIT DROP`;
    // Longer values would be compressed.
    await execute(tx)`INSERT INTO space_probe SELECT repeat('x', 1900) FROM generate_series(1, 4200)`;
  });
}
