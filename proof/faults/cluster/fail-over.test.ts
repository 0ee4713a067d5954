import { testOnOneCluster } from '../test-scenario.ts';
import { killLeader, switchOver } from './fail-over.ts';
import { noStandby } from './no-standby.ts';

testOnOneCluster([
  { fault: killLeader, count: 1 },
  { fault: switchOver, count: 1 },
  { fault: noStandby, count: 1 },
]);
