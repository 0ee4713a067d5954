/** Half a minute of it: enough to show what leaks with every request, and whether every response matches what is stored. */
import { testScenario } from '../faults/test-scenario.ts';
import { soak } from './soak.ts';

testScenario(soak, 1);
