/** Every scenario by its name. */

import { soak } from '../soak/soak.ts';
import { clusterScenario } from './cluster-fault.ts';
import { cutGatewayOrders } from './cut-gateway-orders.ts';
import { cutKeyReads } from './cut-key-reads.ts';
import { cutLeader } from './cut-leader.ts';
import { cutFirstOrders, cutLaterOrders, cutOrdersTwoNodes } from './cut-orders.ts';
import { cutRefunds, cutWithdrawals } from './cut-refunds.ts';
import { endSessions, lockedTable, noConnectionLeft, readOnlyDatabase } from './database-refuses.ts';
import { dataDiskFull, logDiskFull } from './disk-full.ts';
import { crashLeader, killLeader, killLeaderAndAnother, switchOver } from './fail-over.ts';
import { flippedBit } from './flipped-bit.ts';
import { crashDatabase, killDatabase, restartDatabase } from './kill-database.ts';
import { killNodes } from './kill-nodes.ts';
import { noEtcd } from './no-etcd.ts';
import { noStandby } from './no-standby.ts';
import { blockedNode, crashNode, fewFiles, missingKeyFile, steppedClock, unreadLog } from './node-faults.ts';
import { pauseDatabase, pauseNode } from './pauses.ts';
import { restoreBackup } from './restore-backup.ts';
import { rollingRestart } from './rolling-restart.ts';
import type { Scenario } from './scenario.ts';
import { slowNetwork } from './slow-network.ts';
import { twoFaults } from './two-faults.ts';
import { loadScenario } from './under-load.ts';

export const SCENARIOS: readonly Scenario[] = [
  killNodes,
  rollingRestart,
  crashNode,
  loadScenario(pauseNode),
  loadScenario(blockedNode),
  steppedClock,
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
  twoFaults,
  cutFirstOrders,
  cutLaterOrders,
  cutOrdersTwoNodes,
  cutGatewayOrders,
  cutKeyReads,
  cutRefunds,
  cutWithdrawals,
  slowNetwork,
  ...[killLeader, killLeaderAndAnother, crashLeader, switchOver, cutLeader, noStandby, noEtcd].map(
    clusterScenario,
  ),
  restoreBackup,
  soak,
];
