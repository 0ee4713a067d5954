import type { Report, Run, Scenario } from '../scenario.ts';
import { type ClusterRig, clusterObstacle, openClusterRig } from './cluster-rig.ts';

export type ClusterFault = {
  readonly name: string;
  readonly promise: string;
  readonly count: number;
  /** Leaves a cluster that heals without help. Throws if a promise is violated. */
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
