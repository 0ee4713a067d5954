/** The facts about an endpoint that a replay of its webhooks needs. A492. */
import { type Kysely, sql } from 'kysely';

export const migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // tested_url: the URL that last answered a test with 2xx. replayed_at: when the deliveries of the last replay became due.
    await sql`ALTER TABLE webhook_endpoint ADD COLUMN tested_url text, ADD COLUMN replayed_at timestamptz`.execute(
      db,
    );
  },
};
