import { rollingRestart } from './rolling-restart.ts';
import { testScenario } from './scenario.ts';

testScenario(rollingRestart, 2);
