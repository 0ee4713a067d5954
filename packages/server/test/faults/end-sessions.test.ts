import { endSessions } from './database-refuses.ts';
import { testScenario } from './scenario.ts';

testScenario(endSessions, 6);
