import { testScenario } from '../test-scenario.ts';
import { rollingRestart } from './rolling-restart.ts';

testScenario(rollingRestart, 2);
