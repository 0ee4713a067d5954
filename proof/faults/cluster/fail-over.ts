/** The leading database node is killed, or stepped down as planned, and a standby takes over. R28. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Cluster,
  type DatabaseNode,
  findLeader,
  listMembers,
  programPid,
  startProgram,
} from '../../../deploy/cluster/cluster.ts';
import { randomDelayMs, spread } from '../scenario.ts';
import type { ClusterFault } from './cluster-fault.ts';
import {
  killDatabaseNode,
  killPostmaster,
  signalProgram,
  startDatabaseNode,
  waitUntil,
  wholeClusterLeader,
} from './cluster-rig.ts';

const DELAY_MAX_MS = 3000;

/** The goal of deploy/cluster: ttl, election, promotion and HAProxy's checks. */
const BACK_WITHIN_MS = 30_000;
const SWITCH_WITHIN_MS = 5_000;

export const killLeader: ClusterFault = {
  name: 'kill-leader',
  promise:
    'the leading database node killed under load, Patroni and PostgreSQL: orders resume within 30 s, and none is lost or duplicated',
  count: 20,
  injectFault: endLeaderBy(killDatabaseNode),
};

export const crashLeader: ClusterFault = {
  name: 'crash-leader',
  promise:
    "the leader's PostgreSQL killed under load while its Patroni continues: orders resume within 30 s, and none is lost or duplicated",
  count: 20,
  injectFault: endLeaderBy(killPostmaster),
};

/** A second fault, which lasts until orders are placed again. */
type Second = {
  readonly what: string;
  begin(cluster: Cluster, leader: DatabaseNode): Promise<void>;
  /** Undefined if it repairs itself. */
  readonly end?: (cluster: Cluster) => Promise<void>;
};

const SECONDS: readonly Second[] = [
  killed('keyport1'),
  {
    what: 'keyport2 frozen',
    begin: (cluster) => signalProgram(cluster, 'keyport2', 'SIGSTOP'),
    end: (cluster) => signalProgram(cluster, 'keyport2', 'SIGCONT'),
  },
  killed('etcd1'),
  {
    // Only this node may take over; its Patroni restarts it.
    what: "the synchronous standby's PostgreSQL killed",
    async begin(cluster, leader) {
      const members = await listMembers(leader);
      const standby = members.find(({ role }) => role === 'sync_standby');
      const node = cluster.databases.find(({ name }) => name === standby?.name);
      assert.ok(node !== undefined, JSON.stringify(members));
      await killPostmaster(cluster, node);
    },
  },
  {
    what: 'every connection cut: HAProxy killed and started again',
    async begin(cluster) {
      await signalProgram(cluster, 'haproxy', 'SIGKILL');
      await waitUntil('HAProxy is gone', async () => (await programPid(cluster, 'haproxy')) === undefined);
      await startProgram(cluster, 'haproxy');
    },
  },
];

export const killLeaderAndAnother: ClusterFault = {
  name: 'kill-leader-and-another',
  promise:
    'the leading database node killed under load and with it, in turn, a Keyport node killed or frozen, a member of etcd, the PostgreSQL that is to take over, or HAProxy killed: orders resume within 30 s, and none is lost or duplicated',
  count: 2 * SECONDS.length,
  injectFault: endLeaderBy(killDatabaseNode, SECONDS),
};

export const switchOver: ClusterFault = {
  name: 'switch-over',
  promise:
    'the leader changed as planned under load: at most 5 s without an acknowledged order, and none is lost or duplicated',
  count: 10,
  async injectFault({ cluster, load }, { count, random, progress }) {
    const withoutOrdersMs: number[] = [];
    for (let round = 1; round <= count; round += 1) {
      const leader = await wholeClusterLeader(cluster);
      await load.orderPlaced();
      await sleep(randomDelayMs(random, DELAY_MAX_MS));
      const asked = fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`patroni:${cluster.passwords.rest}`)}` },
        body: JSON.stringify({ leader: leader.name }),
      });
      let longestMs = 0;
      const placeOrder = async () => {
        longestMs = Math.max(longestMs, await load.orderPlaced());
      };
      await waitUntil('another node leads', async () => {
        await placeOrder();
        const now = await findLeader(cluster);
        return now !== undefined && now.name !== leader.name;
      });
      await placeOrder();
      const response = await asked;
      assert.equal(response.status, 200, await response.text());
      withoutOrdersMs.push(longestMs);
      progress(`${round} switch-overs, ${Math.round(longestMs)} ms without orders`);
    }
    const times = spread(withoutOrdersMs);
    assert.ok(times.max <= SWITCH_WITHIN_MS, `${times.max} ms without orders`);
    return { switchOvers: count, withoutOrdersMs: times };
  },
};

function killed(program: string): Second {
  return {
    what: `${program} killed`,
    begin: (cluster) => signalProgram(cluster, program, 'SIGKILL'),
    end: (cluster) => startProgram(cluster, program),
  };
}

function endLeaderBy(
  kill: typeof killDatabaseNode,
  seconds: readonly Second[] = [],
): ClusterFault['injectFault'] {
  return async ({ cluster, load }, { count, random, progress }) => {
    const backAfterMs: number[] = [];
    let changeCount = 0;
    for (let round = 1; round <= count; round += 1) {
      const leader = await wholeClusterLeader(cluster);
      await load.orderPlaced();
      await sleep(randomDelayMs(random, DELAY_MAX_MS));
      const second = seconds[(round - 1) % seconds.length];
      // This comes before the kill, because it may need to query the leader.
      await second?.begin(cluster, leader);
      await kill(cluster, leader);
      const tookMs = await load.orderPlaced();
      backAfterMs.push(tookMs);
      if ((await findLeader(cluster))?.name !== leader.name) changeCount += 1;
      const also = second === undefined ? '' : ` (also: ${second.what})`;
      progress(
        `${round} kills${also}, orders again after ${Math.round(tookMs)} ms, ${load.record.sent.length} sent`,
      );
      await Promise.all([startDatabaseNode(cluster, leader), second?.end?.(cluster)]);
    }
    const times = spread(backAfterMs);
    assert.ok(times.max <= BACK_WITHIN_MS, `${times.max} ms without orders`);
    return { kills: count, leaderChanged: changeCount, ordersAgainAfterMs: times };
  };
}
