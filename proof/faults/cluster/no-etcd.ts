/**
 * Without etcd no node can prove that it leads: the leader steps down and the database takes no writes. R28.
 */
import assert from 'node:assert/strict';
import { findLeader, startProgram } from '../../../deploy/cluster/cluster.ts';
import { call } from '../../load/operator.ts';
import { spread } from '../scenario.ts';
import type { ClusterFault } from './cluster-fault.ts';
import { signalProgram, waitUntil, wholeClusterLeader } from './cluster-rig.ts';
import { acknowledgedBeside, observeWrites } from './write-observer.ts';

const WITHOUT_ORDERS_MS = 10_000;

export const noEtcd: ClusterFault = {
  name: 'no-etcd',
  promise:
    'all of etcd down under load: the leader steps down and nothing is acknowledged, the catalogue can still be read, and nothing is lost when etcd is back',
  count: 5,
  async injectFault({ cluster, shop, url, load }, { count, progress }) {
    const stoppedAfterMs: number[] = [];
    const backAfterMs: number[] = [];
    for (let round = 1; round <= count; round += 1) {
      await wholeClusterLeader(cluster);
      const observer = await observeWrites(cluster);
      await load.orderPlaced();
      const downAt = performance.now();
      for (const { name } of cluster.etcd) await signalProgram(cluster, name, 'SIGKILL');
      await waitUntil('there is no leader', async () => (await findLeader(cluster)) === undefined);
      stoppedAfterMs.push(performance.now() - downAt);
      const silentFrom = performance.now();
      await assert.rejects(load.orderPlaced({ withinMs: WITHOUT_ORDERS_MS }), /no order was acknowledged/);
      const path = '/export/v1/product-offers?itemsPerPage=20';
      const page = await call(url, { path, token: shop.buyers[0]?.token });
      assert.equal(page.status, 200, page.text());
      const silentUntil = performance.now();
      for (const { name } of cluster.etcd) await startProgram(cluster, name);
      const tookMs = await load.orderPlaced();
      backAfterMs.push(tookMs);
      await wholeClusterLeader(cluster);
      assert.deepEqual(await observer.stop(), [], 'acknowledged writes are lost');
      assert.deepEqual(acknowledgedBeside(observer.acknowledged), [], 'two nodes acknowledged');
      const acknowledged = observer.acknowledged.filter(
        ({ atMs }) => atMs > silentFrom && atMs < silentUntil,
      );
      assert.deepEqual(acknowledged, [], 'a node took writes without etcd');
      progress(`${round}: orders again ${Math.round(tookMs)} ms after etcd was started`);
    }
    return {
      outages: count,
      steppedDownAfterMs: spread(stoppedAfterMs),
      ordersAgainAfterMs: spread(backAfterMs),
    };
  },
};
