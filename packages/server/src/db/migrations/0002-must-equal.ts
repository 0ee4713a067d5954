/** A check inside a statement: the order path sends its COMMIT before it has seen what its writes did. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `CREATE FUNCTION must_equal(what text, actual bigint, expected bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF actual IS DISTINCT FROM coalesce(expected, 0) THEN
        RAISE EXCEPTION '%: % instead of %', what, actual, coalesce(expected, 0) USING ERRCODE = 'assert_failure';
      END IF;
    END $$`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
