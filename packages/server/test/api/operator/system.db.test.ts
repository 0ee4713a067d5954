import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { describeConfig, parseConfig } from '../../../src/config.ts';
import { MIGRATIONS } from '../../../src/db/migrations/migrate.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

const get = (path: string) => h.admin('GET', path);

test('the system shows its version, mode, database, nodes and master keys', async () => {
  const { status, body } = await get('/system');
  equal(status, 200);
  const { version, mode, publicUrl, database, nodes, masterKeys, lastVerification } = body.data;
  match(version, /^\d+\.\d+\.\d+/);
  deepEqual([mode, publicUrl, database.kind], ['sandbox', h.url, h.database.kind]);
  match(database.version, /^\d+(\.\d+)+$/);
  deepEqual(database.migrations, Object.keys(MIGRATIONS).toSorted());
  equal(nodes.length, 1);
  equal(nodes[0].version, version);
  ok(nodes[0].startedAt <= nodes[0].seenAt);
  deepEqual(
    masterKeys.keys.map(({ isInFile, isCurrent }: Record<string, boolean>) => [isInFile, isCurrent]),
    [[true, true]],
  );
  equal(lastVerification, null);
});

test('the system shows every setting with its source, and no secret', async () => {
  const settings: { name: string; value: string | null; source: string; isSecret: boolean }[] = (
    await get('/system')
  ).body.data.settings;
  const described = describeConfig(parseConfig({}));
  deepEqual(
    settings.map(({ name, isSecret }) => [name, isSecret]),
    described.map(({ variable, isSecret }) => [variable, isSecret]),
  );
  for (const { name, value, isSecret } of settings) ok(!isSecret || value === null, name);
  const find = (name: string) => settings.find((setting) => setting.name === name);
  deepEqual(
    [find('KEYPORT_OPERATOR_SECRET')?.source, find('KEYPORT_DATABASE_URL')?.source],
    ['environment', 'default'],
  );
  deepEqual(
    [find('KEYPORT_OPERATOR_ID')?.value, find('KEYPORT_OPERATOR_ID')?.source],
    ['test-operator', 'environment'],
  );
  deepEqual(
    [find('KEYPORT_KEYS_WINDOW_HOURS')?.value, find('KEYPORT_KEYS_WINDOW_HOURS')?.source],
    ['48', 'default'],
  );
});

test('the system shows how far behind its parts are', async () => {
  const { lag } = (await get('/system')).body.data;
  for (const name of ['catalogueSeconds', 'eventsSeconds', 'webhooksSeconds', 'auditSeconds'])
    ok(lag[name] >= 0 && lag[name] < 600, `${name}: ${lag[name]}`);
});

test('the audit log is complete, and an invented anchor is reported as missing', async () => {
  const whole = await get('/audit/verify');
  deepEqual([whole.status, whole.body.data.broken, whole.body.data.examples], [200, 0, []]);
  const missed = await get(`/audit/verify?anchor=1:${'0'.repeat(64)}`);
  equal(missed.body.data.broken, 1);
  match(missed.body.data.examples[0], /no longer has the anchor's hash at position 1/);
});
