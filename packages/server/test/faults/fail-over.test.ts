import { testOnOneCluster } from './cluster-fault.ts';
import { killLeader, switchOver } from './fail-over.ts';

testOnOneCluster([
  { fault: killLeader, count: 2 },
  { fault: switchOver, count: 1 },
]);
