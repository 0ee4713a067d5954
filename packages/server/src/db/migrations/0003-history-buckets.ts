/**
 * Counts of the order history, so that a page and its exact total cost the same in a long history as in a short one
 * (Invariant I60). Safe while the previous version runs: what it writes is counted by the same triggers. The indexes
 * block placements while they are built (a second per million orders).
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATUSES = ['pending', 'pending_payment', 'processing', 'held', 'complete', 'canceled', 'closed'];

const each = (text: (status: string) => string, separator = ', ') => STATUSES.map(text).join(separator);

/**
 * A trigger's function that adds the rows behind the horizon to the buckets that they belong to, in the history of their
 * account and in that of all. The lock on the horizon keeps it, and the borders of the buckets, where they are until the
 * transaction ends (history-buckets.sql.ts).
 */
function countingTrigger(name: string, rows: string): string {
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      horizon timestamptz;
    BEGIN
      SELECT counting_until INTO horizon FROM history_horizon;
      IF horizon < (SELECT min(created_at) FROM (${rows}) AS row) THEN RETURN NULL; END IF;
      SELECT counted_until INTO horizon FROM history_horizon FOR SHARE;
      INSERT INTO history_bucket (history, begins_at, begins_with)
        SELECT DISTINCT its.history, timestamptz '-infinity', 0 FROM (${rows}) AS row
        CROSS JOIN LATERAL (VALUES (account_id), ('00000000-0000-0000-0000-000000000000')) AS its (history)
        WHERE created_at <= horizon ORDER BY 1
        ON CONFLICT DO NOTHING;
      UPDATE history_bucket SET ${each((status) => `${status} = history_bucket.${status} + late.${status}`)}
      FROM (
        SELECT bucket.history, bucket.begins_at, bucket.begins_with,
          ${each((status) => `coalesce(sum(change) FILTER (WHERE status = '${status}'), 0) AS ${status}`)}
        FROM (${rows}) AS row
        CROSS JOIN LATERAL (VALUES (account_id), ('00000000-0000-0000-0000-000000000000')) AS its (history)
        CROSS JOIN LATERAL (
          SELECT history, begins_at, begins_with FROM history_bucket
          WHERE history_bucket.history = its.history AND (begins_at, begins_with) <= (row.created_at, row.id)
          ORDER BY begins_at DESC, begins_with DESC LIMIT 1
        ) AS bucket
        WHERE created_at <= horizon
        GROUP BY 1, 2, 3
      ) AS late
      WHERE (history_bucket.history, history_bucket.begins_at, history_bucket.begins_with)
          = (late.history, late.begins_at, late.begins_with)
        AND (${each((status) => `late.${status}`)}) <> (${each(() => '0')});
      RETURN NULL;
    END $$`;
}

const STATEMENTS = [
  // A bucket is a stretch of one history, in the order (created_at, id): from its first key up to the next bucket's.
  // history: an account, or the nil UUID for the orders of all accounts. The first bucket begins at -infinity.
  `CREATE TABLE history_bucket (
    history uuid NOT NULL,
    begins_at timestamptz NOT NULL,
    begins_with bigint NOT NULL,
    ${each((status) => `${status} integer NOT NULL DEFAULT 0`)},
    orders integer GENERATED ALWAYS AS (${each((status) => status, ' + ')}) STORED,
    CONSTRAINT history_bucket_pk PRIMARY KEY (history, begins_at, begins_with)
  ) WITH (fillfactor = 70)`,
  // One row. Orders created up to counted_until are in the buckets, later ones are not. counting_until: how far the worker
  // is about to move it; never less.
  `CREATE TABLE history_horizon (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT history_horizon_one_row_ck CHECK (id),
    counted_until timestamptz NOT NULL,
    counting_until timestamptz NOT NULL
  )`,
  `INSERT INTO history_horizon (counted_until, counting_until) VALUES ('-infinity', '-infinity')`,
  // Most orders are complete from the start and are not in these, so that placing them costs nothing more.
  `CREATE INDEX order_history_status_ix ON "order" (account_id, status, created_at, id) WHERE status <> 'complete'`,
  `CREATE INDEX order_status_ix ON "order" (status, created_at, id) WHERE status <> 'complete'`,

  // Whatever the clock says, a row behind the horizon is counted here. A row after counting_until needs no more than this
  // look without a lock: the worker lets every transaction end that may not have seen counting_until before it counts.
  countingTrigger(
    'count_late_orders',
    'SELECT account_id, created_at, id, status, 1 AS change FROM new_orders',
  ),
  countingTrigger(
    'count_late_changes',
    `SELECT account_id, created_at, id, status, 1 AS change FROM new_orders
      UNION ALL SELECT account_id, created_at, id, status, -1 FROM old_orders`,
  ),
  `CREATE TRIGGER order_counted_late AFTER INSERT ON "order" REFERENCING NEW TABLE AS new_orders
    FOR EACH STATEMENT EXECUTE FUNCTION count_late_orders()`,
  `CREATE TRIGGER order_changed_late AFTER UPDATE ON "order" REFERENCING OLD TABLE AS old_orders NEW TABLE AS new_orders
    FOR EACH STATEMENT EXECUTE FUNCTION count_late_changes()`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
