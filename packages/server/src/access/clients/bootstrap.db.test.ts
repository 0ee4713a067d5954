import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import type { Mode } from '../../config.ts';
import { sql } from '../../db/sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { ensureDemoClient, ensureOperator, type StartCredentials } from './bootstrap.ts';
import { findClaimedClient } from './clients.sql.ts';
import { createClients } from './clients.ts';
import { openCredentialsFile } from './credentials-file.ts';

const NOTHING = { clientId: undefined, clientSecret: undefined };

test('a sandbox generates its clients once and finds them again at every start', async (t) => {
  const site = await createSite(t);
  const operator = await site.ensureOperator();
  const demo = await site.ensureDemo();
  match(operator.clientId, /^operator_[0-9a-f]{24}$/);
  match(demo.clientSecret ?? '', /^kpsec_/);
  deepEqual([operator.isNew, demo.isNew], [true, true]);
  ok((await site.works(operator)) && (await site.works(demo)));
  deepEqual(await site.ensureOperator(), { ...operator, isNew: false });
  deepEqual(await site.ensureDemo(), { ...demo, isNew: false });
  equal(await site.countClients(), 2);
});

test('clients stored in a data folder are recreated in an empty database', async (t) => {
  const site = await createSite(t);
  const demo = await site.ensureDemo();
  const other = await createSite(t, site.dataDir);
  deepEqual(await other.ensureDemo(), demo);
  ok(await other.works(demo));
});

test('without a data folder, the operator secret is returned once, and each start replaces the demo secret', async (t) => {
  const site = await createSite(t, 'memory');
  const operator = await site.ensureOperator();
  ok(operator.isNew && (await site.works(operator)));
  deepEqual(await site.ensureOperator(), {
    clientId: operator.clientId,
    clientSecret: undefined,
    isNew: false,
  });
  ok(await site.works(operator));
  const demo = await site.ensureDemo();
  const again = await site.ensureDemo();
  equal(again.clientId, demo.clientId);
  notEqual(again.clientSecret, demo.clientSecret);
  ok((await site.works(demo)) && (await site.works(again)));
});

test('configured credentials are used unchanged and are not written to the data folder', async (t) => {
  const site = await createSite(t);
  const given = { clientId: 'ops', clientSecret: 'a-configured-secret' };
  deepEqual(await site.ensureOperator(given), { ...given, isNew: true });
  deepEqual(await site.ensureOperator(given), { ...given, isNew: false });
  ok(await site.works({ ...given, isNew: false }));
  equal(await site.file.find('operator'), undefined);
});

test('a new configured secret is added beside the previous one, and a third retires the first', async (t) => {
  const site = await createSite(t);
  const secrets = ['configured-secret-1', 'configured-secret-2', 'configured-secret-3'];
  for (const clientSecret of secrets) await site.ensureDemo({ clientId: 'demo', clientSecret });
  const works = await Promise.all(
    secrets.map((clientSecret) => site.works({ clientId: 'demo', clientSecret, isNew: false })),
  );
  deepEqual(works, [false, true, true]);
});

test('a configured secret is not added to an operator whose secret was replaced', async (t) => {
  const site = await createSite(t, 'memory');
  const first = await site.ensureOperator();
  for (const clientId of [undefined, first.clientId]) {
    const given = { clientId, clientSecret: 'a-configured-secret' };
    deepEqual(await site.ensureOperator(given), {
      clientId: first.clientId,
      clientSecret: undefined,
      isNew: false,
    });
    equal(
      await site.works({ clientId: first.clientId, clientSecret: given.clientSecret, isNew: false }),
      false,
    );
  }
  const given = { clientId: 'ops', clientSecret: 'another-configured-secret' };
  const ops = await site.ensureOperator(given);
  ok(ops.isNew && (await site.works(ops)));
  await site.replaceSecrets('ops');
  deepEqual(await site.ensureOperator(given), { clientId: 'ops', clientSecret: undefined, isNew: false });
  equal(await site.works(ops), false);
  ok(await site.works(first));
  deepEqual(site.ignored, [first.clientId, first.clientId, 'ops']);
});

