/** A310, A314. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { testDatabase, testEngine } from '../../../test/support/database.ts';
import { sql } from '../../db/sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { deleteOldDeliveries, forgetDeletedEndpoints } from './deliveries.sql.ts';
import { claimDeliveries } from './queue.sql.ts';

test('deletes old deliveries and those of deleted endpoints in steps, and keeps the others', async (t) => {
  const database = await testDatabase(t);
  const { db } = database;
  const accountId = randomUUID();
  await sql`INSERT INTO account (id, name) VALUES (${accountId}, 'Shop')`.execute(db);
  await sql`INSERT INTO webhook_endpoint (id, account_id, url, types, deleted_at)
    SELECT 'whe_' || name, ${accountId}::uuid, 'https://shop.example', '{*}', deleted_at::timestamptz
    FROM (VALUES ('kept', NULL), ('gone', '2020-01-01')) AS endpoint (name, deleted_at)`.execute(db);
  await sql`INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at)
    SELECT number, event_id, now() FROM webhook_endpoint CROSS JOIN generate_series(1, 10) AS event_id`.execute(
    db,
  );
  await sql`UPDATE stream_position SET position = 4 WHERE stream = 'forgotten-event'`.execute(db);

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

test('a claim takes what is due, in order, up to each share, and leaves what another node has or takes', async (t) => {
  const database = await testDatabase(t);
  const { db } = database;
  const accountId = randomUUID();
  await sql`INSERT INTO event (id, account_id, type) SELECT n, ${accountId}::uuid, 'order.complete'
    FROM generate_series(1, 9) AS n`.execute(db);
  // The claim of 6 is of a statement that began after this one.
  await sql`INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at, claimed_until)
    SELECT 1, id, now() + due * interval '1 second', now() + claim * interval '1 second' FROM (VALUES
      (1, 3, NULL), (2, -1, NULL), (3, -2, NULL), (4, -8, 10), (5, -8, -1), (6, -8, 21), (7, -3, NULL)
    ) AS delivery (id, due, claim)`.execute(db);
  await sql`INSERT INTO webhook_delivery (endpoint, event_id, next_attempt_at) VALUES (2, 8, now()), (3, 9, now())`.execute(
    db,
  );
  const claim = async (shares: Parameters<typeof claimDeliveries>[1]) =>
    (await claimDeliveries(db, shares)).map(({ endpoint, event }) => `${endpoint}/${event.id}`).toSorted();
  if (testEngine !== 'embedded') {
    const other = await database.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM webhook_delivery WHERE event_id = 7 FOR NO KEY UPDATE');
    deepEqual(await claim([{ endpoint: 1, count: 3 }]), ['1/2', '1/3', '1/5']);
    await other.query('ROLLBACK').finally(() => other.release());
  } else deepEqual(await claim([{ endpoint: 1, count: 2 }]), ['1/5', '1/7']);
  const shares = [
    { endpoint: 1, count: 32 },
    { endpoint: 2, count: 1 },
  ];
  deepEqual(await claim(shares), testEngine === 'embedded' ? ['1/2', '1/3', '2/8'] : ['1/7', '2/8']);
  deepEqual(await claim(shares), []);
});
