import { testScenario } from '../test-scenario.ts';
import { dataDiskFull, logDiskFull } from './disk-full.ts';
import { flippedBit } from './flipped-bit.ts';

testScenario(logDiskFull, 1);
testScenario(dataDiskFull, 1);
testScenario(flippedBit, 1);
