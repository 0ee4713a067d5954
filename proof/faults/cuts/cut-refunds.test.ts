import { testScenario } from '../test-scenario.ts';
import { cutKeyReads } from './cut-key-reads.ts';
import { cutRefunds, cutWithdrawals } from './cut-refunds.ts';

testScenario(cutRefunds, 1);
testScenario(cutWithdrawals, 1);
testScenario(cutKeyReads, 1);
