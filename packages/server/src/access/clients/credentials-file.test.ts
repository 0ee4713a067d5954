import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { openCredentialsFile } from './credentials-file.ts';

const OPERATOR = { clientId: 'operator_1', clientSecret: 'kpsec_operator' };
const DEMO = { clientId: 'reseller_1', clientSecret: 'kpsec_demo' };

test('the next start finds the credentials of a sandbox in a file that only its user can read', async (t) => {
  const dataDir = join(await folderFor(t), 'data');
  const file = openCredentialsFile({ mode: 'sandbox', dataDir });
  equal(await file.find('operator'), undefined);
  await file.save('operator', OPERATOR);
  await file.save('demo', DEMO);
  const again = openCredentialsFile({ mode: 'sandbox', dataDir });
  deepEqual(await again.find('operator'), OPERATOR);
  deepEqual(await again.find('demo'), DEMO);
  equal((await stat(join(dataDir, 'credentials.json'))).mode & 0o777, 0o600);
  deepEqual(await readdir(dataDir), ['credentials.json']);
});

test('live mode and a sandbox in memory write no credentials', async (t) => {
  const dataDir = await folderFor(t);
  for (const config of [
    { mode: 'live', dataDir } as const,
    { mode: 'sandbox', dataDir: 'memory' } as const,
  ]) {
    const file = openCredentialsFile(config);
    await file.save('demo', DEMO);
    equal(await file.find('demo'), undefined);
  }
  deepEqual(await readdir(dataDir), []);
  await rejects(stat('memory'));
});

test('a file damaged by an edit counts as empty and is replaced', async (t) => {
  const dataDir = await folderFor(t);
  for (const text of ['', '{', 'null', '{"demo":null}', '{"demo":{"clientId":5,"clientSecret":"x"}}']) {
    await writeFile(join(dataDir, 'credentials.json'), text);
    equal(await openCredentialsFile({ mode: 'sandbox', dataDir }).find('demo'), undefined);
  }
  await openCredentialsFile({ mode: 'sandbox', dataDir }).save('demo', DEMO);
  deepEqual(await openCredentialsFile({ mode: 'sandbox', dataDir }).find('demo'), DEMO);
});

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-credentials-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
