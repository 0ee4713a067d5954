/** Every scenario by its name. */
import { endSessions, lockedTable, noConnectionLeft, readOnlyDatabase } from './database-refuses.ts';
import { dataDiskFull, logDiskFull } from './disk-full.ts';
import { flippedBit } from './flipped-bit.ts';
import { killDatabase, restartDatabase } from './kill-database.ts';
import { killNodes } from './kill-nodes.ts';
import {
  blockedNode,
  crashNode,
  fewFiles,
  missingKeyFile,
  steppedClock,
  unreadLog,
} from './node-troubles.ts';
import { pauseDatabase, pauseNode } from './pauses.ts';
import { rollingRestart } from './rolling-restart.ts';
import type { Scenario } from './scenario.ts';
import { twoFaults } from './two-faults.ts';

export const SCENARIOS: readonly Scenario[] = [
  killNodes,
  rollingRestart,
  crashNode,
  pauseNode,
  blockedNode,
  steppedClock,
  fewFiles,
  unreadLog,
  missingKeyFile,
  killDatabase,
  restartDatabase,
  endSessions,
  pauseDatabase,
  noConnectionLeft,
  lockedTable,
  readOnlyDatabase,
  logDiskFull,
  dataDiskFull,
  flippedBit,
  twoFaults,
];
