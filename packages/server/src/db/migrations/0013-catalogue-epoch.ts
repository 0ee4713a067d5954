/**
 * Which history the stamps of the catalogue belong to (A127). A cursor of the change feed names it: when a database is
 * restored from a backup, an operator begins a new one.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw('ALTER TABLE catalogue_clock ADD COLUMN epoch uuid NOT NULL DEFAULT gen_random_uuid()')
      .execute(db);
  },
};
