/**
 * A soak of half a minute: enough to show a leak on every request, and whether every response matches the
 * stored data.
 */
import { testScenario } from '../faults/test-scenario.ts';
import { soak } from './soak.ts';

testScenario(soak, 1);
