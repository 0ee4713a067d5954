/**
 * Counts of the order history, so that a page and its exact total cost the same in a long history as in a short one
 * (Invariant I60). Safe while the previous version runs: what it writes is counted by the same triggers. The indexes
 * block placements while they are built (a second per million orders).
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATUSES = ['pending', 'pending_payment', 'processing', 'held', 'complete', 'canceled', 'closed'];

const each = (text: (status: string) => string, separator = ', ') => STATUSES.map(text).join(separator);

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
  // One row. Orders created up to then are in the buckets, later ones are not.
  `CREATE TABLE history_horizon (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT history_horizon_one_row_ck CHECK (id),
    counted_until timestamptz NOT NULL
  )`,
  `INSERT INTO history_horizon (counted_until) VALUES ('-infinity')`,
  // Most orders are complete from the start and are not in these, so that placing them costs nothing more.
  `CREATE INDEX order_history_status_ix ON "order" (account_id, status, created_at, id) WHERE status <> 'complete'`,
  `CREATE INDEX order_status_ix ON "order" (status, created_at, id) WHERE status <> 'complete'`,

  // Adds change to the buckets that the order belongs to, in its account's history and in that of all.
  `CREATE FUNCTION count_in_history(its_account uuid, its_time timestamptz, its_id bigint, its_status text, change integer)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      its_history uuid;
    BEGIN
      FOREACH its_history IN ARRAY ARRAY[its_account, '00000000-0000-0000-0000-000000000000'] LOOP
        INSERT INTO history_bucket (history, begins_at, begins_with) VALUES (its_history, '-infinity', 0)
          ON CONFLICT DO NOTHING;
        UPDATE history_bucket SET ${each((status) => `${status} = ${status} + CASE its_status WHEN '${status}' THEN change ELSE 0 END`)}
        WHERE history = its_history AND (begins_at, begins_with) = (
          SELECT begins_at, begins_with FROM history_bucket
          WHERE history = its_history AND (begins_at, begins_with) <= (its_time, its_id)
          ORDER BY begins_at DESC, begins_with DESC LIMIT 1);
      END LOOP;
    END $$`,
  // Counts a row that appeared or changed behind the horizon. The lock on the horizon keeps it, and the borders of the
  // buckets, where they are until this transaction ends (history-buckets.sql.ts).
  `CREATE FUNCTION count_late_order() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      horizon timestamptz;
    BEGIN
      SELECT counted_until INTO horizon FROM history_horizon FOR SHARE;
      IF TG_OP = 'UPDATE' AND OLD.created_at <= horizon THEN
        PERFORM count_in_history(OLD.account_id, OLD.created_at, OLD.id, OLD.status, -1);
      END IF;
      IF NEW.created_at <= horizon THEN
        PERFORM count_in_history(NEW.account_id, NEW.created_at, NEW.id, NEW.status, 1);
      END IF;
      RETURN NULL;
    END $$`,
  // Nothing younger than two minutes is ever counted, so a row that is younger than one needs no look at the horizon:
  // the order path pays for a comparison of two times.
  `CREATE TRIGGER order_counted_late AFTER INSERT ON "order" FOR EACH ROW
    WHEN (NEW.created_at < clock_timestamp() - interval '1 minute') EXECUTE FUNCTION count_late_order()`,
  `CREATE TRIGGER order_changed_late AFTER UPDATE OF status, created_at ON "order" FOR EACH ROW
    WHEN ((NEW.status, NEW.created_at) <> (OLD.status, OLD.created_at)
      AND least(NEW.created_at, OLD.created_at) < clock_timestamp() - interval '1 minute')
    EXECUTE FUNCTION count_late_order()`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
