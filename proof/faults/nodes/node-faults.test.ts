import { testOnOneRig } from '../test-scenario.ts';
import { blockedNode, missingKeyFile, steppedClock } from './node-faults.ts';
import { pauseNode } from './pauses.ts';

testOnOneRig([
  { fault: blockedNode, count: 1 },
  { fault: missingKeyFile, count: 1 },
  { fault: pauseNode, count: 1 },
  // The last fault, because tokens of a node whose clock was wrong would expire during later loads.
  { fault: steppedClock, count: 1 },
]);
