import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { wholeFile } from '../../../test/support/vitest.ts';
import type { Db } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import { ClientLookup } from './client-lookup.ts';
import { findClaimedClient } from './clients.sql.ts';
import { createClients } from './clients.ts';

const database = await testDatabase(wholeFile);
const clients = createClients(createSecretKey(randomBytes(32)));

test('concurrent lookups share one connection, and each returns its own client or a stand-in', async () => {
  const ids = await createOperators(3);
  const asked = [...ids, 'unknown', '~', ids[0] ?? ''];
  const expected = await Promise.all(asked.map((id) => findClaimedClient(database.kysely, id)));
  const connections = connectionsOf();
  const lookup = new ClientLookup(connections.db);
  const found = asked.map((id) => lookup.find(id));
  equal(lookup.waitingCount, asked.length);
  connections.connect();
  deepEqual(await Promise.all(found), expected);
  deepEqual(
    expected.map((client) => client?.mayHaveTokens),
    [true, true, true, false, false, true],
  );
  deepEqual([connections.count, lookup.waitingCount], [1, 0]);
});

test('a lookup that begins during another one sees what was committed in between', async () => {
  const [id = ''] = await createOperators(1);
  const lookup = new ClientLookup(database.kysely);
  const before = lookup.find(id);
  await runTransaction(database, {}, (tx) => clients.disable(tx, id));
  equal((await lookup.find(id))?.mayHaveTokens, false);
  await before;
});

test('all waiting lookups fail without a connection, and later ones work', async () => {
  const [id = ''] = await createOperators(1);
  const connections = connectionsOf();
  const lookup = new ClientLookup(connections.db);
  const lost = [lookup.find(id), lookup.find(id)];
  connections.fail(new Error('no connection'));
  for (const one of lost) await rejects(one, /no connection/);
  const found = lookup.find(id);
  connections.connect();
  equal((await found)?.id, id);
});

async function createOperators(count: number): Promise<string[]> {
  return runTransaction(database, {}, async (tx) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      ids.push(
        (await clients.create(tx, { role: 'operator', accountId: null, operatorRole: 'viewer' }, null))
          .clientId,
      );
    }
    return ids;
  });
}

/** A database whose connections the test controls. */
function connectionsOf() {
  let next = Promise.withResolvers<void>();
  const connections = {
    count: 0,
    db: {
      connection: () => ({
        async execute<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
          const waiting = next;
          await waiting.promise;
          connections.count += 1;
          return work(database.kysely);
        },
      }),
    } as unknown as Db,
    connect: () => next.resolve(),
    fail(error: Error) {
      next.reject(error);
      next = Promise.withResolvers<void>();
    },
  };
  return connections;
}
