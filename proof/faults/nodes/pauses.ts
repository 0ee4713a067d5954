/** Processes hang, as under a debugger, a snapshot or a swap storm. R26. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcesses } from '../processes.ts';
import type { LoadFault } from '../under-load.ts';

const DATABASE_PAUSE_MS = 25_000;
const NODE_PAUSE_MS = 15_000;

export const pauseDatabase: LoadFault = {
  name: 'pause-database',
  promise:
    'all processes of PostgreSQL stopped for 25 s: every request gets a response in time, and orders continue immediately afterwards',
  count: 5,
  // The service must respond before its callers give up.
  load: { timeoutMs: 60_000 },
  isAnsweredInTime: true,
  async round({ rig }) {
    const processes = await findProcesses(rig.postgres.pid());
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    await sleep(DATABASE_PAUSE_MS);
    for (const pid of processes) process.kill(pid, 'SIGCONT');
    return undefined;
  },
};

export const pauseNode: LoadFault = {
  name: 'pause-node',
  promise:
    'a node stopped for 15 s: the other one continues selling, and no order is duplicated when the node continues',
  count: 5,
  load: { timeoutMs: 3_000 },
  async round({ rig, load, random }) {
    const [paused, other] = random.shuffled(rig.nodes);
    const pausedAt = performance.now();
    const pause = paused?.pause();
    await load.orderPlaced({ url: other?.url() });
    const otherSellsAfterMs = performance.now() - pausedAt;
    await sleep(NODE_PAUSE_MS - otherSellsAfterMs);
    pause?.go();
    return { otherSellsAfterMs };
  },
};
