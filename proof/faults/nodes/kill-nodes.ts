/** R26. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openRig } from '../rig.ts';
import { randomDelayMs, type Scenario, spread } from '../scenario.ts';

const DELAY_MAX_MS = 1500;

export const killNodes: Scenario = {
  name: 'kill-nodes',
  promise:
    'nodes killed at random times under load: no acknowledged order is lost or duplicated, and the books are right',
  count: 300,
  async run({ owner, count, seed, random, progress }) {
    const rig = await openRig({ owner, seed });
    const load = rig.startLoad();
    let killCount = 0;
    const backAfterMs: number[] = [];
    await Promise.all(
      rig.nodes.map(async (node) => {
        while (killCount < count) {
          killCount += 1;
          await load.orderPlaced({ url: node.url() });
          await sleep(randomDelayMs(random, DELAY_MAX_MS));
          await node.kill();
          const killedAt = performance.now();
          await node.start();
          await load.orderPlaced({ url: node.url() });
          backAfterMs.push(performance.now() - killedAt);
          if (killCount % 10 === 0) progress(`${killCount} kills, ${load.record.sent.length} orders sent`);
        }
      }),
    );
    const audited = await rig.audit(load);
    return { kills: killCount, nodeBackAfterMs: spread(backAfterMs), ...audited, ...load.record.summary() };
  },
};
