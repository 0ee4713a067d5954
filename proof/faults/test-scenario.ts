/** Faults as tests, each once or a few times; `npm run test:proof` brings them about as often as wanted. */
import { afterAll, beforeAll, test } from 'vitest';
import { createRandom } from '../../packages/server/src/demo/random.ts';
import { skipBecause } from '../../packages/server/test/support/vitest.ts';
import type { ClusterFault } from './cluster-fault.ts';
import { type ClusterRig, clusterObstacle, openClusterRig } from './cluster-rig.ts';
import { newSeed, runScenario, type Scenario } from './scenario.ts';

/** The scenario as a test of the file that calls this. */
export function testScenario(scenario: Scenario, count: number): void {
  test(scenario.promise, async (t) => {
    skipBecause(t, scenario.obstacle?.());
    const report = await runScenario(scenario, { owner: t, count, seed: newSeed(), isSample: true });
    await t.annotate(JSON.stringify(report));
  });
}

/** A cluster takes a minute to start: each fault is a test, and the comparison in the end another one. */
export function testOnOneCluster(faults: readonly { fault: ClusterFault; count: number }[]): void {
  const skip = clusterObstacle() ?? false;
  const seed = newSeed();
  let rig: ClusterRig;
  // Registered here: a hook cannot register another one for the whole file.
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  if (skip === false) {
    beforeAll(async () => {
      rig = await openClusterRig({ onTestFinished: (work) => void ends.push(work) }, seed);
    });
  }
  for (const { fault, count } of faults) {
    test(fault.promise, async (t) => {
      skipBecause(t, skip);
      const random = createRandom(`${seed}/${fault.name}`);
      const metrics = await fault.injectFault(rig, { count, random, progress: () => {} });
      await t.annotate(JSON.stringify(metrics));
    });
  }
  const names = faults.map(({ fault }) => fault.name).join(', ');
  test(`after ${names}: no acknowledged order is lost, none is doubled, and the books are right`, async (t) => {
    skipBecause(t, skip);
    await t.annotate(JSON.stringify(await rig.audit()));
  });
}
