/** A311. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { testDatabase, testEngine } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/webhook-receiver.ts';
import { sql } from '../../db/sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { deleteOldDeliveries, forgetDeletedEndpoints } from './deliveries.sql.ts';
import { claimEndpoints } from './queue.sql.ts';

test('deletes old deliveries and those of deleted endpoints in steps, and keeps the others', async (t) => {
  const database = await testDatabase(t);
  const { db } = database;
  const accountId = randomUUID();
  await sql`INSERT INTO account (id, name) VALUES (${accountId}, 'Shop')`.execute(db);
  await sql`INSERT INTO webhook_endpoint (id, account_id, url, types, deleted_at)
    SELECT 'whe_' || name, ${accountId}::uuid, 'https://shop.example', '{*}', deleted_at::timestamptz
    FROM (VALUES ('kept', NULL), ('gone', '2020-01-01')) AS endpoint (name, deleted_at)`.execute(db);
  await sql`INSERT INTO webhook_queue (endpoint) SELECT number FROM webhook_endpoint`.execute(db);
  await sql`INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at)
    SELECT number, event_id, now() FROM webhook_endpoint CROSS JOIN generate_series(1, 10) AS event_id`.execute(
    db,
  );
  await sql`UPDATE event_position SET forgotten_id = 4`.execute(db);

  const deleted = [];
  for (let round = 0; round < 4; round += 1)
    deleted.push(await runTransaction(database, {}, (tx) => deleteOldDeliveries(tx, 6)));
  deepEqual(
    deleted.reduce((sum, count) => sum + count, 0),
    14,
  );
  equal(Math.max(...deleted), 6);
  await runTransaction(database, {}, forgetDeletedEndpoints);
  const { rows } = await sql<{ id: string; events: number[] }>`
    SELECT id, array_agg(event_id ORDER BY event_id) AS events FROM webhook_endpoint
    LEFT JOIN webhook_delivery ON endpoint = number GROUP BY id`.execute(db);
  deepEqual(rows, [{ id: 'whe_kept', events: [5, 6, 7, 8, 9, 10] }]);
});

test('an endpoint that another node claims first stays with that node', {
  skip: testEngine === 'embedded',
}, async (t) => {
  const database = await testDatabase(t);
  const { db } = database;
  const accountId = randomUUID();
  await sql`INSERT INTO account (id, name) VALUES (${accountId}, 'Shop')`.execute(db);
  await sql`INSERT INTO webhook_endpoint (id, account_id, url, types)
      VALUES ('whe_wanted', ${accountId}, 'https://shop.example', '{*}')`.execute(db);
  await sql`INSERT INTO webhook_queue (endpoint, due_at) SELECT number, now() FROM webhook_endpoint`.execute(
    db,
  );
  await sql`ALTER TABLE webhook_endpoint RENAME TO endpoint_row`.execute(db);
  await sql`CREATE VIEW webhook_endpoint AS
      SELECT endpoint_row.* FROM endpoint_row CROSS JOIN LATERAL (SELECT pg_advisory_xact_lock(number * 0 + 1)) AS slow`.execute(
    db,
  );

  const gate = await database.connect();
  await gate.query('SELECT pg_advisory_lock(1)');
  const claimFirst = async () => {
    await waitUntil(async () => {
      const { rows } = await sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db);
      return rows.length > 0;
    }, 'the slow claim');
    const other = randomUUID();
    await sql`INSERT INTO webhook_node VALUES (${other}, now() + interval '4 seconds')`.execute(db);
    await sql`UPDATE webhook_queue SET holder = ${other}::uuid`.execute(db);
    await gate.query('SELECT pg_advisory_unlock(1)').finally(() => gate.release());
  };
  const [claimed] = await Promise.all([
    runTransaction(database, {}, (tx) => claimEndpoints(tx, randomUUID(), 10)),
    claimFirst(),
  ]);
  deepEqual(claimed, []);
});
