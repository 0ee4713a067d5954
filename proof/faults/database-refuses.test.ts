import { lockedTable, noConnectionLeft, readOnlyDatabase } from './database-refuses.ts';
import { testScenario } from './test-scenario.ts';

testScenario(noConnectionLeft, 1);
testScenario(lockedTable, 1);
testScenario(readOnlyDatabase, 1);
