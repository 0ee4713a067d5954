import { afterAll, beforeAll, test } from 'vitest';
import type { Owner } from '../../packages/server/test/support/database.ts';
import { createRandom, type Random } from '../../packages/server/test/support/random.ts';
import { skipBecause } from '../../packages/server/test/support/vitest.ts';
import type { Load } from '../load/load.ts';
import type { ClusterFault } from './cluster/cluster-fault.ts';
import { clusterObstacle, openClusterRig } from './cluster/cluster-rig.ts';
import { openRig } from './rig.ts';
import { newSeed, type Report, runScenario, type Scenario } from './scenario.ts';
import { injectFault, type LoadFault } from './under-load.ts';

export function testScenario(scenario: Scenario, count: number): void {
  test(scenario.promise, async (t) => {
    skipBecause(t, scenario.obstacle?.());
    const report = await runScenario(scenario, { owner: t, count, seed: newSeed(), isSample: true });
    await t.annotate(JSON.stringify(report));
  });
}

type Fault = { readonly name: string; readonly promise: string };
type Times = { readonly count: number; readonly random: Random; readonly progress: () => void };

/** A rig takes seconds to start and a cluster a minute, so faults share it. */
function testTogether<Rig, Each extends Fault>(
  faults: readonly { readonly fault: Each; readonly count: number }[],
  parts: {
    readonly skip: string | false;
    readonly open: (owner: Owner, seed: string) => Promise<Rig>;
    readonly inject: (rig: Rig, fault: Each, times: Times) => Promise<Report>;
    readonly audit: (rig: Rig) => Promise<Report>;
  },
): void {
  const { skip, open, inject, audit } = parts;
  const seed = newSeed();
  let rig: Rig;
  // Registered here, because a hook cannot register another one for the whole file.
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  if (skip === false) {
    beforeAll(async () => {
      rig = await open({ onTestFinished: (work) => void ends.push(work) }, seed);
    });
  }
  for (const { fault, count } of faults) {
    test(fault.promise, async (t) => {
      skipBecause(t, skip);
      const random = createRandom(`${seed}/${fault.name}`);
      await t.annotate(JSON.stringify(await inject(rig, fault, { count, random, progress: () => {} })));
    });
  }
  const names = faults.map(({ fault }) => fault.name).join(', ');
  test(`after ${names}: no acknowledged order is lost or duplicated, and the books are right`, async (t) => {
    skipBecause(t, skip);
    await t.annotate(JSON.stringify(await audit(rig)));
  });
}

export function testOnOneCluster(faults: readonly { fault: ClusterFault; count: number }[]): void {
  testTogether(faults, {
    skip: clusterObstacle() ?? false,
    open: openClusterRig,
    inject: (rig, fault, times) => fault.injectFault(rig, times),
    audit: (rig) => rig.audit(),
  });
}

export function testOnOneRig(faults: readonly { fault: LoadFault; count: number }[]): void {
  const loads: Load[] = [];
  testTogether(faults, {
    skip: false,
    open: (owner, seed) => openRig({ owner, seed }),
    async inject(rig, fault, times) {
      const { load, metrics } = await injectFault(rig, fault, times);
      loads.push(load);
      return { ...metrics, ...load.record.summary() };
    },
    audit: (rig) => rig.audit(...loads),
  });
}
