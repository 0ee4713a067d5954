import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import {
  addMasterKey,
  loadMasterKeys,
  MasterKeyError,
  protectDataFolder,
  readMasterKeys,
  removeMasterKey,
  toMasterKey,
} from './master-key-file.ts';

test('the key is read from a configured file with 32 bytes in base64, in either mode', async (t) => {
  const file = join(await folderFor(t), 'key');
  const bytes = randomBytes(32);
  await writeFile(file, `${bytes.toString('base64')}\n`);
  for (const mode of ['sandbox', 'live'] as const) {
    const [key] = await loadMasterKeys({ masterKeyFile: file, dataDir: 'memory', mode });
    ok(key?.key.export().equals(bytes));
  }
});

test('a sandbox creates its key once, readable only by its user, and finds it again', async (t) => {
  const dataDir = join(await folderFor(t), 'data');
  const [first] = await loadMasterKeys({ masterKeyFile: undefined, dataDir, mode: 'sandbox' });
  const [second] = await loadMasterKeys({ masterKeyFile: undefined, dataDir, mode: 'sandbox' });
  deepEqual(first?.key.export(), second?.key.export());
  equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600);
  deepEqual(await readdir(dataDir), ['master.key']);
});

test('concurrent starts get the same key and leave no other file behind', async (t) => {
  const dataDir = join(await folderFor(t), 'data');
  const keys = await Promise.all(
    Array.from({ length: 20 }, () => loadMasterKeys({ masterKeyFile: undefined, dataDir, mode: 'sandbox' })),
  );
  equal(new Set(keys.flat().map(({ id }) => id)).size, 1);
  equal(keys.flat().length, keys.length);
  deepEqual(await readdir(dataDir), ['master.key']);
});

test('a sandbox in memory has a new key each time', async () => {
  const config = { masterKeyFile: undefined, dataDir: 'memory', mode: 'sandbox' } as const;
  const [[one], [other]] = [await loadMasterKeys(config), await loadMasterKeys(config)];
  notEqual(one?.id, other?.id);
});

test('a data folder that others can read is repaired with its secrets, and the log says so', async (t) => {
  const dataDir = await folderFor(t);
  await loadMasterKeys({ masterKeyFile: undefined, dataDir, mode: 'sandbox' });
  await chmod(dataDir, 0o755);
  await chmod(join(dataDir, 'master.key'), 0o644);
  const warnings: string[] = [];
  const protect = () => protectDataFolder({ mode: 'sandbox', dataDir }, (warning) => warnings.push(warning));
  await protect();
  await protect();
  const modes = [dataDir, join(dataDir, 'master.key')].map(async (path) => (await stat(path)).mode & 0o777);
  deepEqual(await Promise.all(modes), [0o700, 0o600]);
  equal(warnings.length, 2, warnings.join('\n'));
  ok(warnings.every((warning) => /\(mode 0(?:755|644)\); only this user can now/.test(warning)));
});

test('invisible characters around a key are ignored, and inside it are shown', async (t) => {
  const file = join(await folderFor(t), 'key');
  const key = randomBytes(32).toString('base64');
  await writeFile(file, `\ufeff\u00a0${key}\u200b\r\n`);
  equal((await readMasterKeys(file)).length, 1);
  await writeFile(file, `${key.slice(0, 5)}\u200b${key.slice(5)}`);
  await rejects(readMasterKeys(file), /contains U\+200B at position 6/);
});

test('the error for live mode without a key file names the remedy', async (t) => {
  const dataDir = await folderFor(t);
  await rejects(loadMasterKeys({ masterKeyFile: undefined, dataDir, mode: 'live' }), (error: unknown) => {
    ok(error instanceof MasterKeyError);
    ok(
      error.message.includes('KEYPORT_MASTER_KEY_FILE') && error.message.includes('openssl rand -base64 32'),
    );
    return true;
  });
  deepEqual(await readdir(dataDir), []);
});

test('a missing configured file is rejected and not created', async (t) => {
  const file = join(await folderFor(t), 'key');
  await rejects(loadMasterKeys({ masterKeyFile: file, dataDir: 'memory', mode: 'sandbox' }), MasterKeyError);
  await rejects(stat(file));
});

test('a key of another length or alphabet is rejected, and the message omits its text', async (t) => {
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
      loadMasterKeys({ masterKeyFile: file, dataDir: 'memory', mode: 'live' }),
      (error: unknown) => {
        ok(error instanceof MasterKeyError && (text === '' || !error.message.includes(text)), text);
        return true;
      },
    );
  }
});

test('a file may contain several keys, the newest last, with blank lines and any line endings', async (t) => {
  const file = join(await folderFor(t), 'key');
  const bytes = [1, 2, 3].map(() => randomBytes(32));
  await writeFile(file, bytes.map((key) => `\n${key.toString('base64')}\r\n`).join(''));
  const keys = await readMasterKeys(file);
  deepEqual(
    keys.map(({ id }) => id),
    bytes.map((key) => toMasterKey(key).id),
  );
  equal(new Set(keys.map(({ id }) => id)).size, 3);
});

test('rejects a duplicate key in the file, and too many keys', async (t) => {
  const file = join(await folderFor(t), 'key');
  const key = randomBytes(32).toString('base64');
  await writeFile(file, `${key}\n${key}\n`);
  await rejects(readMasterKeys(file), /has a duplicate key/);
  await writeFile(file, Array.from({ length: 17 }, () => randomBytes(32).toString('base64')).join('\n'));
  await rejects(readMasterKeys(file), MasterKeyError);
});

test('a key is added at the end and removed again, and the file keeps its permissions', async (t) => {
  const folder = await folderFor(t);
  const file = join(folder, 'key');
  await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o640 });
  const [old] = await readMasterKeys(file);
  const added = await addMasterKey(file);
  deepEqual(
    (await readMasterKeys(file)).map(({ id }) => id),
    [old?.id, added.id],
  );
  await removeMasterKey(file, old?.id ?? '');
  deepEqual(
    (await readMasterKeys(file)).map(({ id }) => id),
    [added.id],
  );
  equal((await stat(file)).mode & 0o777, 0o640);
  deepEqual(await readdir(folder), ['key']);
});

test('adds no more keys than can be read, and none to an unreadable file', async (t) => {
  const folder = await folderFor(t);
  const file = join(folder, 'key');
  await rejects(addMasterKey(file), MasterKeyError);
  await writeFile(file, Array.from({ length: 16 }, () => randomBytes(32).toString('base64')).join('\n'));
  await rejects(addMasterKey(file), /remove old ones first/);
  equal((await readMasterKeys(file)).length, 16);
});

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-master-key-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
