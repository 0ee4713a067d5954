/** The leading database node is killed, or stepped down as planned, and a standby takes over. R28. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLeader } from '../../../deploy/cluster/cluster.ts';
import { randomDelayMs, spread } from '../scenario.ts';
import type { ClusterFault } from './cluster-fault.ts';
import {
  killDatabaseNode,
  killPostmaster,
  startDatabaseNode,
  waitUntil,
  wholeClusterLeader,
} from './cluster-rig.ts';

const DELAY_MAX_MS = 3000;

/** The goal of deploy/cluster: ttl, election, promotion and HAProxy's checks. */
const BACK_WITHIN_MS = 30_000;

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

export const switchOver: ClusterFault = {
  name: 'switch-over',
  promise:
    'the leader changed as planned under load: orders resume within 30 s, and none is lost or duplicated',
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
    assert.ok(times.max <= BACK_WITHIN_MS, `${times.max} ms without orders`);
    return { switchOvers: count, withoutOrdersMs: times };
  },
};

function endLeaderBy(kill: typeof killDatabaseNode): ClusterFault['injectFault'] {
  return async ({ cluster, load }, { count, random, progress }) => {
    const backAfterMs: number[] = [];
    let changeCount = 0;
    for (let round = 1; round <= count; round += 1) {
      const leader = await wholeClusterLeader(cluster);
      await load.orderPlaced();
      await sleep(randomDelayMs(random, DELAY_MAX_MS));
      await kill(cluster, leader);
      const tookMs = await load.orderPlaced();
      backAfterMs.push(tookMs);
      if ((await findLeader(cluster))?.name !== leader.name) changeCount += 1;
      progress(
        `${round} kills, orders again after ${Math.round(tookMs)} ms, ${load.record.sent.length} sent`,
      );
      await startDatabaseNode(cluster, leader);
    }
    const times = spread(backAfterMs);
    assert.ok(times.max <= BACK_WITHIN_MS, `${times.max} ms without orders`);
    return { kills: count, leaderChanged: changeCount, ordersAgainAfterMs: times };
  };
}
