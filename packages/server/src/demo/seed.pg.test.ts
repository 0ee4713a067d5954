/** The demo's past, in a database that is older than its youngest orders. */
import { equal } from 'node:assert/strict';
import { Client } from 'pg';
import { test } from 'vitest';
import { testDatabaseSettings } from '../../test/support/database.ts';
import { startHarness } from '../../test/support/harness.ts';
import { skipBecause } from '../../test/support/vitest.ts';

test('what happened before the demo was filled is no event that is missing', async (t) => {
  const settings = await testDatabaseSettings(t);
  skipBecause(t, settings.url === undefined && 'an embedded database is not open before the service is');
  const client = new Client({ connectionString: settings.url });
  await client.connect();
  const { rowCount } = await client.query('UPDATE event_position SET forgotten_id = 0');
  await client.end();
  equal(rowCount, 1);
  // When the test ends, every invariant holds.
  const h = await startHarness(t, { KEYPORT_DEMO: 'true' }, settings);
  equal((await h.operate('GET', '/orders?status=held')).length, 2);
});
