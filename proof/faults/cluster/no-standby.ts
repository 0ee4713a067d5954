/**
 * Without a standby no commit can be kept in two places, so nothing may be acknowledged, not even an order
 * that the leader alone stores after its session ended or its PostgreSQL restarted. R28, A160.
 */
import assert from 'node:assert/strict';
import { type DatabaseNode, isReplicating } from '../../../deploy/cluster/cluster.ts';
import type { Load } from '../../load/load.ts';
import { call } from '../../load/operator.ts';
import { orderRequest } from '../../load/traffic.ts';
import { spread } from '../scenario.ts';
import type { ClusterFault } from './cluster-fault.ts';
import { querySuperuser } from './cluster-query.ts';
import {
  type ClusterRig,
  killDatabaseNode,
  killPostmaster,
  startDatabaseNode,
  waitUntil,
  wholeClusterLeader,
} from './cluster-rig.ts';

/** Longer than Keyport waits for a commit. */
const WITHOUT_ORDERS_MS = 15_000;
const REPEATED_COUNT = 40;

const TURNS = ['PostgreSQL restarted', 'waiting sessions ended', 'nothing else'] as const;

export const noStandby: ClusterFault = {
  name: 'no-standby',
  promise:
    'both standbys killed under load: nothing is acknowledged until one is back, even if the leader is restarted before that, and then every unknown outcome is resolved',
  count: 6,
  async injectFault(rig, { count, progress }) {
    const { cluster, load } = rig;
    const backAfterMs: number[] = [];
    let repeated = 0;
    for (let round = 0; round < count; round += 1) {
      const leader = await wholeClusterLeader(cluster);
      const standbys = cluster.databases.filter(({ name }) => name !== leader.name);
      await load.orderPlaced();
      for (const node of standbys) await killDatabaseNode(cluster, node);
      await assertNoneAcknowledged(load);
      const turn = TURNS[round % TURNS.length] ?? TURNS[0];
      await runRound(rig, leader, turn);
      repeated += await assertRepeatsStayOpen(rig);
      for (const node of standbys) await startDatabaseNode(cluster, node);
      const tookMs = await load.orderPlaced();
      backAfterMs.push(tookMs);
      await waitUntil('the cluster is whole', () => isReplicating(cluster));
      progress(
        `${round + 1}: ${turn}: orders again ${Math.round(tookMs)} ms after the standbys were started`,
      );
    }
    return { outages: count, ordersAgainAfterMs: spread(backAfterMs), repeated };
  },
};

async function assertNoneAcknowledged(load: Load): Promise<void> {
  await assert.rejects(load.orderPlaced({ withinMs: WITHOUT_ORDERS_MS }), /no order was acknowledged/);
}

/** Both ways end the leader's wait for its standby, so only the leader has the transaction. */
async function runRound(
  { cluster }: ClusterRig,
  leader: DatabaseNode,
  turn: (typeof TURNS)[number],
): Promise<void> {
  if (turn === 'waiting sessions ended') {
    await querySuperuser(
      cluster,
      leader,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
  }
  if (turn === 'PostgreSQL restarted') {
    const startedAt = () => querySuperuser(cluster, leader, 'SELECT pg_postmaster_start_time()::text AS at');
    const [before] = await startedAt();
    await killPostmaster(cluster, leader);
    await waitUntil('Patroni has started PostgreSQL again', async () => {
      const [now] = await startedAt().catch(() => []);
      return now !== undefined && now['at'] !== before?.['at'];
    });
  }
}

/** Retries every order with an unknown outcome once. */
async function assertRepeatsStayOpen({ url, load }: ClusterRig): Promise<number> {
  const open = load.record.sent.filter(({ outcome }) => outcome === undefined).slice(-REPEATED_COUNT);
  const responses = await Promise.all(
    open.map(async (sent) => {
      const response = await call(url, orderRequest(sent));
      assert.notEqual(response.status, 0, 'a retry gets a response');
      return `${response.status} ${response.status < 300 ? response.text() : ''}`;
    }),
  );
  assert.deepEqual(
    responses.filter((response) => response.startsWith('2')),
    [],
  );
  return responses.length;
}
