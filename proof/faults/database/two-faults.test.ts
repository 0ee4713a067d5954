import { testScenario } from '../test-scenario.ts';
import { twoFaults } from './two-faults.ts';

/** Each pair once. */
testScenario(twoFaults, 3);
