import { cutRefunds } from './cut-refunds.ts';
import { testScenario } from './scenario.ts';

testScenario(cutRefunds, 1);
