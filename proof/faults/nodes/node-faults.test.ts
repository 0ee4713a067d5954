import { testOnOneRig } from '../test-scenario.ts';
import { blockedNode, missingKeyFile } from './node-faults.ts';
import { pauseNode } from './pauses.ts';

testOnOneRig([
  { fault: blockedNode, count: 1 },
  { fault: missingKeyFile, count: 1 },
  { fault: pauseNode, count: 1 },
]);
