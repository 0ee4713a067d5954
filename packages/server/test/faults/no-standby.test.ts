import { testOnOneCluster } from './cluster-fault.ts';
import { noStandby } from './no-standby.ts';

testOnOneCluster([{ fault: noStandby, count: 1 }]);
