import { endSessions } from './database-refuses.ts';
import { testScenario } from './test-scenario.ts';

testScenario(endSessions, 3);
