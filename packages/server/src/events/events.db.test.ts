import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { wholeFile } from '../../test/support/vitest.ts';
import { sql } from '../db/sql.ts';
import { runTransaction } from '../db/transaction.ts';
import { forgetEvents } from './events.sql.ts';
import { listOlderEvents } from './expiring-keys.sql.ts';

const database = await testDatabase(wholeFile);

test('events are listed and deleted in the numeric order of their ids', async () => {
  for (const id of [10, 9, 100])
    await sql`INSERT INTO event (id, account_id, type) VALUES (${id}, ${randomUUID()}, 'balance.low')`.execute(
      database.db,
    );
  const toIds = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
  const older = await runTransaction(database, {}, (tx) =>
    listOlderEvents(tx, { afterId: '0', hours: 1, limit: 2 }),
  );
  deepEqual(toIds(older), ['9', '10']);
  await sql`UPDATE stream_position SET position = 0 WHERE stream = 'forgotten-event'`.execute(database.db);
  equal(await runTransaction(database, {}, (tx) => forgetEvents(tx, 2)), 2);
  const { rows: kept } = await sql<{ id: string }>`SELECT id::text FROM event`.execute(database.db);
  deepEqual(toIds(kept), ['100']);
});
