/**
 * Restores backups made under load: a base backup with its log to a random moment, and a dump. The commands
 * are those of docs/daily-work.md and docs/incidents.md. R29.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { openDatabase } from '../../../packages/server/src/db/engines/database.ts';
import { archiveCommand } from '../../../packages/server/test/support/archive-command.ts';
import { connectTo, type Owner, onEnd } from '../../../packages/server/test/support/database.ts';
import { listOrders, toAmounts } from '../../../packages/server/test/support/order-recorder.ts';
import { startPostgres, UNPRIVILEGED_USER_ID } from '../../../packages/server/test/support/postgres.ts';
import type { Load } from '../../load/load.ts';
import { call } from '../../load/operator.ts';
import { type SentOrder, toCodes } from '../../load/record.ts';
import { nodeProcess } from '../node-process.ts';
import { openRig, type Rig } from '../rig.ts';
import { type Run, randomDelayMs, type Scenario } from '../scenario.ts';

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keyport.js', import.meta.url));
const DEBIAN = '/usr/lib/postgresql';
const DELAY_MAX_MS = 3_000;
const LOOK_INTERVAL_MS = 50;
const READ_COUNT = 20;

const run = promisify(execFile);

/** PostgreSQL with tools that npm does not provide: the version under test, or Debian's newest. */
const programs = [process.env['KEYPORT_TEST_POSTGRES_BIN'] ?? '', ...debianFolders()].find((folder) =>
  existsSync(join(folder, 'pg_basebackup')),
);

export const restoreBackup: Scenario = {
  name: 'restore-backup',
  promise:
    'a base backup and its log, restored to random times under load: what was acknowledged before is stored, and all rules hold',
  count: 10,
  obstacle: () => (programs === undefined ? "PostgreSQL's own tools are not installed" : undefined),
  async run({ owner, count, seed, random, progress }: Run) {
    assert.ok(programs !== undefined);
    const folder = await openFolder(owner);
    const archive = join(folder, 'archive');
    const server = await startPostgres({
      durable: true,
      programs,
      settings: {
        archive_mode: 'on',
        archive_command: await archiveCommand('docs/daily-work.md', archive),
      },
    });
    const rig = await openRig({ owner, seed, postgres: server });
    const admin = await connectTo(owner, server.url);
    const load = rig.startLoad();
    await load.orderPlaced();

    await runTool('pg_basebackup', ['-d', server.url, '-D', join(folder, 'base'), '--checkpoint=fast']);
    const checkpoints: Checkpoint[] = [];
    for (let index = 0; index < count; index += 1) {
      await load.orderPlaced();
      await sleep(randomDelayMs(random, DELAY_MAX_MS));
      checkpoints.push(await takeCheckpoint(load, admin));
    }
    await load.orderPlaced();
    const dumped = await takeCheckpoint(load, admin);
    await runTool('pg_dump', ['-d', server.url, '-Fc', '-f', join(folder, 'dump')]);
    const audited = await rig.audit(load);
    await archiveAll(admin);

    let restoredOrders = 0;
    for (const [index, checkpoint] of checkpoints.entries()) {
      restoredOrders += await restoreTo(checkpoint, { rig, load, folder, owner });
      progress(`restored to ${checkpoint.time}, ${index + 1} of ${count}`);
    }
    await restoreDump(dumped, { rig, load, folder, owner });
    return { restores: count, restoredOrders, ...audited };
  },
};

/** The orders acknowledged at this time of the database's clock. */
type Checkpoint = { readonly time: string; readonly acknowledged: readonly SentOrder[] };

type Parts = { readonly rig: Rig; readonly load: Load; readonly folder: string; readonly owner: Owner };

async function takeCheckpoint(load: Load, admin: Client): Promise<Checkpoint> {
  const acknowledged = load.record.sent.filter(({ outcome }) => outcome?.kind === 'ordered');
  const { rows } = await admin.query<{ time: string }>('SELECT clock_timestamp()::text AS time');
  return { time: rows[0]?.time ?? '', acknowledged };
}

async function archiveAll(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
  const isArchived = async () => {
    const { rows: last } = await admin.query<{ name: string | null }>(
      'SELECT last_archived_wal AS name FROM pg_stat_archiver',
    );
    return (last[0]?.name ?? '') >= (rows[0]?.name ?? '');
  };
  while (!(await isArchived())) await sleep(LOOK_INTERVAL_MS);
}

