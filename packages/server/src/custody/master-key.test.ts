import { deepEqual, equal, notDeepEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadMasterKey, MasterKeyError } from './master-key.ts';

test('a configured file with 32 bytes in base64 is the key, in either mode', async (t) => {
  const file = join(await folderFor(t), 'key');
  const bytes = randomBytes(32);
  await writeFile(file, `${bytes.toString('base64')}\n`);
  for (const mode of ['sandbox', 'live'] as const) {
    const key = await loadMasterKey({ masterKeyFile: file, dataDir: 'memory', mode });
    ok(key.export().equals(bytes));
  }
});

test('a sandbox makes its key once, readable by its user only, and finds it again', async (t) => {
  const dataDir = join(await folderFor(t), 'data');
  const first = await loadMasterKey({ masterKeyFile: undefined, dataDir, mode: 'sandbox' });
  const second = await loadMasterKey({ masterKeyFile: undefined, dataDir, mode: 'sandbox' });
  deepEqual(first.export(), second.export());
  equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600);
  deepEqual(await readdir(dataDir), ['master.key']);
});

test('starts at the same moment end up with the same key and leave nothing behind', async (t) => {
  const dataDir = join(await folderFor(t), 'data');
  const keys = await Promise.all(
    Array.from({ length: 20 }, () => loadMasterKey({ masterKeyFile: undefined, dataDir, mode: 'sandbox' })),
  );
  equal(new Set(keys.map((key) => key.export().toString('hex'))).size, 1);
  deepEqual(await readdir(dataDir), ['master.key']);
});

test('a sandbox in memory has a key of its own each time', async () => {
  const config = { masterKeyFile: undefined, dataDir: 'memory', mode: 'sandbox' } as const;
  notDeepEqual((await loadMasterKey(config)).export(), (await loadMasterKey(config)).export());
});

test('live mode without a key file is refused with what to do', async (t) => {
  const dataDir = await folderFor(t);
  await rejects(loadMasterKey({ masterKeyFile: undefined, dataDir, mode: 'live' }), (error: unknown) => {
    ok(error instanceof MasterKeyError);
    ok(
      error.message.includes('KEYPORT_MASTER_KEY_FILE') && error.message.includes('openssl rand -base64 32'),
    );
    return true;
  });
  deepEqual(await readdir(dataDir), []);
});

test('a configured file that is missing is refused and not made', async (t) => {
  const file = join(await folderFor(t), 'key');
  await rejects(loadMasterKey({ masterKeyFile: file, dataDir: 'memory', mode: 'sandbox' }), MasterKeyError);
  await rejects(stat(file));
});

test('a key of any other length or alphabet is refused, without its text in the message', async (t) => {
  const file = join(await folderFor(t), 'key');
  const wrong = [
    '',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    randomBytes(32).toString('hex'),
    `${randomBytes(31).toString('base64')}!!`,
    `${randomBytes(32).toString('base64')} ${randomBytes(1).toString('base64')}`,
  ];
  for (const text of wrong) {
    await writeFile(file, text);
    await rejects(
      loadMasterKey({ masterKeyFile: file, dataDir: 'memory', mode: 'live' }),
      (error: unknown) => {
        ok(error instanceof MasterKeyError && (text === '' || !error.message.includes(text)), text);
        return true;
      },
    );
  }
});

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-master-key-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
