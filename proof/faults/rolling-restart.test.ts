import { rollingRestart } from './rolling-restart.ts';
import { testScenario } from './test-scenario.ts';

testScenario(rollingRestart, 2);
