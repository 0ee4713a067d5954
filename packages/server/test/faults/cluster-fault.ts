/** A fault of the installation with fail-over: alone by hand, or several on one cluster in a test file. */
import { afterAll, beforeAll, test } from 'vitest';
import { createRandom } from '../../src/demo/random.ts';
import { skipBecause } from '../support/vitest.ts';
import { type ClusterRig, clusterObstacle, openClusterRig } from './cluster-rig.ts';
import { newSeed, type Report, type Run, type Scenario } from './scenario.ts';

export type ClusterFault = {
  readonly name: string;
  readonly promise: string;
  /** How often by hand, unless told otherwise. */
  readonly count: number;
  /** Brings it about so often. Throws when something does not hold; leaves a cluster that heals by itself. */
  bringAbout(rig: ClusterRig, run: Pick<Run, 'count' | 'random' | 'progress'>): Promise<Report>;
};

export function clusterScenario(fault: ClusterFault): Scenario {
  const { name, promise, count } = fault;
  return {
    name,
    promise,
    count,
    obstacle: clusterObstacle,
    async run(run) {
      const rig = await openClusterRig(run.owner, run.seed);
      const figures = await fault.bringAbout(rig, run);
      return { ...figures, ...(await rig.audit()) };
    },
  };
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
      const figures = await fault.bringAbout(rig, { count, random, progress: () => {} });
      await t.annotate(JSON.stringify(figures));
    });
  }
  const names = faults.map(({ fault }) => fault.name).join(', ');
  test(`after ${names}: no acknowledged order is lost, none is doubled, and the books are right`, async (t) => {
    skipBecause(t, skip);
    await t.annotate(JSON.stringify(await rig.audit()));
  });
}
