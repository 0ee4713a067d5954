/**
 * The insertion order (A15) as the stamp that a product got first. Stamps are drawn under the catalogue clock, so whoever
 * reads in this order only ever appends; product.position was drawn before the commit, so that a late commit belonged
 * between others. Nothing reads product.position any more. No index: product_stamp is rewritten by every order, and the
 * order is asked for only when a node loads everything.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  'ALTER TABLE product_stamp ADD COLUMN first_stamp timestamptz',
  // Older than every stamp, and in the order that there was.
  `UPDATE product_stamp SET first_stamp = timestamptz '2000-01-01 00:00:00Z' + product.position * interval '1 microsecond'
    FROM product WHERE product.id = product_stamp.product_id`,
  // The default is for nodes of the version before, which insert without it while they still run (A120).
  `ALTER TABLE product_stamp ALTER COLUMN first_stamp SET NOT NULL,
    ALTER COLUMN first_stamp SET DEFAULT clock_timestamp()`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
