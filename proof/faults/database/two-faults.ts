import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseLink, openDatabaseLink } from '../../../packages/server/test/support/database-link.ts';
import { type PostgresServer, startPostgres } from '../../../packages/server/test/support/postgres.ts';
import type { Random } from '../../../packages/server/test/support/random.ts';
import type { Rig } from '../rig.ts';
import type { Run, Scenario } from '../scenario.ts';
import { runUnderLoad } from '../under-load.ts';
import { fillLogDisk, makeRoom, startWithSmallLogDisk } from './disk-full.ts';
import { type SmallDisk, smallDiskObstacle } from './small-disk.ts';

const HOUR_MS = 3_600_000;
const BETWEEN_MAX_MS = 300;
const TOGETHER_MAX_MS = 2_000;

type Place = {
  readonly rig: Rig;
  readonly random: Random;
  readonly link: DatabaseLink;
  /** Undefined if none can be mounted. */
  readonly disk: SmallDisk | undefined;
};

type Fault = { strike(place: Place): Promise<void>; mend(place: Place): Promise<void> };

/** Listed in the order of their repair: a node does not start without its database. */
const FAULTS: readonly Fault[] = [
  {
    async strike({ rig, disk }) {
      // A server that is gone has nothing to write.
      await disk?.fill();
      if (disk !== undefined) await fillLogDisk(disk, rig.postgres.url).catch(() => {});
    },
    async mend({ rig, disk }) {
      if (disk !== undefined) await makeRoom(disk, rig.postgres);
    },
  },
  {
    strike: ({ rig }) => rig.postgres.end('SIGKILL'),
    mend: ({ rig }) => rig.postgres.start(),
  },
  {
    strike: async ({ link }) => link.down(),
    mend: async ({ link }) => link.restore(),
  },
  {
    async strike({ rig, random }) {
      const offsetMs = random.pick([-HOUR_MS, HOUR_MS]);
      for (const node of rig.nodes) {
        if (node.url() !== undefined) node.command({ kind: 'step the clock', offsetMs });
      }
    },
    async mend({ rig }) {
      for (const node of rig.nodes) {
        if (node.url() !== undefined) node.command({ kind: 'step the clock', offsetMs: 0 });
      }
    },
  },
  {
    strike: async ({ rig, random }) => random.pick(rig.nodes).kill(),
    async mend({ rig }) {
      for (const node of rig.nodes) if (node.url() === undefined) await node.start();
    },
  },
];

const PAIRS = FAULTS.flatMap((one, index) => FAULTS.slice(index + 1).map((other) => [one, other] as const));

export const twoFaults: Scenario = {
  name: 'two-faults',
  promise:
    'any two of node kill, postmaster kill, cut connections, full disk and stepped clock: nothing acknowledged is lost or duplicated',
  count: PAIRS.length * 3,
  async run(run) {
    const { disk, postgres } = await startDatabase(run);
    const pairs = run.random.shuffled(PAIRS);
    const link = await openDatabaseLink(run.owner, postgres.url);
    return runUnderLoad(run, {
      rig: { postgres, databaseUrl: link.url },
      load: { mayTokensExpire: true },
      async round({ rig, random, round }) {
        const pair = pairs[round % pairs.length] ?? [];
        const place = { rig, random, link, disk };
        await Promise.all(
          random.shuffled(pair).map(async (fault, index) => {
            await sleep(index * BETWEEN_MAX_MS * random.unit());
            await fault.strike(place);
          }),
        );
        await sleep(TOGETHER_MAX_MS * random.unit());
        for (const fault of pair) await fault.mend(place);
        return undefined;
      },
    });
  },
};

async function startDatabase(
  run: Run,
): Promise<{ readonly disk: SmallDisk | undefined; readonly postgres: PostgresServer }> {
  if (smallDiskObstacle() === undefined) return startWithSmallLogDisk(run);
  return { disk: undefined, postgres: await startPostgres({ durable: true }) };
}
