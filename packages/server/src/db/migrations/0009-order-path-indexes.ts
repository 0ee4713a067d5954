/**
 * Two indexes fewer for every order to write. One key has one order because its record's primary key says so, in the
 * order's own transaction (I31); the second index of random keys cost each order a page of its own after a checkpoint.
 * The index of open orders had no reader.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  'ALTER TABLE "order" DROP CONSTRAINT order_idempotency_key_uq',
  'DROP INDEX order_open_ix',
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
