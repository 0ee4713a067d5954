import { deepEqual, equal, notDeepEqual, ok, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/support/database.ts';
import { testMasterKeys } from '../../test/support/master-keys.ts';
import { beginChain, checkChain } from '../audit/chain.ts';
import { insertServiceSecrets, listServiceSecrets } from './secrets.sql.ts';
import { loadServiceSecrets, WrongMasterKeyError } from './secrets.ts';

test('nodes that start at once on an empty database share one set of secrets, kept for later starts', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const loaded = await Promise.all(
    Array.from({ length: 8 }, () => loadServiceSecrets(database, masterKeys, beginChain)),
  );
  const later = await loadServiceSecrets(database, masterKeys, beginChain);
  for (const secrets of loaded) {
    deepEqual(secrets.codeMac.export(), later.codeMac.export());
    deepEqual(secrets.clientSecretMac.export(), later.clientSecretMac.export());
    deepEqual(secrets.orderId, later.orderId);
  }
  notDeepEqual(later.codeMac.export(), later.clientSecretMac.export());
  equal((await listServiceSecrets(database.kysely)).length, 4);
  equal(
    (await checkChain(database, later.auditMac)).broken,
    0,
    'the chain was begun once, with the key that stayed',
  );
});

test('a start with another master key is refused and changes nothing', async (t) => {
  const database = await testDatabase(t);
  await loadServiceSecrets(database, testMasterKeys(), beginChain);
  const before = await listServiceSecrets(database.kysely);
  await rejects(loadServiceSecrets(database, testMasterKeys(), beginChain), (error: unknown) => {
    ok(error instanceof WrongMasterKeyError);
    ok(error.message.startsWith('the master key does not open this database'));
    return true;
  });
  deepEqual(await listServiceSecrets(database.kysely), before);
});

test('a secret that was put in the place of another one is refused', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const other = await testDatabase(t);
  await loadServiceSecrets(database, masterKeys, beginChain);
  const rows = await listServiceSecrets(database.kysely);
  const names = rows.map(({ name }) => name);
  const swapped = rows.map((row, index) => ({ ...row, name: names.at(index - 1) ?? '' }));
  await insertServiceSecrets(other.kysely, swapped);
  await rejects(loadServiceSecrets(other, masterKeys, beginChain), WrongMasterKeyError);
});
