import { noStandby } from './no-standby.ts';
import { testOnOneCluster } from './test-scenario.ts';

testOnOneCluster([{ fault: noStandby, count: 1 }]);
