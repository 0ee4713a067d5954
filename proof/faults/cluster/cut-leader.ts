/**
 * The leading database node can no longer prove that it leads: it is cut off from etcd, or its Patroni is
 * killed or frozen. Two nodes never acknowledge writes concurrently. R28.
 */
import assert from 'node:assert/strict';
import { findLeader, startProgram } from '../../../deploy/cluster/cluster.ts';
import { spread } from '../scenario.ts';
import type { ClusterFault } from './cluster-fault.ts';
import {
  type ClusterRig,
  signalProgram,
  toGateway,
  toPatroni,
  waitUntil,
  wholeClusterLeader,
} from './cluster-rig.ts';
import { acknowledgedBeside, observeWrites } from './write-observer.ts';

const CUTS = [
  { what: 'etcd silent', program: toGateway, signal: 'SIGSTOP' },
  { what: 'etcd refuses', program: toGateway, signal: 'SIGKILL' },
  { what: 'Patroni killed', program: toPatroni, signal: 'SIGKILL' },
  { what: 'Patroni frozen', program: toPatroni, signal: 'SIGSTOP' },
] as const;

const BACK_WITHIN_MS = 30_000;

export const cutLeader: ClusterFault = {
  name: 'cut-leader',
  promise:
    'the leader cut off from etcd, or its Patroni killed or frozen, under load: another node takes over, the old leader acknowledges no more writes, and no acknowledged write is lost',
  count: 12,
  async injectFault(rig, { count, progress }) {
    const { cluster, load } = rig;
    const backAfterMs: number[] = [];
    let [writes, refused] = [0, 0];
    for (let round = 0; round < count; round += 1) {
      const leader = await wholeClusterLeader(cluster);
      const observer = await observeWrites(cluster);
      await load.orderPlaced();
      const { what, program, signal } = CUTS[round % CUTS.length] ?? CUTS[0];
      await signalProgram(cluster, program(leader), signal);
      const tookMs = await backElsewhere(rig, leader.name);
      backAfterMs.push(tookMs);
      if (signal === 'SIGSTOP') await signalProgram(cluster, program(leader), 'SIGCONT');
      else await startProgram(cluster, program(leader));
      await wholeClusterLeader(cluster);
      const lost = await observer.stop();
      assert.deepEqual(acknowledgedBeside(observer.acknowledged), [], `${what}: two nodes acknowledged`);
      assert.deepEqual(lost, [], `${what}: acknowledged writes are lost`);
      writes += observer.acknowledged.length;
      refused += observer.refusedCount;
      progress(`${round + 1}: ${what}: orders again after ${Math.round(tookMs)} ms`);
    }
    const times = spread(backAfterMs);
    assert.ok(times.max <= BACK_WITHIN_MS, `${times.max} ms without orders`);
    return { cuts: count, ordersAgainAfterMs: times, writesAcknowledged: writes, writesRefused: refused };
  },
};

/** Waits until an order is acknowledged while another node leads. */
async function backElsewhere({ cluster, load }: ClusterRig, oldLeader: string): Promise<number> {
  const startedAt = performance.now();
  await waitUntil('another node leads', async () => {
    const leader = await findLeader(cluster);
    return leader !== undefined && leader.name !== oldLeader;
  });
  await load.orderPlaced();
  return performance.now() - startedAt;
}
