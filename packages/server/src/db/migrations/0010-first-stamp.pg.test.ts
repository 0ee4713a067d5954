/** The insertion order from before the migration is kept, and the version before can go on inserting. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { stampProducts } from '../catalogue-clock.sql.ts';
import { runTransaction } from '../transaction.ts';
import { migration as initial } from './0001-initial.ts';
import { migration as firstStamp } from './0010-first-stamp.ts';

const IDS = [30000000000003, 30000000000001, 30000000000002, 30000000000005, 30000000000004];

test('products keep the order in which they were put in, whatever came afterwards', async (t) => {
  const database = await testDatabase(t);
  const { kysely } = database;
  await sql`DROP SCHEMA public CASCADE`.execute(kysely);
  await sql`CREATE SCHEMA public`.execute(kysely);
  await initial.up(kysely);
  const insertAsBefore = (id: number) =>
    sql`
    INSERT INTO product_stamp (product_id, stamp) VALUES (${id}, clock_timestamp())
    ON CONFLICT (product_id) DO UPDATE SET stamp = excluded.stamp`.execute(kysely);
  for (const id of IDS) {
    await sql`
      INSERT INTO product (id, name, checkout_class, details) VALUES (${id}, 'P', 'standard', '{}')`.execute(
      kysely,
    );
  }
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = IDS;
  for (const id of [third, first, second]) await insertAsBefore(id);

  await firstStamp.up(kysely);

  await insertAsBefore(fourth);
  await insertAsBefore(second);
  await runTransaction(database, {}, (tx) => stampProducts(tx, [fifth, first]));
  const { rows } = await sql<{ id: number }>`
    SELECT product_id AS id FROM product_stamp ORDER BY first_stamp`.execute(kysely);
  assert.deepEqual(
    rows.map(({ id }) => id),
    IDS,
  );
});
