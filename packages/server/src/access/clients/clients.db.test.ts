import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { wholeFile } from '../../../test/support/vitest.ts';
import type { Database } from '../../db/engines/database.ts';
import { sql } from '../../db/sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { createClientStates } from './client-states.ts';
import { findClaimedClient } from './clients.sql.ts';
import { type ClientCredentials, createClients } from './clients.ts';

const database = await testDatabase(wholeFile);
const clients = createClients(createSecretKey(randomBytes(32)));

test('an operator has no account', async () => {
  const operator = await runTransaction(database, {}, (tx) =>
    clients.create(tx, { role: 'operator', accountId: null, operatorRole: 'viewer' }, 'Ops'),
  );
  deepEqual(await verify(operator), { role: 'operator', clientId: operator.clientId });
});

test('concurrent additions never leave more than two secrets', async () => {
  const first = await createReseller(await insertAccount());
  const added = await Promise.all([1, 2, 3, 4].map(() => addSecret(first.clientId)));
  const working = await Promise.all(
    [first, ...added].map(async (one) => one !== undefined && (await verify(one)) !== undefined),
  );
  equal(working.filter((isWorking) => isWorking).length, 2);
  equal(working[0], false);
});

test('the database contains nothing that reveals a secret', async () => {
  const { clientId, clientSecret } = await createReseller(await insertAccount());
  const { rows } = await sql<{ text: string; mac: Buffer }>`
    SELECT concat(c.*, s.*) AS text, s.secret_mac AS mac
    FROM client c JOIN client_secret s ON s.client_id = c.id WHERE c.id = ${clientId}`.execute(database.db);
  equal(rows.length, 1);
  const random = Buffer.from(clientSecret.slice('kpsec_'.length), 'base64url');
  for (const { text, mac } of rows) {
    for (const form of [clientSecret, random.toString('hex')]) ok(!text.includes(form));
    ok(!mac.includes(random) && !mac.includes(clientSecret));
  }
});

test('ensuring a client again changes nothing, but a different secret is added beside the first', async () => {
  const accountId = await insertAccount();
  const kind = { role: 'reseller', accountId } as const;
  const clientId = `configured_${randomUUID()}`;
  const ensure = (clientSecret: string) =>
    runTransaction(database, {}, (tx) =>
      clients.ensure(tx, kind, { clientId, clientSecret, name: null, isSecretNeeded: true }),
    );
  deepEqual(await ensure('first-client-secret'), { hasChanged: true, isLive: true });
  deepEqual(await ensure('first-client-secret'), { hasChanged: false, isLive: true });
  deepEqual(await ensure('second-client-secret'), { hasChanged: true, isLive: true });
  ok(await verify({ clientId, clientSecret: 'first-client-secret' }));
  ok(await verify({ clientId, clientSecret: 'second-client-secret' }));
  await rejects(
    runTransaction(database, {}, (tx) =>
      clients.ensure(
        tx,
        { role: 'operator', accountId: null, operatorRole: 'viewer' },
        { clientId, clientSecret: 'third-client-secret', name: null, isSecretNeeded: true },
      ),
    ),
    /belongs to a different client/,
  );
});

test('the node that disabled a client rejects it immediately, and refreshing an unknown client does nothing', async () => {
  const client = await createReseller(await insertAccount());
  const node = createStates();
  await node.refreshClient(client.clientId);
  const state = await node.need(client.clientId, 1_000);
  await disable(client.clientId);
  await node.refreshClient(client.clientId);
  equal(state.isActive, false);
});

test('a client that does not exist is inactive', async () => {
  equal((await createStates().need('unknown', 1_000)).isActive, false);
});

test('concurrent first requests of a client share a read and its result', async () => {
  const client = await createReseller(await insertAccount());
  const node = createStates();
  const states = await Promise.all(Array.from({ length: 20 }, () => node.need(client.clientId, 1_000)));
  equal(new Set(states).size, 1);
  equal(states[0]?.isActive, true);
  equal(node.readCount(), 1);
});

test('one transaction reads all clients that are still needed', async () => {
  const accountId = await insertAccount();
  const node = createStates();
  for (let index = 0; index < 5; index += 1) {
    await node.need((await createReseller(accountId)).clientId, index < 4 ? 1_000 : 5_000);
  }
  const before = node.readCount();
  await node.tick();
  equal(node.readCount(), before + 1);
  node.nowMs = 5_001;
  await node.tick();
  equal(node.readCount(), before + 1);
});

test('the state of a client is refreshed until its last token has expired', async () => {
  const client = await createReseller(await insertAccount());
  const node = createStates();
  const state = await node.need(client.clientId, 1_000);
  equal(await node.need(client.clientId, 9_000), state);
  equal(await node.need(client.clientId, 2_000), state);
  await disable(client.clientId);
  node.nowMs = 8_999;
  await node.tick();
  equal(state.isActive, false);
});

test('a state stays unchanged while the database is unreachable, and is read again afterwards', async () => {
  const client = await createReseller(await insertAccount());
  const node = createStates();
  const state = await node.need(client.clientId, 1_000);
  await disable(client.clientId);
  node.isDatabaseUnreachable = true;
  await rejects(node.tick(), /unreachable/);
  equal(state.isActive, true);
  await rejects(node.need('not-seen-before', 1_000), /unreachable/);
  node.isDatabaseUnreachable = false;
  await node.tick();
  equal(state.isActive, false);
});

test('a slow earlier read does not reactivate a disabled client', async () => {
  const client = await createReseller(await insertAccount());
  const node = createStates();
  const state = await node.need(client.clientId, 1_000);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  node.delayNextRead = released;
  const slowTick = node.tick();
  await disable(client.clientId);
  await node.refreshClient(client.clientId);
  equal(state.isActive, false);
  await sql`UPDATE client SET disabled_at = NULL WHERE id = ${client.clientId}`.execute(database.db);
  release();
  await slowTick;
  equal(state.isActive, false);
});

async function verify(credentials: ClientCredentials) {
  return (await clients.verifySecret((id) => findClaimedClient(database.db, id), credentials))?.holder;
}

function createReseller(accountId: string): Promise<ClientCredentials> {
  return runTransaction(database, {}, (tx) => clients.create(tx, { role: 'reseller', accountId }, null));
}

function addSecret(clientId: string) {
  return runTransaction(database, {}, (tx) => clients.addSecret(tx, clientId));
}

function disable(clientId: string): Promise<void> {
  return runTransaction(database, {}, (tx) => clients.disable(tx, clientId));
}

async function insertAccount(): Promise<string> {
  const id = randomUUID();
  await sql`INSERT INTO account (id, name) VALUES (${id}, 'Account')`.execute(database.db);
  return id;
}

/** The client states of one node, with its clock and a connection that can fail or be slow. */
function createStates() {
  const node = { nowMs: 0, isDatabaseUnreachable: false, delayNextRead: Promise.resolve() };
  let readCount = 0;
  const connected: Database = {
    ...database,
    async connect() {
      if (node.isDatabaseUnreachable) throw new Error('the database is unreachable');
      readCount += 1;
      const delay = node.delayNextRead;
      node.delayNextRead = Promise.resolve();
      await delay;
      return database.connect();
    },
  };
  const states = createClientStates({
    database: connected,
    nowMs: () => node.nowMs,
    onError: (error) => {
      throw error;
    },
  });
  return Object.assign(node, states, { readCount: () => readCount });
}