test('a configured id without a secret gets a generated secret once', async (t) => {
  const site = await createSite(t, 'memory');
  await site.ensureOperator();
  const given = { clientId: 'ops', clientSecret: undefined };
  const made = await site.ensureOperator(given);
  ok(made.isNew && (await site.works(made)));
  deepEqual(await site.ensureOperator(given), { clientId: 'ops', clientSecret: undefined, isNew: false });
});

test('a retired secret does not become valid again at the next start', async (t) => {
  const site = await createSite(t);
  const operator = await site.ensureOperator();
  await site.replaceSecrets(operator.clientId);
  equal(await site.works(operator), false);
  deepEqual(await site.ensureOperator(), {
    clientId: operator.clientId,
    clientSecret: undefined,
    isNew: false,
  });
  equal(await site.works(operator), false);
});

test('a disabled client stays disabled', async (t) => {
  const site = await createSite(t);
  const demo = await site.ensureDemo();
  await site.disable(demo.clientId);
  deepEqual(await site.ensureDemo(), { clientId: demo.clientId, clientSecret: undefined, isNew: false });
  equal(await site.works(demo), false);
});

test('the start fails if a configured id belongs to another kind of client', async (t) => {
  const site = await createSite(t);
  const operator = await site.ensureOperator();
  await rejects(
    site.ensureDemo({ clientId: operator.clientId, clientSecret: undefined }),
    /belongs to a different client/,
  );
});

test('live mode returns a generated secret once and does not write it to a file', async (t) => {
  const site = await createSite(t, undefined, 'live');
  const operator = await site.ensureOperator();
  equal(operator.isNew, true);
  equal(await site.works(operator), true);
  equal(await site.file.find('operator'), undefined);
  deepEqual(await site.ensureOperator(), {
    clientId: operator.clientId,
    clientSecret: undefined,
    isNew: false,
  });
});

test('nodes that start concurrently create one operator, and only one node gets the secret', async (t) => {
  const site = await createSite(t, 'memory');
  const started = await Promise.all(Array.from({ length: 6 }, () => site.ensureOperator()));
  equal(new Set(started.map(({ clientId }) => clientId)).size, 1);
  equal(started.filter(({ clientSecret }) => clientSecret !== undefined).length, 1);
  equal(await site.countClients(), 1);
});

async function createSite(t: TestContext, dataDir?: string, mode: Mode = 'sandbox') {
  const database = await testDatabase(t);
  const folder = dataDir ?? (await folderFor(t));
  const clients = createClients(createSecretKey(randomBytes(32)));
  const file = openCredentialsFile({ mode, dataDir: folder });
  const ignored: string[] = [];
  const onSecretIgnored = (clientId: string) => void ignored.push(clientId);
  const deps = { database, clients, credentialsFile: file, onSecretIgnored };
  const accountId = randomUUID();
  await sql`INSERT INTO account (id, name) VALUES (${accountId}, 'Demo')`.execute(database.db);
  return {
    dataDir: folder,
    file,
    ignored,
    ensureOperator: (given: Parameters<typeof ensureOperator>[1] = NOTHING) => ensureOperator(deps, given),
    ensureDemo: (given: Parameters<typeof ensureOperator>[1] = NOTHING) =>
      ensureDemoClient(deps, { ...given, accountId }),
    async works({ clientId, clientSecret = '' }: StartCredentials): Promise<boolean> {
      return (
        (await clients.verifySecret((id) => findClaimedClient(database.db, id), {
          clientId,
          clientSecret,
        })) !== undefined
      );
    },
    replaceSecrets: (clientId: string) =>
      runTransaction(database, {}, async (tx) => {
        await clients.addSecret(tx, clientId);
        await clients.addSecret(tx, clientId);
      }),
    disable: (clientId: string) => runTransaction(database, {}, (tx) => clients.disable(tx, clientId)),
    async countClients(): Promise<number> {
      const { rows } = await sql<{ count: number }>`SELECT count(*) FROM client`.execute(database.db);
      return rows[0]?.count ?? 0;
    },
  };
}

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-bootstrap-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
