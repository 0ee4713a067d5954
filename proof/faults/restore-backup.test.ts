import { restoreBackup } from './restore-backup.ts';
import { testScenario } from './test-scenario.ts';

testScenario(restoreBackup, 1);
