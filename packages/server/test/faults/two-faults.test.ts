import { testScenario } from './scenario.ts';
import { twoFaults } from './two-faults.ts';

/** Each pair once. */
testScenario(twoFaults, 10);