async function restoreTo(checkpoint: Checkpoint, { rig, load, folder, owner }: Parts): Promise<number> {
  assert.ok(programs !== undefined);
  const works: (() => Promise<void>)[] = [];
  const its: Owner = { onTestFinished: (work) => void works.push(work) };
  onEnd(owner, () => endAll(works));
  const restored = await startPostgres({
    durable: true,
    programs,
    async fill(dataFolder) {
      await cp(join(folder, 'base'), dataFolder, { recursive: true });
      await writeFile(join(dataFolder, 'recovery.signal'), '');
      await appendFile(
        join(dataFolder, 'postgresql.auto.conf'),
        `restore_command = 'cp ${folder}/archive/%f %p'
recovery_target_time = '${checkpoint.time}'
recovery_target_action = 'promote'\n`,
      );
    },
  });
  onEnd(its, () => restored.stop());
  const admin = await connectTo(its, restored.url);
  const isRecovering = async () =>
    (await admin.query('SELECT pg_is_in_recovery() AS is')).rows[0].is === true;
  while (await isRecovering()) await sleep(LOOK_INTERVAL_MS);
  const count = await assertSound(restored.url, checkpoint, { rig, load, folder, owner: its });
  await endAll(works);
  return count;
}

async function restoreDump(checkpoint: Checkpoint, { rig, load, folder, owner }: Parts): Promise<void> {
  const admin = await connectTo(owner, rig.postgres.url);
  await admin.query("CREATE DATABASE restored ENCODING 'UTF8' TEMPLATE template0");
  const url = new URL(rig.postgres.url);
  url.pathname = '/restored';
  await runTool('pg_restore', ['-d', url.href, '--exit-on-error', join(folder, 'dump')]);
  await assertSound(url.href, checkpoint, { rig, load, folder, owner });
}

/** Does what an operator does after a restore, and looks for every order that resellers know. */
async function assertSound(databaseUrl: string, checkpoint: Checkpoint, parts: Parts): Promise<number> {
  const { rig, load, folder, owner } = parts;
  const environment = { ...rig.environment, KEYPORT_DATABASE_URL: databaseUrl };
  const node = nodeProcess(owner, { environment, log: { file: join(folder, 'restored-node.log') } });
  await node.start();
  const url = node.url() ?? '';
  const env = { ...environment, KEYPORT_URL: url };
  await run(process.execPath, [COMMAND, 'verify'], { env });
  await run(process.execPath, [COMMAND, 'catalogue', 'restart-feeds', '--reason', 'Restored'], { env });

  const database = await openDatabase({ url: databaseUrl, dataDir: 'memory' });
  onEnd(owner, () => database.close());
  const stored = await listOrders(
    database.db,
    rig.shop.accounts.map(({ id }) => id),
  );
  for (const { buyer, key, outcome } of checkpoint.acknowledged) {
    if (outcome?.kind !== 'ordered') continue;
    const expected = { account: buyer.account.id, key, ...outcome.order.amounts };
    assert.deepEqual(toAmounts(stored.get(outcome.order.id)), expected, `${key} before ${checkpoint.time}`);
  }
  const sent = new Set(load.record.sent.map(({ key }) => key));
  for (const { id, key } of stored.values()) assert.ok(sent.has(key), `${id} was never ordered`);
  for (const { buyer, outcome, codes } of checkpoint.acknowledged.slice(-READ_COUNT)) {
    if (outcome?.kind !== 'ordered') continue;
    const path = `/export/v1/orders/${outcome.order.id}/keys`;
    assert.deepEqual(toCodes(await call(url, { path, token: buyer.token })), codes);
  }
  return stored.size;
}

function runTool(name: string, args: readonly string[]) {
  return run(join(programs ?? '', name), args);
}

async function openFolder(owner: Owner): Promise<string> {
  const folder = await mkdtemp('/tmp/keyport-backup-');
  onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'archive'));
  if (process.getuid?.() === 0)
    await chown(join(folder, 'archive'), UNPRIVILEGED_USER_ID, UNPRIVILEGED_USER_ID);
  return folder;
}

function debianFolders(): string[] {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).toSorted((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(DEBIAN, version, 'bin'));
}

async function endAll(works: (() => Promise<void>)[]): Promise<void> {
  for (const work of works.splice(0).reverse()) await work();
}
