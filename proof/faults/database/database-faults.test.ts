import { pauseDatabase } from '../nodes/pauses.ts';
import { testOnOneRig } from '../test-scenario.ts';
import { endSessions, lockedTable, readOnlyDatabase } from './database-refuses.ts';
import { crashDatabase, killDatabase, restartDatabase } from './kill-database.ts';

testOnOneRig([
  { fault: killDatabase, count: 2 },
  { fault: crashDatabase, count: 1 },
  { fault: restartDatabase, count: 2 },
  { fault: endSessions, count: 3 },
  { fault: readOnlyDatabase, count: 1 },
  { fault: lockedTable, count: 1 },
  { fault: pauseDatabase, count: 1 },
]);
