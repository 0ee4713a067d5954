/** The limits of requests that accounts set for themselves in the sandbox. A526. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Requests a second; null: as the installation is configured.
    await sql`CREATE TABLE sandbox_rate_limit (
      account_id uuid PRIMARY KEY REFERENCES account_identity,
      reads integer,
      orders integer
    )`.execute(db);
  },
};
