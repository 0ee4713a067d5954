import { testOnOneCluster } from './cluster-fault.ts';
import { cutLeader } from './cut-leader.ts';
import { noEtcd } from './no-etcd.ts';

testOnOneCluster([
  { fault: cutLeader, count: 1 },
  { fault: noEtcd, count: 1 },
]);
