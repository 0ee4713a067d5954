import { testScenario } from '../test-scenario.ts';
import { twoFaults } from './two-faults.ts';

testScenario(twoFaults, 3);
