/** R27. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../../../packages/server/test/support/postgres.ts';
import type { Load } from '../../load/load.ts';
import { call } from '../../load/operator.ts';
import type { Run, Scenario } from '../scenario.ts';
import { runUnderLoad } from '../under-load.ts';
import { openAdmin } from './admin-session.ts';
import { mountSmallDisk, type SmallDisk, smallDiskObstacle } from './small-disk.ts';

/** Room for four log files of 16 MiB each. */
const LOG_DISK_MIB = 64;
/** An empty installation takes 50 MiB, and a thousand orders some more. */
const DATA_DISK_MIB = 250;
const FULL_FOR_MS = 3_000;
const LOOK_INTERVAL_MS = 50;
const FAILING_WITHIN_MS = 60_000;

export const logDiskFull: Scenario = {
  name: 'log-disk-full',
  promise:
    "the disk of PostgreSQL's log full: no order is acknowledged that is not durable, and orders continue once there is space",
  count: 5,
  obstacle: smallDiskObstacle,
  async run(run) {
    const { disk, postgres } = await startWithSmallLogDisk(run);
    return runUnderLoad(run, {
      rig: { postgres },
      async round({ rig, load }) {
        await fillLogDisk(disk, rig.postgres.url);
        await untilOrdersFail(load);
        await sleep(FULL_FOR_MS);
        await makeRoom(disk, rig.postgres);
        return undefined;
      },
    });
  },
};

export const dataDiskFull: Scenario = {
  name: 'data-disk-full',
  promise:
    'the disk of the data full: orders fail, reads continue, and orders succeed as soon as there is space',
  count: 5,
  obstacle: smallDiskObstacle,
  async run(run) {
    const disk = await mountSmallDisk(run.owner, DATA_DISK_MIB);
    const postgres = await startPostgres({ durable: true, dataFolder: `${disk.folder}/data` });
    return runUnderLoad(run, {
      rig: { postgres },
      async round({ rig, load }) {
        await disk.fill();
        await untilOrdersFail(load);
        for (const url of rig.urls()) {
          const token = rig.shop.buyers[0]?.token;
          for (const path of ['/export/v1/product-offers', '/export/v1/account'])
            assert.equal((await call(url, { path, token })).status, 200, `${path} still works`);
        }
        await disk.clear();
        return undefined;
      },
    });
  },
};

async function startWithSmallLogDisk({
  owner,
}: Run): Promise<{ readonly disk: SmallDisk; readonly postgres: PostgresServer }> {
  const disk = await mountSmallDisk(owner, LOG_DISK_MIB);
  const settings = { min_wal_size: '32MB', max_wal_size: '32MB' };
  const postgres = await startPostgres({ durable: true, settings, initdb: [`--waldir=${disk.folder}/wal`] });
  return { disk, postgres };
}

async function fillLogDisk(disk: SmallDisk, url: string): Promise<void> {
  await disk.fill();
  const admin = await openAdmin(url);
  try {
    for (;;) await admin.query("SELECT pg_logical_emit_message(false, 'fault', 'x'), pg_switch_wal()");
  } catch {
    // PostgreSQL has stopped itself.
  } finally {
    await admin.end().catch(() => {});
  }
}

/** Restarts PostgreSQL too: if its recovery runs out of space, it may hang forever. */
async function makeRoom(disk: SmallDisk, postgres: PostgresServer): Promise<void> {
  await disk.clear();
  await postgres.end('SIGQUIT');
  await postgres.start();
}

async function untilOrdersFail(load: Load): Promise<void> {
  const failures = () => (load.record.counts['POST 500'] ?? 0) + (load.record.counts['POST 503'] ?? 0);
  const [before, startedAt] = [failures(), performance.now()];
  while (failures() === before) {
    assert.ok(performance.now() - startedAt < FAILING_WITHIN_MS, 'orders fail on a full disk');
    await sleep(LOOK_INTERVAL_MS);
  }
}
