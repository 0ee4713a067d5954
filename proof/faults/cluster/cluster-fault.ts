/**
 * A fault of the installation with fail-over: alone in a manual run, or several on one cluster in a test
 * file.
 */

import type { Report, Run, Scenario } from '../scenario.ts';
import { type ClusterRig, clusterObstacle, openClusterRig } from './cluster-rig.ts';

export type ClusterFault = {
  readonly name: string;
  readonly promise: string;
  readonly count: number;
  /**
   * Injects it `count` times. Throws when something does not hold; leaves a cluster that heals without help.
   */
  injectFault(rig: ClusterRig, run: Pick<Run, 'count' | 'random' | 'progress'>): Promise<Report>;
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
      const metrics = await fault.injectFault(rig, run);
      return { ...metrics, ...(await rig.audit()) };
    },
  };
}
