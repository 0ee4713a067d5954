/** Each file that the documented `archive_command` reports as archived is complete and on disk. */
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { DatabaseWatch } from '../../src/db/engines/database-watch.ts';
import { migrateToLatest } from '../../src/db/migrations/migrate.ts';
import { archiveCommand } from '../support/archive-command.ts';
import { connectTo, type Owner, onEnd, testEngine } from '../support/database.ts';
import { startPostgres, UNPRIVILEGED_USER_ID } from '../support/postgres.ts';
import { skipBecause } from '../support/vitest.ts';

const skip = testEngine === 'embedded' && 'the embedded engine has no archive';
const DOCUMENTS = ['docs/daily-work.md', 'deploy/cluster/patroni.yml'];
const LOOK_INTERVAL_MS = 50;

for (const document of DOCUMENTS) {
  test(`${document}: a file is archived once, a retry does no harm, and no other file replaces it`, async (t) => {
    const { folder, archive } = await openFolder(t);
    const command = await archiveCommand(document, archive);
    const calls = join(folder, 'calls');
    for (const name of ['cp', 'sync', 'mv']) {
      const program = join(folder, 'bin', name);
      await writeFile(
        program,
        `#!/bin/sh\necho ${name} "$@" >> ${calls}\nPATH=/usr/bin:/bin exec ${name} "$@"\n`,
      );
      await chmod(program, 0o755);
    }
    const run = async (content: string) => {
      await rm(calls, { force: true });
      await writeFile(join(folder, 'segment'), content);
      const line = command.replaceAll('%p', join(folder, 'segment')).replaceAll('%f', 'A1');
      const { status } = spawnSync('sh', ['-c', line], {
        env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
      });
      const called = await readFile(calls, 'utf8').catch(() => '');
      const places = called.replaceAll(`${archive}/`, '').replaceAll(archive, '.').replaceAll(folder, '');
      return { status, calls: places.replaceAll('.node.part', '.part').split('\n').slice(0, -1) };
    };
    const isThere = async () => ({
      files: await readdir(archive),
      content: await readFile(join(archive, 'A1'), 'utf8').catch(() => undefined),
    });

    // A crash during a copy leaves a partial file.
    const part = command.includes('.node.part') ? 'A1.node.part' : 'A1.part';
    await writeFile(join(archive, part), 'ha');
    deepEqual(await run('half'), {
      status: 0,
      calls: ['cp /segment A1.part', 'sync A1.part', 'mv A1.part A1', 'sync A1 .'],
    });
    deepEqual(await isThere(), { files: ['A1'], content: 'half' });

    // If the server crashed before it recorded the file, the first call may not have reached its last sync.
    deepEqual(await run('half'), { status: 0, calls: ['sync A1 .'] });

    notEqual((await run('other')).status, 0);
    deepEqual(await isThere(), { files: ['A1'], content: 'half' });
  });
}

test('a server that crashed between archiving and recording a file continues archiving', async (t) => {
  skipBecause(t, skip);
  const { archive } = await openFolder(t);
  const server = await startPostgres({
    durable: true,
    settings: { archive_mode: 'on', archive_command: await archiveCommand('docs/daily-work.md', archive) },
  });
  onEnd(t, () => server.stop());
  const archived = await archiveOne(server.url);
  await server.end('SIGKILL');
  const status = join(server.dataFolder, 'pg_wal/archive_status', archived);
  await rename(`${status}.done`, `${status}.ready`);
  await server.start();

  await archiveOne(server.url);

  const admin = await connectTo(t, server.url);
  const { rows } = await admin.query('SELECT failed_count::int AS failed FROM pg_stat_archiver');
  equal(rows[0].failed, 0);
});

test('the metrics show a failing archive until it works again', async (t) => {
  skipBecause(t, skip);
  const { archive } = await openFolder(t);
  const server = await startPostgres({
    durable: true,
    settings: { archive_mode: 'on', archive_command: `test -e ${archive}/mounted` },
  });
  onEnd(t, () => server.stop());
  const database = await openDatabase({ url: server.url, dataDir: 'memory' });
  onEnd(t, () => database.close());
  await migrateToLatest(database);
  const watch = new DatabaseWatch({ database, log: pino({ level: 'silent' }) });
  const admin = await connectTo(t, server.url);
  const failsForSeconds = async () => {
    await watch.run();
    return watch.statistics?.archiveFailsForSeconds ?? 0;
  };
  equal(await failsForSeconds(), 0);

  await admin.query('SELECT pg_switch_wal()');
  while ((await failsForSeconds()) === 0) await sleep(LOOK_INTERVAL_MS);
  await writeFile(join(archive, 'mounted'), '');
  while ((await failsForSeconds()) > 0) await sleep(LOOK_INTERVAL_MS);
});

/** Ends the current segment, waits until the server has recorded it as archived, and returns its name. */
async function archiveOne(url: string): Promise<string> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query('SELECT pg_logical_emit_message(true, $1, $1)', ['keyport']);
    const { rows } = await admin.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    const [{ name = '' } = {}] = rows;
    for (;;) {
      const { rows: last } = await admin.query('SELECT last_archived_wal AS name FROM pg_stat_archiver');
      if ((last[0].name ?? '') >= name) return name;
      await sleep(LOOK_INTERVAL_MS);
    }
  } finally {
    await admin.end();
  }
}

async function openFolder(t: Owner): Promise<{ folder: string; archive: string }> {
  const folder = await mkdtemp('/tmp/keyport-archive-');
  onEnd(t, () => rm(folder, { recursive: true, force: true }));
  const archive = join(folder, 'wal');
  await mkdir(archive);
  await mkdir(join(folder, 'bin'));
  await chmod(folder, 0o755);
  // The server writes into the archive as an unprivileged user.
  if (process.getuid?.() === 0) await chown(archive, UNPRIVILEGED_USER_ID, UNPRIVILEGED_USER_ID);
  return { folder, archive };
}
