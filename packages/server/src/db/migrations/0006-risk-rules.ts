/**
 * What risk rules need (A92). Safe while the previous version runs: it leaves the new columns as they are, so its orders
 * are not counted.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // On the account's row, which every order of it locks and writes anyway: no count over orders, no added statement.
  `ALTER TABLE account ADD COLUMN order_hour timestamptz NOT NULL DEFAULT '2000-01-01 00:00:00+00',
    ADD COLUMN hour_orders integer NOT NULL DEFAULT 0`,
  // Why an order is held once its payment is there.
  'ALTER TABLE gateway_payment ADD COLUMN hold_reason text',
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
