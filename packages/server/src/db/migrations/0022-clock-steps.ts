/**
 * Steps of the database's clock, which running nodes notice because their own elapsed time does not step (A221). Whatever
 * lasts for a time is over when so much time has passed, and not when the clock says so.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** For each step: it and all later ones, the later ones alone, and how long ago it was noticed. */
const STEPS = `(
    SELECT since, statement_timestamp() - at - (since - step) AS ago
    FROM (SELECT step, at, sum(step) OVER (ORDER BY number DESC) AS since FROM clock_step) AS each_step
  ) AS steps`;

const STATEMENTS = [
  // step: how far the clock went, below 0 when it went back. at: what it said afterwards.
  `CREATE TABLE clock_step (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    step interval NOT NULL
  )`,
  // One row; recording a step locks it. seen_at: what the clock said when a node last looked.
  `CREATE TABLE clock_watch (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT clock_watch_one_row_ck CHECK (id),
    seen_at timestamptz NOT NULL
  )`,
  'INSERT INTO clock_watch (seen_at) VALUES (clock_timestamp())',
  // How far the clock may be ahead for things that live so long: what it says less this is never more than the time that
  // has passed since. A step that is longer ago than that does not concern them any more.
  `CREATE FUNCTION clock_lead(lifetime interval) RETURNS interval LANGUAGE sql STABLE AS $$
    SELECT greatest(interval '0', max(since)) FROM ${STEPS} WHERE ago < lifetime
  $$`,
  // How far the clock is from where it would be without the steps of the last seven days.
  `CREATE FUNCTION clock_shift() RETURNS interval LANGUAGE sql STABLE AS $$
    SELECT coalesce((array_agg(since ORDER BY ago DESC))[1], interval '0') FROM ${STEPS} WHERE ago < interval '7 days'
  $$`,
  // Whether the clock said this twice, before and after it went back: what was first cannot be told then.
  `CREATE FUNCTION clock_said_twice(moment timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM clock_step
      WHERE step < interval '0' AND moment BETWEEN at - interval '1 minute' AND at - step + interval '1 minute')
  $$`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
