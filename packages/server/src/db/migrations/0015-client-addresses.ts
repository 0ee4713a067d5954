/**
 * Where a client may call from (A188); empty: from everywhere. Safe while the previous version runs: it ignores the
 * column. No row is rewritten.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(`ALTER TABLE client ADD COLUMN allowed_addresses text[] NOT NULL DEFAULT '{}'`).execute(db);
  },
};
