/** The C library or ICU may sort text differently after an upgrade or on a standby. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { testDatabase } from '../support/database.ts';

test('every indexed text is compared byte by byte', async (t) => {
  const database = await testDatabase(t);
  const client = await database.connect();
  const { rows } = await client.query(
    `SELECT key.indexrelid::regclass::text AS index, attribute.attname AS column
      FROM pg_index AS key, unnest(key.indcollation::oid[]) WITH ORDINALITY AS part (collation_id, number)
      JOIN pg_attribute AS attribute ON attribute.attnum = part.number
      WHERE attribute.attrelid = key.indexrelid AND part.collation_id NOT IN (0, 'pg_catalog."C"'::regcollation)
        AND key.indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
        AND key.indrelid::regclass::text NOT LIKE 'kysely%'`,
  );
  client.release();

  deepEqual(rows, []);
});
