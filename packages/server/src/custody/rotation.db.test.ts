import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { beginChain } from '../audit/chain.ts';
import type { Database } from '../db/engines/database.ts';
import { sql } from '../db/sql.ts';
import { runTransaction } from '../db/transaction.ts';
import { drawDataKeyId, insertDataKey, listDataKeys } from '../stock/product-keys.sql.ts';
import { NAME_OF, UnwrapError, wrap } from './envelope.ts';
import { type MasterKey, toMasterKey } from './master-key-file.ts';
import { countWrapped, findCurrentMasterKey, saveHolder } from './master-keys.sql.ts';
import { createMasterKeys, MasterKeyMissingError } from './master-keys.ts';
import {
  describeMasterKeys,
  HoldersMissKeyError,
  NotOpenedError,
  rejectRemoval,
  rotateMasterKey,
} from './rotation.ts';
import { loadServiceSecrets } from './secrets.ts';

const newKey = () => toMasterKey(randomBytes(32));

test('after a rotation every secret is unchanged and opens with the new key alone', async (t) => {
  const { database, old, dataKeys, secrets } = await installation(t, 250);
  const fresh = newKey();
  const seen: number[] = [];
  const result = await rotate(database, [old, fresh], { onProgress: (done) => seen.push(done) });
  deepEqual(result, { masterKeyId: fresh.id, wrapped: 253, checked: 253 });
  deepEqual(seen, [3, 3, 103, 203, 253, 253]);
  deepEqual([...(await countWrapped(database.db))], [[fresh.id, 253]]);
  const node = nodeWith(fresh);
  for (const stored of await listDataKeys(database.db, [...dataKeys.keys()])) {
    deepEqual(await node.unwrap(stored, NAME_OF.dataKey(stored.id)), dataKeys.get(stored.id));
  }
  deepEqual(
    (await loadServiceSecrets(database, node, beginChain)).codeMac.export(),
    secrets.codeMac.export(),
  );
  await rejects(loadServiceSecrets(database, nodeWith(old), beginChain), /does not open this database/);
});

test('values from before master keys had ids are rewrapped too', async (t) => {
  const { database, old, dataKeys } = await installation(t, 3);
  const fresh = newKey();
  for (const table of ['data_key', 'service_secret']) {
    await sql`UPDATE ${sql.identifier(table)} SET master_key_id = NULL`.execute(database.db);
  }
  await sql`UPDATE installation SET master_key_id = NULL`.execute(database.db);
  equal((await rotate(database, [old, fresh])).checked, 6);
  const [stored] = await listDataKeys(database.db, [...dataKeys.keys()]);
  ok(stored !== undefined);
  deepEqual(await nodeWith(fresh).unwrap(stored, NAME_OF.dataKey(stored.id)), dataKeys.get(stored.id));
});

test('a repeated rotation finishes an interrupted one, and another one does nothing', async (t) => {
  const { database, old } = await installation(t, 120);
  const fresh = newKey();
  // The third transaction is the first batch of data keys.
  let calls = 0;
  const broken = rotate(database, [old, fresh], {
    onProgress: () => {
      calls += 1;
      if (calls === 3) throw new Error('ended');
    },
  });
  await rejects(broken, /ended/);
  equal((await countWrapped(database.db)).get(old.id), 20);
  deepEqual(await rotate(database, [old, fresh]), { masterKeyId: fresh.id, wrapped: 20, checked: 123 });
  equal((await rotate(database, [old, fresh])).wrapped, 0);
  const { rows } = await sql<{ client_id: string; data: unknown }>`
    SELECT client_id, data FROM audit_entry WHERE action = 'master-key.rotate'`.execute(database.db);
  deepEqual(rows, [{ client_id: 'test', data: { from: old.id, to: fresh.id } }]);
});

test('nothing changes while a running node lacks the new key, and a stopped node does not count', async (t) => {
  const { database, old } = await installation(t, 1);
  const fresh = newKey();
  const [nodeId, goneId] = [randomUUID(), randomUUID()];
  await saveHolder(database.db, { id: nodeId, version: '0.1.0' }, [old.id]);
  await saveHolder(database.db, { id: goneId, version: '0.1.0' }, [old.id]);
  await sql`UPDATE master_key_holder SET seen_at = seen_at - interval '40 seconds' WHERE node_id = ${goneId}`.execute(
    database.db,
  );
  await rejects(rotate(database, [old, fresh]), (error: unknown) => {
    ok(
      error instanceof HoldersMissKeyError &&
        error.message.includes(nodeId) &&
        !error.message.includes(goneId),
    );
    return true;
  });
  equal(await findCurrentMasterKey(database.db), old.id);
  equal((await countWrapped(database.db)).get(fresh.id), undefined);
  const waited: string[][] = [];
  const onWait = (nodeIds: readonly string[]) => {
    waited.push([...nodeIds]);
    void saveHolder(database.db, { id: nodeId, version: '0.1.0' }, [old.id, fresh.id]);
  };
  await rotate(database, [old, fresh], { onWait, holderWaitMs: 60_000 });
  deepEqual(waited[0], [nodeId]);
});

