import { deepEqual, equal, fail, match, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, type TestContext, test } from 'vitest';
import { isConnectionLost } from '../errors.ts';
import { sql } from '../sql.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { DataFolderVersionError, ENGINE_VERSION, openEmbedded } from './embedded.ts';

const root = await mkdtemp(join(tmpdir(), 'keyport-embedded-'));
afterAll(() => rm(root, { recursive: true, force: true }));

/** Shared, because creating a database on disk takes seconds. */
const dataDir = join(root, 'data');

async function open(t: TestContext, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ url: undefined, dataDir, ...options });
  t.onTestFinished(() => database.close());
  return database;
}

test('the folder is created for its owner only, and its data survives closing and reopening', async (t) => {
  const first = await open(t);
  await sql`CREATE TABLE note (text text)`.execute(first.db);
  await sql`INSERT INTO note VALUES ('kept')`.execute(first.db);
  await first.close();

  const second = await open(t);

  deepEqual((await sql`SELECT text FROM note`.execute(second.db)).rows, [{ text: 'kept' }]);
  equal((await stat(dataDir)).mode & 0o777, 0o700);
});

test('opening a folder twice is rejected with the id of the process that holds the folder', async (t) => {
  await open(t);

  await rejects(openDatabase({ url: undefined, dataDir }), {
    name: 'DataFolderInUseError',
    message: new RegExp(`in use by process ${process.pid};`),
  });
});

test('a killed process leaves every committed row and a folder that opens', async (t) => {
  const program = `
    const { openDatabase } = await import(${JSON.stringify(new URL('./database.ts', import.meta.url).href)});
    const database = await openDatabase({ url: undefined, dataDir: ${JSON.stringify(dataDir)} });
    const client = await database.connect();
    await client.query('CREATE TABLE survivor (id int)');
    for (let id = 1; ; id += 1) {
      await client.query('INSERT INTO survivor VALUES ($1)', [id]);
      console.log(id);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.length > 300 && !child.killed) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const lastAcknowledged = Number(output.trim().split('\n').slice(0, -1).at(-1));

  const database = await open(t);
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*) FROM survivor WHERE id <= ${lastAcknowledged}`.execute(database.db);

  ok(lastAcknowledged > 10);
  deepEqual(rows, [{ count: lastAcknowledged }]);
});

test('a folder of a different version is rejected with a remedy and stays unchanged', async (t) => {
  const otherDir = join(root, 'other-version');
  const made = await open(t, { dataDir: otherDir });
  const { rows } = await sql`SELECT current_setting('server_version_num')::int / 10000 || '' AS postgres,
    catalog_version_no::int AS catalogue FROM pg_control_system()`.execute(made.db);
  deepEqual(rows, [ENGINE_VERSION], 'the version that the code expects');
  await made.close();
  const version = join(otherDir, 'database/PG_VERSION');
  const control = join(otherDir, 'database/global/pg_control');
  const bytes = await readFile(control);
  const otherCatalogue = Buffer.from(bytes);
  otherCatalogue.writeUInt32LE(202_406_281, 12);

  for (const [content, controlBytes, says] of [
    [
      '17\n',
      bytes,
      /made with version 17 \(.*this version of Keyport has 18 .*Nothing was changed: start the version/,
    ],
    ['18\n', otherCatalogue, /made with version 18 \(202406281\)/],
  ] as const) {
    await writeFile(version, content);
    await writeFile(control, controlBytes);
    const error: unknown = await openDatabase({ url: undefined, dataDir: otherDir }).catch(
      (thrown: unknown) => thrown,
    );
    ok(error instanceof DataFolderVersionError);
    match(error.message, says);
    deepEqual(await readFile(control), controlBytes);
  }
  await writeFile(version, '18\n');
  await writeFile(control, bytes);
  await open(t, { dataDir: otherDir });
});

test.each<[name: string, damage: (folder: string) => Promise<unknown>, says: RegExp]>([
  ['a log that was cut', (folder) => truncate(join(folder, SEGMENT), 8_388_608), /write-ahead log was cut/],
  ['an empty log', (folder) => truncate(join(folder, SEGMENT), 0), /write-ahead log was cut/],
  ['no log', (folder) => rm(join(folder, SEGMENT)), /write-ahead log is missing/],
  ['no control file', (folder) => rm(join(folder, 'database/global/pg_control')), /pg_control is missing/],
  [
    'a cut control file',
    (folder) => truncate(join(folder, 'database/global/pg_control'), 9),
    /pg_control was cut/,
  ],
  ['no PG_VERSION', (folder) => rm(join(folder, 'database/PG_VERSION')), /PG_VERSION is missing/],
  ['an empty PG_VERSION', (folder) => truncate(join(folder, 'database/PG_VERSION')), /PG_VERSION is empty/],
  ['no tables', (folder) => rm(join(folder, 'database/base'), { recursive: true }), /base is missing/],
  ['a file as database', (folder) => replace(join(folder, 'database'), 'file'), /database is not a folder/],
  ['a folder as lock', (folder) => replace(join(folder, 'lock'), 'folder'), /lock is not a file/],
  [
    'a lock of another kind',
    (folder) => writeFile(join(folder, 'lock'), 'x'.repeat(5000)),
    /lock cannot be locked/,
  ],
  ['a folder as pid', (folder) => replace(join(folder, 'pid'), 'folder'), /EISDIR/],
  ['a file as data folder', (folder) => replace(folder, 'file'), /EEXIST|ENOTDIR/],
])('a data folder with %s is rejected with a remedy, and nothing is changed', async (_name, damage, says) => {
  const original = join(root, 'to-damage');
  if (!existsSync(original)) await (await openEmbedded({ dataDir: original, onFailure: fail })).close();
  const folder = join(await mkdtemp(join(root, 'damaged-')), 'data');
  await cp(original, folder, { recursive: true });
  await damage(folder);
  const before = await filesIn(folder);

  await rejects(openEmbedded({ dataDir: folder, onFailure: fail }), (error: unknown) => {
    ok(error instanceof Error && error.name === 'DataFolderError', String(error));
    match(error.message, says);
    match(error.message, /Nothing was changed: .* KEYPORT_DATA_DIR/);
    return true;
  });
  deepEqual(await filesIn(folder), before);
});

const SEGMENT = 'database/pg_wal/000000010000000000000001';

async function replace(path: string, kind: 'file' | 'folder'): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await (kind === 'file' ? writeFile(path, 'x') : mkdir(path));
}

