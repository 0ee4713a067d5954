import { killLeader, switchOver } from './fail-over.ts';
import { testOnOneCluster } from './test-scenario.ts';

testOnOneCluster([
  { fault: killLeader, count: 1 },
  { fault: switchOver, count: 1 },
]);
