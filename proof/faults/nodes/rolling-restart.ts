/** Nodes restart as in an upgrade. R30. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../packages/server/test/support/postgres.ts';
import type { Load } from '../../load/load.ts';
import { openRig } from '../rig.ts';
import { type Scenario, spread } from '../scenario.ts';
import { haproxyObstacle, startHaproxy } from './haproxy.ts';

/** 40 restarts are 100,000 requests. */
const REQUESTS_BETWEEN = 2500;
const SAMPLE_REQUESTS_BETWEEN = 500;
const LOOK_INTERVAL_MS = 20;
const CALLER_COUNT = 24;

export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  promise: 'two nodes behind HAProxy restarted one after the other under load: no request fails',
  count: 40,
  obstacle: haproxyObstacle,
  async run({ owner, count, seed, progress, isSample }) {
    const requestsBetween = isSample ? SAMPLE_REQUESTS_BETWEEN : REQUESTS_BETWEEN;
    const [port, first, second] = [await freePort(), await freePort(), await freePort()];
    const nodePorts = [first, second] as const;
    const rig = await openRig({
      owner,
      seed,
      nodeSettings: (index) => ({ KEYPORT_PORT: String(nodePorts[index]) }),
    });
    const url = await startHaproxy(owner, { port, nodePorts });
    const load = rig.startLoad({ urls: () => [url], callerCount: CALLER_COUNT, pauseMs: 1, repeatsMax: 0 });
    const stoppedAfterMs: number[] = [];
    for (let restart = 0; restart < count; restart += 1) {
      while (requestCount(load) < (restart + 1) * requestsBetween) await sleep(LOOK_INTERVAL_MS);
      const node = rig.nodes[restart % rig.nodes.length];
      assert.ok(node !== undefined);
      const beganAtMs = performance.now();
      const ended = node.ended();
      node.terminate();
      assert.equal(await ended, 0);
      stoppedAfterMs.push(performance.now() - beganAtMs);
      await node.start();
      if ((restart + 1) % 10 === 0) progress(`${restart + 1} restarts, ${requestCount(load)} requests`);
    }
    const audited = await rig.audit(load);
    assert.deepEqual(failures(load), {}, 'every request got a response, and none an error of the service');
    return {
      restarts: count,
      requests: requestCount(load),
      failed: 0,
      stoppedAfterMs: spread(stoppedAfterMs),
      ...audited,
      ...load.record.summary(),
    };
  },
};

function requestCount({ record }: Load): number {
  return Object.values(record.counts).reduce((sum, count) => sum + count, 0);
}

function failures({ record }: Load): Record<string, number> {
  const failed = Object.entries(record.counts).filter(([name]) => /no response| 5\d\d$/.test(name));
  return Object.fromEntries(failed);
}
