import { cutRefunds } from './cut-refunds.ts';
import { testScenario } from './test-scenario.ts';

testScenario(cutRefunds, 1);
