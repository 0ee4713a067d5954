import { soak } from '../soak/soak.ts';
import { clusterScenario } from './cluster/cluster-fault.ts';
import { cutLeader } from './cluster/cut-leader.ts';
import { crashLeader, killLeader, switchOver } from './cluster/fail-over.ts';
import { noEtcd } from './cluster/no-etcd.ts';
import { noStandby } from './cluster/no-standby.ts';
import { cutGatewayOrders } from './cuts/cut-gateway-orders.ts';
import { cutKeyReads } from './cuts/cut-key-reads.ts';
import { cutFirstOrders, cutLaterOrders } from './cuts/cut-orders.ts';
import { cutRefunds, cutWithdrawals } from './cuts/cut-refunds.ts';
import { endSessions, lockedTable, noConnectionLeft, readOnlyDatabase } from './database/database-refuses.ts';
import { dataDiskFull, logDiskFull } from './database/disk-full.ts';
import { flippedBit } from './database/flipped-bit.ts';
import { crashDatabase, killDatabase, restartDatabase } from './database/kill-database.ts';
import { restoreBackup } from './database/restore-backup.ts';
import { killNodes } from './nodes/kill-nodes.ts';
import {
  blockedNode,
  crashNode,
  fewFiles,
  missingKeyFile,
  steppedClock,
  unreadLog,
} from './nodes/node-faults.ts';
import { pauseDatabase, pauseNode } from './nodes/pauses.ts';
import { rollingRestart } from './nodes/rolling-restart.ts';
import type { Scenario } from './scenario.ts';
import { loadScenario } from './under-load.ts';

export const SCENARIOS: readonly Scenario[] = [
  killNodes,
  rollingRestart,
  crashNode,
  loadScenario(pauseNode),
  loadScenario(blockedNode),
  loadScenario(steppedClock),
  fewFiles,
  unreadLog,
  loadScenario(missingKeyFile),
  loadScenario(killDatabase),
  loadScenario(crashDatabase),
  loadScenario(restartDatabase),
  loadScenario(endSessions),
  loadScenario(pauseDatabase),
  noConnectionLeft,
  loadScenario(lockedTable),
  loadScenario(readOnlyDatabase),
  logDiskFull,
  dataDiskFull,
  flippedBit,
  cutFirstOrders,
  cutLaterOrders,
  cutGatewayOrders,
  cutKeyReads,
  cutRefunds,
  cutWithdrawals,
  ...[killLeader, crashLeader, switchOver, cutLeader, noStandby, noEtcd].map(clusterScenario),
  restoreBackup,
  soak,
];