/** Every file's size and time of change, except of the lock, which each start takes. */
async function filesIn(folder: string): Promise<readonly string[]> {
  if (!(await stat(folder)).isDirectory()) return [];
  const paths = (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith('lock'));
  const facts = paths.map(async (path) => {
    const { size, mtimeMs } = await stat(join(folder, path));
    return `${path} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(facts)).toSorted();
}

test('a dump opens as the same database', async (t) => {
  const first = await open(t, { dataDir: 'memory' });
  await sql`CREATE TABLE note AS SELECT 'kept' AS text`.execute(first.db);
  const dumpFile = join(root, 'dump');

  await writeFile(dumpFile, await first.dump());

  const second = await open(t, { dataDir: 'memory', initialDumpFile: dumpFile });

  deepEqual((await sql`SELECT text FROM note`.execute(second.db)).rows, [{ text: 'kept' }]);
});

test('a new folder is a copy of the image, or empty if there is none', async (t) => {
  const first = await open(t, { dataDir: join(root, 'original') });
  await sql`CREATE TABLE note AS SELECT 'kept' AS text`.execute(first.db);
  await first.close();

  const imageFolder = join(root, 'original', 'database');
  const openFrom = (folder: string, image: string) => {
    const settings = { dataDir: join(root, folder), imageFolder: image, onFailure: fail };
    return open(t, { engine: openEmbedded(settings) });
  };
  const copy = await openFrom('copy', imageFolder);
  deepEqual((await sql`SELECT text FROM note`.execute(copy.db)).rows, [{ text: 'kept' }]);

  const made = await openFrom('made', join(root, 'missing'));
  deepEqual((await sql`SELECT to_regclass('note') AS note`.execute(made.db)).rows, [{ note: null }]);
});

test('a long query leaves the event loop free', async (t) => {
  const database = await open(t, { dataDir: 'memory' });
  await sql`SELECT 1`.execute(database.db);
  let tickCount = 0;
  const ticker = setInterval(() => {
    tickCount += 1;
  }, 5);

  await sql`SELECT pg_sleep(0.3)`.execute(database.db);
  clearInterval(ticker);

  // 60 ticks on an idle machine; at most 1 if the query blocked the loop.
  ok(tickCount > 5, `${tickCount} ticks`);
});

test('a crash of the engine is reported, and fails current, waiting and later queries', async (t) => {
  const failed = Promise.withResolvers<Error>();
  const database = await open(t, { dataDir: 'memory', onFailure: failed.resolve });
  await sql`CREATE FUNCTION endless(n int) RETURNS int LANGUAGE plpgsql AS
    'BEGIN RETURN endless(n + 1); END'`.execute(database.db);
  await sql`SET max_stack_depth = '6MB'`.execute(database.db).catch(() => {});

  const crashing = sql`SELECT endless(1)`.execute(database.db);
  const waiting = sql`SELECT 1`.execute(database.db);

  await rejects(crashing, isConnectionLost);
  await rejects(waiting, isConnectionLost);
  await rejects(sql`SELECT 1`.execute(database.db), isConnectionLost);
  match((await failed.promise).message, /embedded database has stopped/);
});