test('after the switch a node wraps with the new key, or not at all without it', async (t) => {
  const { database, old } = await installation(t, 1);
  const fresh = newKey();
  await rotate(database, [old, fresh]);
  const wrapWith = (...keys: MasterKey[]) =>
    runTransaction(database, {}, (tx) => nodeWith(...keys).wrap(tx, randomBytes(32), 'a'));
  equal((await wrapWith(fresh, old)).masterKeyId, fresh.id);
  await rejects(wrapWith(old), MasterKeyMissingError);
});

test('a value that no given key opens ends the rotation, is named in the error, and stays unchanged', async (t) => {
  const { database, old } = await installation(t, 2);
  const [lost, fresh] = [newKey(), newKey()];
  await insertKey(database, { under: lost, masterKeyId: lost.id });
  await rejects(rotate(database, [old, fresh]), (error: unknown) => {
    ok(
      error instanceof NotOpenedError &&
        error.message.includes(lost.id) &&
        /data-key\/\d/.test(error.message),
    );
    return true;
  });
  await rotate(database, [lost, old, fresh]);
});

test('the final check finds a value that names the new key but is not wrapped under it', async (t) => {
  const { database, old } = await installation(t, 2);
  const [lost, fresh] = [newKey(), newKey()];
  await insertKey(database, { under: lost, masterKeyId: fresh.id });
  await rejects(rotate(database, [lost, old, fresh]), NotOpenedError);
});

test('a key added to the file later opens the values already wrapped under it', async () => {
  const [old, fresh] = [newKey(), newKey()];
  let reads = 0;
  const node = createMasterKeys([old], async () => {
    reads += 1;
    return [old, fresh];
  });
  const secret = randomBytes(32);
  const stored = { wrapped: wrap(fresh.key, secret, 'a'), masterKeyId: fresh.id };
  deepEqual(await node.unwrap(stored, 'a'), secret);
  deepEqual(await node.unwrap(stored, 'a'), secret);
  equal(reads, 1);
  await rejects(node.unwrap(stored, 'b'), UnwrapError);
  equal(reads, 1);
});

test('a key is removed from the file only when nothing can need it', async (t) => {
  const { database, old } = await installation(t, 1);
  const fresh = newKey();
  const rejection = async (id: string) =>
    rejectRemoval(await describeMasterKeys(database, [old, fresh]), id) ?? '';
  ok((await rejection(old.id)).includes('is the current one'));
  equal(await rejection(fresh.id), '');
  ok((await rejection('nonsense')).includes('no master key'));
  await rotate(database, [old, fresh]);
  equal(await rejection(old.id), '');
  ok((await rejection(fresh.id)).includes('is the current one'));
  await insertKey(database, { under: old, masterKeyId: null });
  ok((await rejection(old.id)).includes('rotate first'));
});

/** A database with secrets and this many data keys, all under one master key. */
async function installation(t: TestContext, dataKeyCount: number) {
  const database = await testDatabase(t);
  const old = newKey();
  const secrets = await loadServiceSecrets(database, nodeWith(old), beginChain);
  const dataKeys = new Map<number, Buffer>();
  for (let index = 0; index < dataKeyCount; index += 1) {
    const { id, bytes } = await insertKey(database, { under: old, masterKeyId: old.id });
    dataKeys.set(id, bytes);
  }
  return { database, old, secrets, dataKeys };
}

async function insertKey(database: Database, key: { under: MasterKey; masterKeyId: string | null }) {
  const bytes = randomBytes(32);
  return runTransaction(database, {}, async (tx) => {
    const id = await drawDataKeyId(tx);
    const wrapped = wrap(key.under.key, bytes, NAME_OF.dataKey(id));
    await insertDataKey(tx, { id, wrapped, masterKeyId: key.masterKeyId });
    return { id, bytes };
  });
}

function nodeWith(...keys: MasterKey[]) {
  return createMasterKeys(keys, async () => keys);
}

function rotate(
  database: Database,
  keys: readonly MasterKey[],
  more: Partial<Parameters<typeof rotateMasterKey>[0]> = {},
) {
  return rotateMasterKey({ database, keys, holderWaitMs: 0, actor: 'test', ...more });
}
