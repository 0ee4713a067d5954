import { testScenario } from '../test-scenario.ts';
import { cutRefunds } from './cut-refunds.ts';

testScenario(cutRefunds, 1);
