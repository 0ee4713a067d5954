import { testScenario } from '../test-scenario.ts';
import { restoreBackup } from './restore-backup.ts';

testScenario(restoreBackup, 1);
