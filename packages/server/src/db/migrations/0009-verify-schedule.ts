/** When the invariants are checked next, and what the last check found: one row that the nodes share (A111). */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // due_at: from then on any node may begin a run. While one is at work it is put off again and again (a lease).
  // broken: broken rows by the number of the invariant. unchecked: numbers of those that took too long.
  `CREATE TABLE verify_schedule (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT verify_schedule_one_row_ck CHECK (id),
    due_at timestamptz NOT NULL,
    node uuid,
    finished_at timestamptz,
    duration_ms bigint,
    checked bigint,
    broken jsonb,
    unchecked text[]
  )`,
  'INSERT INTO verify_schedule (due_at) VALUES (clock_timestamp())',
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
