/** Half a minute shows a leak on every request. */
import { testScenario } from '../faults/test-scenario.ts';
import { soak } from './soak.ts';

testScenario(soak, 1);
