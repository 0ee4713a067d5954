import { deepEqual, equal, match, notDeepEqual, ok, rejects } from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { testMasterKeys } from '../../test/support/master-keys.ts';
import { beginChain, checkChain } from '../audit/chain.ts';
import type { Database } from '../db/engines/database.ts';
import { sql } from '../db/sql.ts';
import { insertServiceSecrets, listServiceSecrets } from './secrets.sql.ts';
import { findAuditMac, loadServiceSecrets, MissingSecretError, WrongMasterKeyError } from './secrets.ts';

test('nodes that start concurrently on an empty database share secrets and keep them', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const loaded = await Promise.all(
    Array.from({ length: 8 }, () => loadServiceSecrets(database, masterKeys, beginChain)),
  );
  const later = await loadServiceSecrets(database, masterKeys, beginChain);
  for (const secrets of loaded) {
    deepEqual(secrets.codeMac.export(), later.codeMac.export());
    deepEqual(secrets.clientSecretMac.export(), later.clientSecretMac.export());
  }
  notDeepEqual(later.codeMac.export(), later.clientSecretMac.export());
  equal((await listServiceSecrets(database.db)).length, 3);
  equal(
    (await checkChain(database, later.auditMac)).broken,
    0,
    'the chain was started once, with the stored key',
  );
});

test('a start with another master key is rejected and changes nothing', async (t) => {
  const database = await testDatabase(t);
  await loadServiceSecrets(database, testMasterKeys(), beginChain);
  const before = await listServiceSecrets(database.db);
  await rejects(loadServiceSecrets(database, testMasterKeys(), beginChain), (error: unknown) => {
    ok(error instanceof WrongMasterKeyError);
    ok(error.message.startsWith('the master key does not open this database'));
    return true;
  });
  deepEqual(await listServiceSecrets(database.db), before);
});

test('a swapped secret is rejected', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const other = await testDatabase(t);
  await loadServiceSecrets(database, masterKeys, beginChain);
  const rows = await listServiceSecrets(database.db);
  const names = rows.map(({ name }) => name);
  const swapped = rows.map((row, index) => ({ ...row, name: names.at(index - 1) ?? '' }));
  await insertServiceSecrets(other.db, swapped);
  await rejects(loadServiceSecrets(other, masterKeys, beginChain), WrongMasterKeyError);
});

for (const name of ['code-mac', 'client-secret-mac', 'audit-mac']) {
  test(`the secret ${name} is not recreated when its row is missing`, async (t) => {
    const { database, masterKeys } = await setUp(t);
    await sql`DELETE FROM service_secret WHERE name = ${name}`.execute(database.db);
    const left = await listServiceSecrets(database.db);
    await rejects(loadServiceSecrets(database, masterKeys, beginChain), (error: unknown) => {
      ok(error instanceof MissingSecretError);
      match(error.message, new RegExp(`service_secret.* ${name} .*Restore .* backup`, 's'));
      return true;
    });
    deepEqual(await listServiceSecrets(database.db), left);
  });
}

const IN_USE: [what: string, write: (database: Database) => Promise<unknown>][] = [
  ['an account', ({ db }) => sql`INSERT INTO account (id, name) VALUES (gen_random_uuid(), 'A')`.execute(db)],
  [
    'a client',
    ({ db }) =>
      sql`INSERT INTO client (id, role, operator_role) VALUES ('operator_1', 'operator', 'admin')`.execute(
        db,
      ),
  ],
  [
    'an audit entry',
    ({ db }) => sql`INSERT INTO audit_entry (client_id, action, data) VALUES ('c', 'a', '{}')`.execute(db),
  ],
  [
    'a data key',
    ({ db }) => sql`INSERT INTO data_key (wrapped, master_key_id) VALUES ('x', 'k')`.execute(db),
  ],
];
for (const [what, write] of IN_USE) {
  test(`a database that has ${what} but no secrets gets no new secrets`, async (t) => {
    const { database, masterKeys } = await setUp(t);
    await sql`DELETE FROM service_secret`.execute(database.db);
    await sql`DELETE FROM audit_head`.execute(database.db);
    await write(database);
    await rejects(loadServiceSecrets(database, masterKeys, beginChain), MissingSecretError);
    equal((await listServiceSecrets(database.db)).length, 0);
  });
}

test('a check of the audit chain reports a missing key, unless there never was one', async (t) => {
  const { database, masterKeys } = await setUp(t);
  ok((await findAuditMac(database, masterKeys)) !== undefined);
  await sql`DELETE FROM service_secret WHERE name = 'audit-mac'`.execute(database.db);
  await rejects(findAuditMac(database, masterKeys), MissingSecretError);
  equal(await findAuditMac(await testDatabase(t), masterKeys), undefined);
});

async function setUp(t: TestContext) {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  await loadServiceSecrets(database, masterKeys, beginChain);
  return { database, masterKeys };
}
